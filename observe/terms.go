package observe

import (
	"fmt"
	"time"

	"kstatus.dev/status"
)

// Terms say what one who waits asks of a target. The zero Terms ask that it be
// Current, whenever that is.
type Terms struct {
	Goals  []Goal        // all must be met by the same version of an object; none: Current
	Any    bool          // one of the Goals is enough
	Grace  Grace         // nil: DefaultGrace
	Within time.Duration // how long it may take from the start; 0: as long as it takes
	Settle time.Duration // how long the Goals must be met without a break
	Latch  bool          // once met, it stays met until it fails, is changed or is replaced
	Ignore bool          // it is not waited for, only shown

	// FirstStatus is how long a controller has to report anything at all on an
	// object whose schema promises that one will. After that the object is
	// Current, as assumed, except where the profile takes no assumption. 0: for ever.
	FirstStatus time.Duration
}

// complete returns the terms with what is not set as it is by default.
func (t Terms) complete() Terms {
	if len(t.Goals) == 0 {
		t.Goals = []Goal{Current()}
	}
	if t.Grace == nil {
		t.Grace = DefaultGrace()
	}
	return t
}

// absence reports whether a goal is that objects go away.
func (t *Terms) absence() bool {
	for _, g := range t.Goals {
		if g.Absence {
			return true
		}
	}
	return false
}

// A Floor is the version that an object must have reached at least, so that a
// status from before a change is not taken for one of after it. What is zero
// asks for nothing.
type Floor struct {
	UID             string
	Generation      int64
	ResourceVersion string
}

// termsOf returns the terms for a target. Terms that are shared stay so.
func (d *desk) termsOf(t Target) *Terms {
	if d.w.For == nil {
		return &d.w.Terms
	}
	own := d.w.For(t)
	if own == nil {
		return &d.w.Terms
	}
	if d.terms[own] == nil {
		if d.terms == nil {
			d.terms = map[*Terms]*Terms{}
		}
		complete := own.complete()
		d.terms[own] = &complete
	}
	return d.terms[own]
}

// under holds a verdict back that is on an object from before the floor.
func (f Floor) under(u *Update) {
	v := u.Version
	switch {
	case u.Result.Status == status.UnknownStatus, u.Result.Status == status.NotFoundStatus:
	case f.UID != "" && v.UID != f.UID:
		u.Result = status.Result{Status: status.NotFoundStatus, Reason: "Replaced", Confidence: status.Explicit,
			Message: "another object has its name, with UID " + v.UID}
	}
}

// The annotations by which an object asks for terms of its own.
const (
	ignoreAnnotation  = "kstatus.dev/ignore"  // "true": nobody waits for it
	timeoutAnnotation = "kstatus.dev/timeout" // as Terms.Within, such as "10m"
)

// asked takes the terms that the object itself asks for.
func (r *record) asked(obj status.Object) {
	meta, _ := obj.UnstructuredContent()["metadata"].(map[string]any)
	notes, _ := meta["annotations"].(map[string]any)
	text, _ := notes[ignoreAnnotation].(string)
	r.ignore = r.terms.Ignore || text == "true"
	r.within = r.terms.Within
	if text, ok := notes[timeoutAnnotation].(string); ok {
		if d, err := time.ParseDuration(text); err == nil && d > 0 {
			r.within = d
		}
	}
}

// unanswered replaces the verdict on an object on which no controller has
// reported what its schema promises, when that has lasted too long. It returns
// whether it is to be asked again.
func (r *record) unanswered(w *Watcher, u *Update, s Sighting, now time.Time) bool {
	if r.terms.FirstStatus == 0 || u.Result.Reason != "NotObserved" || w.Evaluator.Expect == nil {
		return false
	}
	plain := *w
	plain.Evaluator.Expect = nil
	result, _ := plain.verdict(s)
	if result.Reason == "NotObserved" {
		return false
	}
	if over := r.first.Add(r.terms.FirstStatus); now.Before(over) {
		r.wake(over)
		return true
	}
	if result.Confidence != status.Assumed {
		u.Result.Reason = "ObservedGenerationNeverAdvanced"
		return false
	}
	result.Warnings = append(result.Warnings, fmt.Sprintf("in %s no controller has reported anything on it", r.terms.FirstStatus))
	u.Result = result
	return false
}
