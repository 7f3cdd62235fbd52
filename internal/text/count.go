package text

import (
	"strconv"
	"strings"
)

// Count formats a number of things: "1 Pod", "2 Pods", "0 Ingresses". The noun
// is singular.
func Count(n int, noun string) string {
	if n != 1 {
		noun = Plural(noun)
	}
	return strconv.Itoa(n) + " " + noun
}

// Plural returns the plural of an English noun or of a kind: NetworkPolicies,
// Ingresses, Gateways, networkpolicies. Only the end of the word matters.
func Plural(noun string) string {
	lower := strings.ToLower(noun)
	for _, plural := range []string{"endpoints", "metrics"} { // as in the kinds Endpoints and PodMetrics
		if strings.HasSuffix(lower, plural) {
			return noun
		}
	}
	for _, sibilant := range []string{"s", "x", "z", "ch", "sh"} {
		if strings.HasSuffix(lower, sibilant) {
			return noun + "es"
		}
	}
	if stem := noun[:max(len(noun)-1, 0)]; strings.HasSuffix(lower, "y") && stem != "" && !strings.ContainsAny(stem[len(stem)-1:], "aeiouAEIOU") {
		return stem + "ies"
	}
	return noun + "s"
}

// And joins words into a text: "get, list and watch".
func And(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
