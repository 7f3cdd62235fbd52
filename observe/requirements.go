package observe

import (
	"fmt"
	"slices"
	"time"

	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// Requirements say what a wait requires of a target. The zero Requirements are
// that it is Current, with the default grace and no timeout.
type Requirements struct {
	Goals []Goal // the goals, all of which the same version of the object must meet; none: that it is Current
	Any   bool   // one of the Goals is enough

	// Grace says for how long a failure that may recover must last without a break
	// before it counts, by the reason of the verdict. The empty reason is for all
	// reasons that are not in the map; without it, those count at once. Nil is
	// grace.Default, or for a single target the grace of the Watcher's Requirements.
	//
	// The profile of the Evaluator has windows of its own, which come first: no
	// grace makes a failure count before its verdict is Failed.
	Grace map[string]time.Duration

	Timeout time.Duration // limits how long it may take, from the start or from when it joins its selection; 0: the object's annotation, or no limit
	Settle  time.Duration // how long the Goals must be met without a break
	Latch   bool          // a target that has met the Goals keeps that until it fails, is changed or is replaced
	Ignore  bool          // the wait reports the target, but does not wait for it

	// FirstStatus is how long a controller has for its first report on an object
	// whose kind promises one. After that the object is Current, with confidence
	// Assumed. The wait goes on instead if the profile does not take assumptions, or
	// if it is known that the controller does report. The object's annotation takes
	// precedence. 0 is no limit.
	FirstStatus time.Duration
}

// withDefaults returns the requirements with defaults for what is not set.
func (t Requirements) withDefaults() Requirements {
	if len(t.Goals) == 0 {
		t.Goals = []Goal{current}
	}
	if t.Grace == nil {
		t.Grace = grace.Default()
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

// requirementsOf returns the requirements for a target. Targets that share their
// requirements share the completed ones as well.
func (tr *tracker) requirementsOf(t Target) *Requirements {
	if tr.watcher.RequirementsFor == nil {
		return &tr.watcher.Requirements
	}
	own := tr.watcher.RequirementsFor(t)
	if own == nil {
		return &tr.watcher.Requirements
	}
	if tr.ownRequirements[own] == nil {
		if tr.ownRequirements == nil {
			tr.ownRequirements = map[*Requirements]*Requirements{}
		}
		complete := *own
		if complete.Grace == nil {
			complete.Grace = tr.watcher.Requirements.Grace
		}
		complete = complete.withDefaults()
		tr.ownRequirements[own] = &complete
	}
	return tr.ownRequirements[own]
}

// The annotations by which an object sets requirements of its own.
const (
	ignoreAnnotation      = "kstatus.dev/ignore"       // "true": waits do not wait for it
	timeoutAnnotation     = "kstatus.dev/timeout"      // Requirements.Timeout, if that is zero, such as "10m"
	firstStatusAnnotation = "kstatus.dev/first-status" // Requirements.FirstStatus, such as "1s" if no controller will report
)

// readAnnotations sets what the object's annotations request, and returns a
// warning for each annotation that is not valid.
func (st *targetState) readAnnotations(obj status.Object) (warnings []string) {
	meta, _ := obj.UnstructuredContent()["metadata"].(map[string]any)
	notes, _ := meta["annotations"].(map[string]any)
	r := &st.requested
	r.ignore, r.timeout, r.firstStatus = r.requirements.Ignore, r.requirements.Timeout, r.requirements.FirstStatus
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
