package fields

import "strings"

// SelectorOf returns the selector for labels, sorted.
func SelectorOf(labels map[string]string) string {
	var terms []string
	for _, key := range Keys(labels) {
		terms = append(terms, key+"="+labels[key])
	}
	return strings.Join(terms, ",")
}

// Selects reports whether labels match a selector.
func Selects(selector string, labels map[string]string) bool {
	if selector == "" {
		return true
	}
	for term := range strings.SplitSeq(selector, ",") {
		key, value, _ := strings.Cut(term, "=")
		if have, ok := labels[key]; !ok || have != value {
			return false
		}
	}
	return true
}

// FirstTerm returns the first required label of a selector, key=value, or "".
func FirstTerm(selector string) string {
	term, _, _ := strings.Cut(selector, ",")
	key, value, _ := strings.Cut(term, "=")
	if term == "" {
		return ""
	}
	return key + "=" + value
}
