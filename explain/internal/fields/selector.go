package fields

import "strings"

// SelectorOf writes labels as a selector, in order.
func SelectorOf(labels map[string]string) string {
	var terms []string
	for _, key := range Keys(labels) {
		terms = append(terms, key+"="+labels[key])
	}
	return strings.Join(terms, ",")
}

// Selects reports whether labels have all that a selector asks for.
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

// FirstTerm returns the first label that a selector asks for: key=value. It is empty if the
// selector is.
func FirstTerm(selector string) string {
	term, _, _ := strings.Cut(selector, ",")
	key, value, _ := strings.Cut(term, "=")
	if term == "" {
		return ""
	}
	return key + "=" + value
}
