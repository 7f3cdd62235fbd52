package redact

import (
	"regexp"
	"slices"
	"strings"
)

const secretWords = `(?:password|passwd|passphrase|token|api[-_]?key|access[-_]?key|private[-_]?key|client[-_]?secret|credentials?)`

var (
	isPlaceholder = regexp.MustCompile(`^<redacted(?: \d+)?>$`)
	// The name of a field whose value is a secret.
	secretField = regexp.MustCompile(`(?i)` + secretWords + `$`)
	// An argument that a secret follows.
	secretFlag = regexp.MustCompile(`(?i)^--?[\w-]*` + secretWords + `$`)
)

// A secretPattern finds secrets in a text.
type secretPattern struct {
	hints   []string                 // each such text contains one of them, in lower case
	pattern *regexp.Regexp           // the second group is the secret
	accepts func(secret string) bool // nil: all that matches is a secret
}

var secretPatterns = []secretPattern{
	{hints: secretHints, pattern: regexp.MustCompile(`(?i)([\w.-]*` + secretWords + `[\\"']*\s?[=:][\\"']*)([^\s"'\\,;&<]+)`)},
	// With blanks between, it may as well be prose, as in "token: signature is invalid".
	{hints: secretHints, pattern: regexp.MustCompile(`(?im)(` + secretWords + `[\\"']*\s?[=:]\s+[\\"']*)([^\s"'\\,;&<]+)[\\"']*(?:[,;}]|$)`)},
	{hints: secretHints, pattern: regexp.MustCompile(`(?i)(\s--?[\w-]*` + secretWords + `\s+)([^\s"'\\<-][^\s"'\\]*)`)},
	{hints: []string{"bearer", "basic"}, pattern: regexp.MustCompile(`(?i)(\b(?:bearer|basic)\s+)([\w.~+/=-]{8,})`), accepts: isNoWord},
	{hints: []string{"://"}, pattern: regexp.MustCompile(`(://[^/\s:@]*:)([^/\s@<]+)@`)},
	{hints: []string{"?", "&"}, pattern: regexp.MustCompile(`(?i)([?&](?:sig|signature|x-amz-[\w-]+|key|code)=)([^\s"'&<]+)`)},
	{hints: []string{"eyj"}, pattern: regexp.MustCompile(`()(\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)`)},
	{hints: []string{"private key-----"}, pattern: regexp.MustCompile(`(-----BEGIN [A-Z ]*PRIVATE KEY-----)([^<-][^-]*)`)},
}

var secretHints = []string{"pass", "token", "key", "secret", "credential"}

// isNoWord reports whether a text is no word of prose.
func isNoWord(text string) bool {
	return strings.ContainsAny(text, "0123456789=ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// Text returns a text without secrets, as far as they can be told from what is
// around them.
func Text(text string) string {
	const shortest = 8
	if len(text) < shortest || !strings.ContainsAny(text, "=:. ") {
		return text
	}
	lower := strings.ToLower(text)
	for _, s := range secretPatterns {
		if slices.ContainsFunc(s.hints, func(hint string) bool { return strings.Contains(lower, hint) }) {
			text = s.redact(text)
		}
	}
	return text
}

// redact returns a text without the secrets that the pattern finds.
func (s secretPattern) redact(text string) string {
	var b strings.Builder
	done := 0
	for _, at := range s.pattern.FindAllStringSubmatchIndex(text, -1) {
		from, to := at[4], at[5]
		if s.accepts != nil && !s.accepts(text[from:to]) {
			continue
		}
		b.WriteString(text[done:from])
		b.WriteString(redacted)
		done = to
	}
	b.WriteString(text[done:])
	return b.String()
}
