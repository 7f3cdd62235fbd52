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

// Names reports whether a text has a name as a whole word.
func Names(text, name string) bool {
	for from := 0; name != ""; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
		if (i == 0 || !isLetterOrDigit(text[i-1])) && (from == len(text) || !isLetterOrDigit(text[from])) {
			return true
		}
	}
	return false
}

func isLetterOrDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c >= 0x80
}
