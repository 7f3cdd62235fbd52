package casefile

import (
	"fmt"
	"slices"

	"kstatus.dev/status/schema"
)

// A promise is a word for one part of what the schema of a kind declares, or what other objects of
// the kind have.
type promise struct {
	word  string
	field func(*schema.Expectation) *schema.Tristate
	value schema.Tristate
}

var promises = []promise{
	{"status", func(e *schema.Expectation) *schema.Tristate { return &e.Status }, schema.TristateYes},
	{"no-status", func(e *schema.Expectation) *schema.Tristate { return &e.Status }, schema.TristateNo},
	{"observedGeneration", func(e *schema.Expectation) *schema.Tristate { return &e.ObservedGeneration }, schema.TristateYes},
	{"conditions", func(e *schema.Expectation) *schema.Tristate { return &e.Conditions }, schema.TristateYes},
	{"subresource", func(e *schema.Expectation) *schema.Tristate { return &e.Subresource }, schema.TristateYes},
	{"no-subresource", func(e *schema.Expectation) *schema.Tristate { return &e.Subresource }, schema.TristateNo},
	{"others-status", func(e *schema.Expectation) *schema.Tristate { return &e.Peers.Status }, schema.TristateYes},
	{"others-no-status", func(e *schema.Expectation) *schema.Tristate { return &e.Peers.Status }, schema.TristateNo},
	{"others-observedGeneration", func(e *schema.Expectation) *schema.Tristate { return &e.Peers.ObservedGeneration }, schema.TristateYes},
}

// summary is the word for a schema that shows the condition Ready in a table.
const summary, summaryCondition = "summary", "Ready"

// promisesOf returns the words for an expectation.
func promisesOf(e schema.Expectation) (words []string) {
	for _, p := range promises {
		if *p.field(&e) == p.value {
			words = append(words, p.word)
		}
	}
	if e.SummaryCondition == summaryCondition {
		words = append(words, summary)
	}
	return words
}

// parsePromises returns the expectation for words.
func parsePromises(words []string) (e schema.Expectation, err error) {
	if len(words) == 0 {
		return e, nil
	}
	e.Source = "the definition of the kind"
	for _, word := range words {
		i := slices.IndexFunc(promises, func(p promise) bool { return p.word == word })
		switch {
		case i >= 0:
			*promises[i].field(&e) = promises[i].value
		case word == summary:
			e.SummaryCondition = summaryCondition
		default:
			return e, fmt.Errorf("#expect: unknown word %q", word)
		}
	}
	if e.Peers != (schema.Peers{}) {
		e.Peers.Example = "another object"
	}
	return e, nil
}
