package lint

import (
	"slices"

	"kstatus.dev/status"
)

// A stateMeaning is the meaning of a state word.
type stateMeaning int

const (
	stateUnknown stateMeaning = iota
	stateInProgress
	stateDone
	stateFailed
)

// stateFields are the fields with a state word.
var stateFields = []string{"phase", "state"}

// setState sets the state word of a kind without conditions, if the schema lists the words. The
// controller of such a kind reports nothing else. It takes the first word with the meaning. If
// no word is known to mean done, it takes the last one without another meaning.
func (x scenarioObject) setState(status map[string]any, meaning stateMeaning) {
	if x.version.Status().Property("conditions").Type() == "array" {
		return
	}
	for _, name := range stateFields {
		words := texts(x.version.Status().Property(name).Node["enum"])
		i := slices.IndexFunc(words, func(word string) bool { return x.version.stateMeaningOf(name, word) == meaning })
		if i < 0 && meaning == stateDone {
			for n, word := range words {
				if x.version.stateMeaningOf(name, word) == stateUnknown {
					i = n
				}
			}
		}
		if i >= 0 {
			status[name] = words[i]
		}
	}
}

// stateMeaningOf returns the meaning of a state word for kstatus, without other fields.
func (v Version) stateMeaningOf(field, word string) stateMeaning {
	o := v.NewObject()
	o["status"] = map[string]any{field: word}
	result, err := status.Evaluator{}.Compute(status.Map(o))
	switch {
	case err != nil:
	case result.Status == status.CurrentStatus && result.Confidence != status.ConfidenceAssumed:
		return stateDone
	case result.Status == status.FailedStatus, result.Failure != "":
		return stateFailed
	case result.Status == status.InProgressStatus:
		return stateInProgress
	}
	return stateUnknown
}
