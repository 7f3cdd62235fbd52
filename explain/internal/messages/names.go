package messages

import (
	"slices"
	"strings"
)

// Names searches for names in texts. It splits each text once, whatever the number of
// names. The zero value has no texts.
type Names struct {
	words map[string]bool
	texts []string
}

// Add adds a text.
func (n *Names) Add(text string) {
	if n.words == nil {
		n.words = map[string]bool{}
	}
	n.texts = append(n.texts, text)
	for start := 0; start < len(text); start++ {
		if !isInNames(text[start]) {
			continue
		}
		end := start
		for end < len(text) && isInNames(text[end]) {
			end++
		}
		word := text[start:end]
		n.words[word] = true
		n.words[strings.TrimSuffix(word, ".")] = true // the full stop may end the sentence
		start = end
	}
}

// Has reports whether [HasName] is true for one of the texts.
func (n *Names) Has(name string) bool {
	for i := range len(name) {
		if !isInNames(name[i]) { // words do not contain it
			return slices.ContainsFunc(n.texts, func(text string) bool { return HasName(text, name) })
		}
	}
	return name != "" && n.words[name]
}

// HasName reports whether a text contains a name that is not a part of a longer one.
func HasName(text, name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(name)
		if (start == 0 || !isInNames(text[start-1])) && (end == len(text) || !isInNames(text[end]) || endsSentence(text[end:])) {
			return true
		}
		from = end
	}
}

func isInNames(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_'
}

// endsSentence reports whether a text begins with a full stop and no more of a name.
func endsSentence(text string) bool {
	return text[0] == '.' && (len(text) == 1 || !isInNames(text[1]))
}
