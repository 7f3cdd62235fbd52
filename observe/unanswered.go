package observe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"kstatus.dev/status"
)

// An outlook is what speaks for an object apart from what its controller has
// not reported. It decides if that does not come in time.
type outlook struct {
	plain      *status.Result
	apiVersion string
	missing    string // what has not been reported
	silent     bool   // no controller has written anything
	unseen     bool   // no controller has said which generation it has observed, and one should
	announced  bool   // the schema says of each new object that a controller is to come
	fits       bool   // the goals are met then
	wants      string
}

// unanswered looks out for what to say of an object if its controller goes on
// not to report what its kind promises.
//
//   - Without any report it is Current, as assumed: nobody may be there to report.
//   - With conditions, but without an observed generation, it is where they say.
//     If that is Current it is assumed, since nothing tells whether they speak of
//     the latest change.
//   - With conditions of which none is known to sum it up it is Current, as
//     assumed, and so is what is to run to an end without a word of it.
//   - With a rule of a user it is where that says, assumed in the same way.
//   - It goes on to be waited for where the profile takes no assumption, where the
//     schema's own defaults say that a controller is to come, and where others of
//     the kind show that there is one which does report.
func (d *desk) unanswered(r *record, u *Update, obj status.Object) {
	if r.firstStatus == 0 || !slices.Contains([]string{"NotObserved", "NoSummary", "NotStarted"}, u.Result.Reason) {
		return
	}
	e := d.w.evaluator(u.Target.Cluster)
	version, _ := obj.UnstructuredContent()["apiVersion"].(string)
	l := &outlook{apiVersion: version, missing: u.Result.Message}
	if e.Expect != nil {
		l.announced = e.Expect(version, u.Target.Kind.Kind).Defaults
	}
	e.Expect = nil
	bare, reported := without(obj, "status", "observedGeneration")
	plain, err := e.Compute(bare)
	if err != nil {
		return
	}
	u.Result.Recheck = cmp.Or(u.Result.Recheck, plain.Recheck)
	demanded := plain.Rule == "kind" && u.Result.Confidence == status.Explicit // by the API itself, not by its schema
	if plain.Reason == "NotObserved" || demanded {
		return
	}
	l.plain, l.unseen = plain, u.Result.Reason == "NotObserved" && u.Version.Observed <= 0
	switch status.Written(obj) {
	case status.False:
		l.silent = true
	case status.Unknown:
		l.silent = plain.Confidence == status.Assumed && plain.Reason != "NoSummary"
	}
	l.announced = l.silent && (l.announced || reported) // only a default would say that and nothing else
	if !l.announced {
		retell(&u.Result, fmt.Sprintf("%s; it has %s for that (--first-status, annotation %s)", l.missing, r.firstStatus, firstStatusAnnotation))
	}
	then := *u
	then.Result = d.assume(l, u, r.firstStatus)
	l.fits, l.wants = r.wish(&then, obj, false)
	r.outlook = d.shared(l)
}

// shared returns an outlook that is the same, as most are.
func (d *desk) shared(l *outlook) *outlook {
	if len(l.plain.Warnings) > 0 {
		return l
	}
	if d.outlook != nil {
		same := *d.outlook
		if x, y := same.plain, l.plain; x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message &&
			x.Failure == y.Failure && x.Suspended == y.Suspended && x.Confidence == y.Confidence {
			same.plain = l.plain
		}
		if same == *l {
			return d.outlook
		}
	}
	d.outlook = l
	return l
}

// over makes the verdict once the time for a first report is over, and returns
// whether the goals are met.
func (d *desk) over(r *record, u *Update, fits bool) bool {
	l, after := r.outlook, r.firstStatus
	if l.announced {
		u.Result.Reason = "NoControllerEvidence"
		retell(&u.Result, fmt.Sprintf("%s; not in %s, although the defaults of its schema announce a controller", l.missing, after))
		return fits
	}
	var others status.Others
	if e := d.w.evaluator(u.Target.Cluster); e.Expect != nil {
		others = e.Expect(l.apiVersion, u.Target.Kind.Kind).Others
	}
	if l.silent && others.Status == status.Promised || l.unseen && others.ObservedGeneration == status.Promised {
		retell(&u.Result, fmt.Sprintf("%s; not in %s, although %s has it", l.missing, after, others.Example))
		return fits
	}
	u.Result, u.Wants = d.assume(l, u, after), l.wants
	return l.fits
}

// assume is the verdict on an object without what has not been reported.
func (d *desk) assume(l *outlook, u *Update, after time.Duration) status.Result {
	result, reason := *l.plain, "ObservedGenerationNeverAdvanced"
	switch {
	case l.silent:
		reason = "NoControllerEvidence"
	case result.Reason == "NoSummary":
		reason = "NoEvidence"
	case !l.unseen: // it is something else that has not come
		reason = result.Reason
	}
	result.Warnings = append(slices.Clip(result.Warnings), fmt.Sprintf("waited for %s in vain: %s", after, l.missing))
	if result.Status == status.CurrentStatus || result.Confidence == status.Assumed {
		result.Status, result.Reason, result.Confidence = status.CurrentStatus, reason, status.Assumed
		if word, ok := d.w.Evaluator.Profile.Words()[reason]; ok {
			result.Status = word
		}
	}
	return result
}

// retell gives a verdict another message.
func retell(r *status.Result, message string) {
	r.Message, r.Conditions = message, slices.Clone(r.Conditions)
	for i := range r.Conditions {
		r.Conditions[i].Message = message
	}
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
