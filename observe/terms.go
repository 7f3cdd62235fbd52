package observe

import (
	"fmt"
	"slices"
	"time"

	"kstatus.dev/status"
)

// Requirements say what one who waits asks of a target. The zero Terms ask that it be
// Current, whenever that is.
type Requirements struct {
	Goals   []Goal        // all must be met by the same version of an object; none: Current
	Any     bool          // one of the Goals is enough
	Grace   Grace         // nil: DefaultGrace, or for the terms of some targets that of all
	Timeout time.Duration // how long it may take from the start, or from when it joins its selection; 0: as the object asks, else for ever
	Settle  time.Duration // how long the Goals must be met without a break
	Latch   bool          // once met, it stays met until it fails, is changed or is replaced
	Ignore  bool          // it is not waited for, only shown

	// FirstStatus is how long a controller has to report anything at all on an
	// object whose kind promises that one will, unless the object asks for another
	// time. After that the object is Current, as assumed, except where the profile
	// takes no assumption, or where it is known that the controller does report. 0:
	// for ever.
	FirstStatus time.Duration
}

// withDefaults returns the terms with defaults for what is not set.
func (t Requirements) withDefaults() Requirements {
	if len(t.Goals) == 0 {
		t.Goals = []Goal{current}
	}
	if t.Grace == nil {
		t.Grace = DefaultGrace()
	}
	return t
}

// awaitsAbsence reports whether a goal is that objects go away.
func (t *Requirements) awaitsAbsence() bool {
	return slices.ContainsFunc(t.Goals, func(g Goal) bool { return g.Absence })
}

// toleratesFailure reports whether the wait goes on although an object fails.
func (t *Requirements) toleratesFailure() bool {
	return slices.ContainsFunc(t.Goals, func(g Goal) bool { return g.Absence || g.ToleratesFailure })
}

// termsOf returns the terms for a target. Targets that share their terms share
// the completed ones as well.
func (tr *tracker) termsOf(t Target) *Requirements {
	if tr.watcher.RequirementsFor == nil {
		return &tr.watcher.Requirements
	}
	own := tr.watcher.RequirementsFor(t)
	if own == nil {
		return &tr.watcher.Requirements
	}
	if tr.ownTerms[own] == nil {
		if tr.ownTerms == nil {
			tr.ownTerms = map[*Requirements]*Requirements{}
		}
		complete := *own
		if complete.Grace == nil {
			complete.Grace = tr.watcher.Requirements.Grace
		}
		complete = complete.withDefaults()
		tr.ownTerms[own] = &complete
	}
	return tr.ownTerms[own]
}

// The annotations by which an object asks for terms of its own.
const (
	ignoreAnnotation      = "kstatus.dev/ignore"       // "true": nobody waits for it
	timeoutAnnotation     = "kstatus.dev/timeout"      // as Terms.Within, where that is not set, such as "10m"
	firstStatusAnnotation = "kstatus.dev/first-status" // as Terms.FirstStatus, such as "1s" where nobody will report
)

// readAnnotations sets what the object's annotations request, and returns a
// warning for each annotation that is not valid.
func (st *targetState) readAnnotations(obj status.Object) (warnings []string) {
	meta, _ := obj.UnstructuredContent()["metadata"].(map[string]any)
	notes, _ := meta["annotations"].(map[string]any)
	r := &st.requested
	r.ignore, r.timeout, r.firstStatus = r.terms.Ignore, r.terms.Timeout, r.terms.FirstStatus
	switch v := notes[ignoreAnnotation]; v {
	case "true":
		r.ignore = true
	case nil, "false":
	default:
		warnings = append(warnings, fmt.Sprintf("annotation %s: want true or false, have %q", ignoreAnnotation, v))
	}
	duration := func(annotation string, least time.Duration, into *time.Duration) {
		text, ok := notes[annotation].(string)
		if !ok {
			return
		}
		d, err := time.ParseDuration(text)
		if err != nil || d < least {
			warnings = append(warnings, fmt.Sprintf("annotation %s: want a duration such as 10m, have %q", annotation, text))
			return
		}
		*into = d
	}
	own := time.Duration(0)
	if duration(timeoutAnnotation, 1, &own); r.timeout == 0 {
		r.timeout = own
	}
	duration(firstStatusAnnotation, 0, &r.firstStatus)
	return warnings
}
