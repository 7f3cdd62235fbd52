package explain

import (
	"testing"

	"kstatus.dev/status"
)

// What explains a Current object is also a warning of its verdict, so that commands without
// explanations have it. An explanation of several objects has the first cause that an explanation of
// each object has.
func TestVerdictsHaveWhatExplanationsHave(t *testing.T) {
	for _, file := range caseFiles(t) {
		t.Run(caseName(file), func(t *testing.T) {
			facts, requested := readCase(t, file)
			together := Explain(facts, requested...)
			for i, s := range together.Subjects {
				alone := Explain(facts, requested[i])
				if have, want := firstCause(together, s), firstCause(alone, alone.Subjects[0]); have != want && !dependOnOthers[caseName(file)] {
					t.Errorf("%s has the first cause %s, and alone %s", s.ID, have, want)
				}
				if s.Status != status.CurrentStatus || s.Assumed || len(s.Causes) == 0 || onlyExplained[together.Causes[s.Causes[0]].Kind] {
					continue
				}
				result := status.Result{}
				for _, o := range facts.Objects {
					if o.ID == s.ID {
						result = o.Result
					}
				}
				if result.Caveat = s.Caveat; len(result.AllWarnings()) == 0 {
					t.Errorf("%s is Current without a warning, and has the cause %s", s.ID, firstCause(together, s))
				}
			}
		})
	}
}

// onlyExplained are the kinds of causes of Current objects that are no warnings: not every controller
// publishes an address.
var onlyExplained = map[string]bool{"AddressMissing": true}

// dependOnOthers are the cases in which more facts give a better first cause. In one, two objects wait
// for each other. In the other, only one of two Pods has the reason why an image cannot be pulled.
var dependOnOthers = map[string]bool{"flux_suspended": true, "image_told_by_some": true}

// firstCause returns the first cause of an object in an explanation.
func firstCause(e *Explanation, s Subject) string {
	if len(s.Causes) == 0 {
		return "none"
	}
	return e.Causes[s.Causes[0]].Kind + ": " + e.Causes[s.Causes[0]].Text
}
