package casefile

import (
	"regexp"
	"strings"
)

var (
	// quotedText matches a text in quotation marks, with the character before it.
	quotedText = regexp.MustCompile(`(^|[^A-Za-z])("[^"]+"|'[^']+'|` + "`[^`]+`" + `)`)
	// messageWord matches a word of a message: a name, an address and a path are one word.
	messageWord = regexp.MustCompile(`[^\s"'` + "`" + `(),;=\[\]{}<>|]+`)

	plainWord  = regexp.MustCompile(`^\pL{1,40}$`)
	smallCount = regexp.MustCompile(`^[+-]?\d{1,4}([/.]\d{1,4})?%?$`)
	duration   = regexp.MustCompile(`^(\d{1,4}(\.\d{1,4})?(ns|us|µs|ms|s|m|h|d)){1,4}$`)
	quantity   = regexp.MustCompile(`^\d{1,4}(k|M|G|T|Ki|Mi|Gi|Ti)$`)
	fieldPath  = regexp.MustCompile(`^\.?(spec|status|metadata)(\.[a-z][A-Za-z]*)+$`)
	mark       = regexp.MustCompile(`^[^\pL\d]+$`)
)

// message returns a message with placeholders for words that may be private: names, addresses,
// paths, IDs and long numbers.
func (m *copier) message(s string) string {
	s = quotedText.ReplaceAllStringFunc(s, func(match string) string {
		i := strings.IndexAny(match, "\"'`")
		inside := match[i+1 : len(match)-1]
		if known := m.names[strings.ToLower(inside)]; known != "" {
			inside = known
		} else if !isTerm(inside) && !placeholder.MatchString(inside) {
			inside = m.secrets.Replace(inside)
		}
		return match[:i+1] + inside + match[len(match)-1:]
	})
	return messageWord.ReplaceAllStringFunc(s, m.word)
}

// isCount reports whether a text is a small number, such as 3, 2/3, 25%, 1m30s and 16Gi.
func isCount(s string) bool {
	return smallCount.MatchString(s) || duration.MatchString(s) || quantity.MatchString(s)
}

// isTerm reports whether a text in quotation marks is a word of an API, such as "Ready".
func isTerm(s string) bool {
	return fieldPath.MatchString(s) || isCount(s) || singleWord.MatchString(s) && s != strings.ToLower(s)
}

// word returns a word of a message, or a placeholder.
func (m *copier) word(s string) string {
	word := strings.TrimRight(s, ".,:;!?…")
	end := s[len(word):]
	if known := m.names[strings.ToLower(word)]; known != "" {
		return known + end
	}
	if word == "" || word == inventedNamespace || isCount(word) {
		return s
	}
	for _, harmless := range []*regexp.Regexp{plainWord, singleWord, fieldPath, versionText, mark} {
		if harmless.MatchString(word) {
			return s
		}
	}
	return m.secrets.Replace(word) + end
}
