package observe

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"kstatus.dev/status"
)

// An outlook is what speaks for an object apart from what its controller has
// not reported. It decides if that does not come in time.
type outlook struct {
	plain *status.Result
	fits  bool // the goals are met then
	wants string
}

// unanswered looks out for what to say of an object if its controller goes on
// not to report what its schema promises.
//
//   - Without any report it will be Current, as assumed, where the profile takes
//     assumptions.
//   - With conditions, but without an observed generation, nothing tells whether
//     they speak of the latest change. It stays InProgress, but says what to do.
func (d *desk) unanswered(r *record, u *Update, obj status.Object) {
	e := d.w.evaluator(u.Target.Cluster)
	if r.terms.FirstStatus == 0 || u.Result.Reason != "NotObserved" || e.Expect == nil {
		return
	}
	e.Expect = nil
	bare, reported := without(obj, "status", "observedGeneration")
	plain, err := e.Compute(bare)
	if err != nil || plain.Reason == "NotObserved" || plain.Confidence == status.Assumed && (reported || plain.Status != status.CurrentStatus) {
		return
	}
	l := &outlook{plain: plain}
	then := *u
	then.Result = l.over(u, r.terms.FirstStatus)
	l.fits, l.wants = r.wish(&then, obj, false)
	if plain.Confidence == status.Assumed && len(plain.Warnings) == 0 {
		if same := d.assumed; same != nil && same.plain.Message == plain.Message && same.fits == l.fits && same.wants == l.wants {
			l = same
		}
		d.assumed = l
	}
	r.outlook = l
}

// over is the verdict once the time for a first report is over.
func (l *outlook) over(u *Update, after time.Duration) status.Result {
	result := u.Result
	if l.plain.Confidence == status.Assumed {
		result = *l.plain
		result.Warnings = append(slices.Clip(u.Result.Warnings), fmt.Sprintf("in %s no controller has reported anything on it", after))
		return result
	}
	result.Reason = "ObservedGenerationNeverAdvanced"
	result.Message = fmt.Sprintf("%s; %s; that has not come in %s and may never: wait for a condition of %s instead, or judge the kind by a rule of your own",
		l.plain.Message, u.Result.Message, after, u.Target.Kind)
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
