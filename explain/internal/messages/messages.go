// Package messages reads what programs report in words: kubelets, schedulers,
// container runtimes, and the controllers that repeat their errors.
package messages

import "strings"

// maxHead is how much of a message is read, in bytes. The cause is near the beginning,
// and a message of a megabyte must not slow down the search.
const maxHead = 8 << 10

// Head returns the part of a message that is read.
func Head(message string) string { return message[:min(len(message), maxHead)] }

// Between returns the text between two marks, and false if one of them is missing.
func Between(text, start, end string) (found string, ok bool) {
	_, rest, ok := strings.Cut(text, start)
	if !ok {
		return "", false
	}
	found, _, ok = strings.Cut(rest, end)
	return found, ok
}

// After returns the text after a mark, or "" without the mark.
func After(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// QuotedAfter returns the text between the end of a mark and the next quotation mark, or
// "". QuotedAfter(`secret "a" not found`, `secret "`) is a.
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
