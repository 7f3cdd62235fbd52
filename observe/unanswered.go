package observe

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"kstatus.dev/status"
)

// An outlook is the verdict that will hold from a time on if nothing changes.
type outlook struct {
	at     moment
	result status.Result
	fits   bool
	wants  string
}

// unanswered finds the verdict that an object will have if its controller goes
// on not to report what its schema promises.
//
//   - Without any report it is Current, as assumed, where the profile takes
//     assumptions.
//   - With conditions, but without an observed generation, nothing tells whether
//     they speak of the latest change. It stays InProgress, but says what to do.
func (r *record) unanswered(e status.Evaluator, u *Update, obj status.Object) {
	if r.terms.FirstStatus == 0 || u.Result.Reason != "NotObserved" || e.Expect == nil {
		return
	}
	e.Expect = nil
	bare, reported := without(obj, "status", "observedGeneration")
	plain, err := e.Compute(bare)
	if err != nil || plain.Reason == "NotObserved" {
		return
	}
	later := &outlook{at: r.first + moment(r.terms.FirstStatus)}
	switch assumed := plain.Confidence == status.Assumed; {
	case !assumed:
		later.result = neverAdvanced(u, *plain, r.terms.FirstStatus)
	case reported, plain.Status != status.CurrentStatus:
		return
	default:
		later.result = *plain
		later.result.Warnings = append(slices.Clip(u.Result.Warnings),
			fmt.Sprintf("in %s no controller has reported anything on it", r.terms.FirstStatus))
	}
	then := *u
	then.Result = later.result
	later.fits, later.wants = r.wish(&then, obj, false)
	r.outlook = later
}

// neverAdvanced is the verdict on an object with a status of which it is not
// told which generation it speaks of.
func neverAdvanced(u *Update, plain status.Result, after time.Duration) status.Result {
	result := u.Result
	result.Reason = "ObservedGenerationNeverAdvanced"
	result.Message = fmt.Sprintf("%s; %s; that has not come in %s and may never: wait for a condition of %s instead, or judge the kind by a rule of your own",
		plain.Message, u.Result.Message, after, u.Target.Kind)
	return result
}

// without returns an object without one of its fields, and whether it has it.
// The object itself stays as it is.
func without(obj status.Object, parent, field string) (status.Map, bool) {
	root := maps.Clone(obj.UnstructuredContent())
	inner, _ := root[parent].(map[string]any)
	if _, ok := inner[field]; !ok {
		return root, false
	}
	inner = maps.Clone(inner)
	delete(inner, field)
	root[parent] = inner
	return root, true
}
