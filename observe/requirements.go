package observe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/directive"
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
	// It takes the place of the window that the profile of the Evaluator has for the
	// reason, unless it is grace.Window.
	Grace map[string]time.Duration

	Timeout time.Duration // limits how long it may take, from the start or from when it joins its selection; 0: no limit
	Settle  time.Duration // how long the Goals must be met without a break
	Latch   bool          // a target that has met the Goals keeps that until it fails, is changed or is replaced
	Ignore  bool          // the wait reports the target, but does not wait for it

	// Optional ignores the target while it does not exist and has never been seen.
	Optional bool

	// KeepDeleted keeps objects that are being deleted in their selection until they do not
	// exist any more. Without it they leave the selection at once, unless they are waited for
	// to be deleted, are ignored, or had completed.
	KeepDeleted bool

	// FirstStatus is how long a controller has for its first report on an object
	// whose kind promises one. After that the object is Current, with confidence
	// Assumed. The wait goes on instead if the profile does not take assumptions, or
	// if it is known that the controller does report. 0 is no limit.
	FirstStatus time.Duration

	// ObjectDirectives makes annotations of objects count: kstatus.dev/ignore sets Ignore,
	// kstatus.dev/timeout the Timeout if that is zero, and kstatus.dev/first-status
	// FirstStatus. Whoever may change an object can then keep the wait from waiting for it. A
	// warning of the verdict says what an annotation has changed or, without ObjectDirectives,
	// that it was not used.
	ObjectDirectives bool
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

// readAnnotations sets what the object's annotations request, if that is to count. It
// returns a warning for each annotation that counts or would, and for each that is not valid.
func (st *targetState) readAnnotations(obj status.Object) (warnings []string) {
	r, given := &st.requested, st.requested.requirements
	r.ignore, r.timeout, r.firstStatus = given.Ignore, given.Timeout, given.FirstStatus
	own, problems := directive.Of(obj.UnstructuredContent())
	var effects, unused []string
	add := func(annotation, effect string) {
		effects = append(effects, fmt.Sprintf("%s, by its annotation %s", effect, annotation))
		unused = append(unused, annotation)
	}
	if own.Ignore && !given.Ignore {
		add(directive.Ignore, "it is not waited for")
	}
	if own.Timeout != 0 && given.Timeout == 0 && !given.Ignore {
		add(directive.Timeout, fmt.Sprintf("it has %s", own.Timeout))
	}
	if own.FirstStatus != nil && *own.FirstStatus != given.FirstStatus && !given.Ignore {
		add(directive.FirstStatus, fmt.Sprintf("its controller has %s for a first report", *own.FirstStatus))
	}
	switch {
	case given.ObjectDirectives:
		r.ignore = r.ignore || own.Ignore
		r.timeout = cmp.Or(r.timeout, own.Timeout)
		if own.FirstStatus != nil {
			r.firstStatus = *own.FirstStatus
		}
		return append(effects, problems...)
	case len(unused) == 1:
		return []string{fmt.Sprintf("its annotation %s was not used; kstatus wait uses it with --object-directives", unused[0])}
	case len(unused) > 1:
		return []string{fmt.Sprintf("its annotations %s were not used; kstatus wait uses them with --object-directives", strings.Join(unused, ", "))}
	}
	return nil
}
