// Package messages reads what programs report in words: kubelets, schedulers,
// container runtimes, and the controllers that repeat their errors.
package messages

import "strings"

// maxHead is how much of one message is read. What tells the cause is near the
// beginning, and a message of a megabyte must not make this slow.
const maxHead = 8 << 10

// Head returns the part of a message that is read.
func Head(message string) string { return message[:min(len(message), maxHead)] }

// Between returns the text between two marks; not ok if the text lacks one of them.
func Between(text, start, end string) (found string, ok bool) {
	_, rest, ok := strings.Cut(text, start)
	if !ok {
		return "", false
	}
	found, _, ok = strings.Cut(rest, end)
	return found, ok
}

// After returns what follows a mark, empty if the text does not have the mark.
func After(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// QuotedAfter returns the word between the end of a mark and the next quotation
// mark: QuotedAfter(`secret "a" not found`, `secret "`) is a. It is empty if
// there is no such word.
func QuotedAfter(text, mark string) string {
	name, ok := Between(text, mark, `"`)
	if !ok || strings.ContainsAny(name, " \\") {
		return ""
	}
	return name
}

// HasAny reports whether a text contains one of the phrases.
func HasAny(text string, phrases ...string) bool {
	for _, p := range phrases {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
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
