package messages

import "strings"

// Names are the words of texts that may be names of objects. A look-up does not read the texts
// again.
type Names map[string]bool

// Add adds the words of a text.
func (n Names) Add(text string) {
	for start := 0; start < len(text); start++ {
		if !isInNames(text[start]) {
			continue
		}
		end := start
		for end < len(text) && isInNames(text[end]) {
			end++
		}
		word := text[start:end]
		n[word] = true
		if bare := strings.TrimSuffix(word, "."); bare != "" { // the stop may end the sentence
			n[bare] = true
		}
		start = end
	}
}

// Has is [HasName] for all texts that were added. known is false for a name with characters
// that words do not have: whether a text has that one is not known.
func (n Names) Has(name string) (has, known bool) {
	for i := range len(name) {
		if !isInNames(name[i]) {
			return false, false
		}
	}
	return n[name], true
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

// endsSentence reports whether a text begins with a full stop that no name
// continues after.
func endsSentence(text string) bool {
	return text[0] == '.' && (len(text) == 1 || !isInNames(text[1]))
}
