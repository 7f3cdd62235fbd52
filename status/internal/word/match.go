package word

import "strings"

// Is reports whether a text equals one of the words, ignoring case.
func Is(text string, words ...string) bool {
	for _, w := range words {
		if len(w) == len(text) && strings.EqualFold(text, w) {
			return true
		}
	}
	return false
}

// HasAnyPrefix reports whether a text begins with one of the prefixes.
func HasAnyPrefix(text string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// HasAnySuffix reports whether a text ends in one of the suffixes.
func HasAnySuffix(text string, suffixes []string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(text, s) {
			return true
		}
	}
	return false
}

// ContainsAny reports whether a text contains one of the pieces.
func ContainsAny(text string, pieces []string) bool {
	for _, p := range pieces {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}
