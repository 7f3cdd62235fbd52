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

// Requirements say what a wait requires of a target. The zero Requirements are that it is
// Current, with the default grace and without a timeout.
type Requirements struct {
	Goals []Goal // the goals, all of which the same version of the object must meet; none: that it is Current
	Any   bool   // one of the Goals is enough

	// Grace is how long a recoverable failure must last without interruption before it counts, by
	// the reason of the verdict. The empty reason is for all reasons that are not in the map;
	// without it, those count at once. Nil is grace.Default, or for a single target the grace of
	// the Watcher's Requirements.
	//
	// It replaces the window that the profile of the Evaluator has for the reason, unless it is
	// grace.Window.
	Grace map[string]time.Duration

	Timeout time.Duration // maximum time, from the start or from when it joins its selection; 0: no limit
	Settle  time.Duration // how long the Goals must be met without interruption
	Latch   bool          // a target that has met the Goals keeps that state until it fails, is changed or is replaced
	Ignore  bool          // the wait reports the target, but does not wait for it

	// Optional ignores the target while it does not exist and has never been seen.
	Optional bool

	// KeepDeleted keeps objects that are being deleted in their selection until they no longer
	// exist. Without it they leave the selection at once, unless the wait is for their deletion,
	// ignores them, or they had completed.
	KeepDeleted bool

	// FirstStatus is how long a controller has for its first report on an object whose schema
	// declares one. After that the object is Current, with confidence Assumed. The wait continues
	// instead if the profile does not assume Current, or if the controller is known to report. 0 is
	// no limit.
	FirstStatus time.Duration

	// ObjectDirectives enables annotations of objects: kstatus.dev/ignore sets Ignore,
	// kstatus.dev/timeout the Timeout if that is zero, and kstatus.dev/first-status FirstStatus.
	// Users that may change an object can then exclude it from the wait. A warning of the verdict
	// says what an annotation has changed or, without ObjectDirectives, that it was not used.
	ObjectDirectives bool
}

// withDefaults returns the requirements with defaults for missing values.
func (t Requirements) withDefaults() Requirements {
	if len(t.Goals) == 0 {
		t.Goals = []Goal{current}
	}
	if t.Grace == nil {
		t.Grace = grace.Default()
	}
	return t
}

// awaitsAbsence reports whether a goal is the absence of objects.
func (t *Requirements) awaitsAbsence() bool {
	return slices.ContainsFunc(t.Goals, func(g Goal) bool { return g.Absence })
}

// toleratesFailure reports whether the wait continues after a failure.
func (t *Requirements) toleratesFailure() bool {
	return slices.ContainsFunc(t.Goals, func(g Goal) bool { return g.Absence || g.ToleratesFailure })
}

// isFinal reports whether an object that has completed meets the goals at once, or never.
func (t *Requirements) isFinal() bool {
	return len(t.Goals) > 0 && !slices.ContainsFunc(t.Goals, func(g Goal) bool { return !g.Final })
}

// requirementsOf returns the requirements of a target. Targets with the same requirements share
// the completed ones too.
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

// readAnnotations applies the object's annotations, if they are enabled. It returns a warning
// for each annotation that applies or would apply, and for each invalid one.
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
		add(directive.Timeout, fmt.Sprintf("its timeout is %s", own.Timeout))
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

// A Goal is a state of an object that a wait can wait for. Package observe/goal has the usual
// ones. Any predicate can be a goal: see the example.
type Goal struct {
	Name string // the name as the command line spells it, such as "current"

	// Met reports whether the object meets the goal. If not, it may also return in a few words what
	// it has found, if the verdict does not contain it. The object is nil if it does not exist. Met
	// may read the object, but must neither change nor keep it.
	//
	// Met is called whenever the object is judged, by one goroutine at a time. Previous, Since and
	// Progress of the Update are not set then.
	Met func(Update, status.Object) (met bool, found string)

	Absence          bool // the goal is that the object does not exist, so a failure does not end the wait
	ToleratesFailure bool // a failure does not end the wait
	Final            bool // an object that has completed meets the goal at once, or never
}

// IsCurrent reports whether the target is Current, or had completed and was then
// removed. It is the goal of a wait without Goals.
func (u Update) IsCurrent() bool {
	return u.Result.Status == status.CurrentStatus || u.Result.Reason == status.ReasonExpiredTTL
}

// current is the goal of targets that have no other.
var current = Goal{Name: "current", Met: func(u Update, _ status.Object) (bool, string) { return u.IsCurrent(), "" }}

// graceOf returns the grace of a failure, by the reason of its verdict.
func graceOf(byReason map[string]time.Duration, reason string) time.Duration {
	if d, ok := byReason[reason]; ok {
		return d
	}
	return byReason[""]
}
