package status

import (
	"time"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/directive"
)

// A Status is the verdict on an object in one word.
type Status string

// String returns the word itself.
func (s Status) String() string { return string(s) }

// The six statuses. NotFoundStatus is never computed from an object; a caller that looks for an
// object reports it.
const (
	InProgressStatus  Status = "InProgress"
	FailedStatus      Status = "Failed"
	CurrentStatus     Status = "Current"
	TerminatingStatus Status = "Terminating"
	NotFoundStatus    Status = "NotFound"
	UnknownStatus     Status = "Unknown"
)

// Statuses returns the six statuses, the worst first.
func Statuses() []Status {
	return []Status{FailedStatus, UnknownStatus, TerminatingStatus, NotFoundStatus, InProgressStatus, CurrentStatus}
}

// A Result is the verdict on an object, with its evidence.
type Result struct {
	Status     Status      `json:"status"`
	Reason     string      `json:"reason"`     // CamelCase word for programs, a name in [Profile.Reasons]; stable
	Message    string      `json:"message"`    // one line for users; may change between releases
	Conditions []Condition `json:"-"`          // Reconciling or Stalled, if the result implies one of them
	Failure    Failure     `json:"failure"`    // whether the problem can be solved without a user
	Suspended  Suspension  `json:"suspended"`  // what suspends the object
	Confidence Confidence  `json:"confidence"` // the kind of evidence behind the result
	// the stage that decided, such as "kind" or "generation", see [Evaluator.Compute]; in the stage
	// "report" also the kind of evidence, such as "state word"
	Rule string `json:"rule"`
	// the origin of a user's rule that decided: a file and a line, or an annotation
	RuleSource string        `json:"ruleSource,omitempty"`
	Since      int64         `json:"-"` // when the condition that decided last changed, in seconds since 1970; zero if none did
	Recheck    time.Duration `json:"-"` // if not zero, compute the status again after this time, even without a change
	// oddities that did not decide: malformed conditions, problems that do not block
	Warnings []string `json:"warnings,omitempty"`
	// why a Current object may not do what its user expects, such as old Pods that remain; may be empty
	Caveat string `json:"caveat,omitempty"`
}

// AllWarnings returns the caveat and the warnings of a result, and the suspension of an object that
// its user suspends. It leaves out notes about annotations of kstatus.
func (r Result) AllWarnings() (all []string) {
	switch {
	case r.Caveat != "":
		all = append(all, r.Caveat)
	case r.Status == CurrentStatus && r.Suspended == SuspendedByUser && r.Reason != ReasonScaledToZero:
		all = append(all, r.Message)
	}
	for _, w := range r.Warnings {
		if !directive.IsNote(w) {
			all = append(all, w)
		}
	}
	return all
}

// A Failure says whether a problem can be solved without a user. It is empty if the object has
// no problem.
type Failure string

// The classes of failure. An object that is InProgress with a recoverable failure has a problem
// that has not lasted long enough to be Failed.
const (
	FailureRecoverable Failure = "recoverable" // its controller keeps trying
	FailureTerminal    Failure = "terminal"    // no controller can leave this state; a user must act
)

// A Suspension says what suspends an object. It is empty if nothing does.
type Suspension string

// The kinds of suspension. An object that its user or its design suspends is Current. An object
// that another controller suspends is InProgress, since its user did not request that.
const (
	SuspendedByUser       Suspension = "asked"     // the spec requests it: paused, suspend, replicas 0
	SuspendedByDesign     Suspension = "by-design" // the kind waits for another object first, such as a claim for its first Pod
	SuspendedByController Suspension = "imposed"   // another controller holds it: a queue, a scheduling gate
)

// A Confidence is the kind of evidence behind a result.
type Confidence string

// The levels of confidence, highest first.
const (
	ConfidenceExplicit Confidence = "explicit" // the kind's own API defines these fields to mean this
	ConfidenceStrong   Confidence = "strong"   // a summary condition of its controller, for this generation or without one
	// conditions or an observed generation that may be incomplete, or a rule of the object itself
	ConfidenceMedium  Confidence = "medium"
	ConfidenceAssumed Confidence = "assumed" // its status does not show whether it is ready
)

// The types of the standard conditions. They exist, with the status "True", only while
// an object is not Current.
const (
	ConditionStalled     = "Stalled"
	ConditionReconciling = "Reconciling"
)

// A ConditionStatus is the status of a condition: "True", "False" or "Unknown", as
// metav1.ConditionStatus has them. It is empty if there is no condition.
type ConditionStatus string

const (
	conditionTrue    ConditionStatus = "True"
	conditionFalse   ConditionStatus = "False"
	conditionUnknown ConditionStatus = "Unknown"
)

// A Condition is one entry of a list of conditions. The zero Condition means that the condition
// does not exist.
type Condition struct {
	Type    string
	Status  ConditionStatus
	Reason  string
	Message string
	Since   string // lastTransitionTime as written; empty if unknown
	Stale   bool   // its observedGeneration is older than the object's generation
}

// Is reports whether the condition exists with that status and is about the
// object's current generation.
func (c Condition) Is(t ConditionStatus) bool { return c.Status == t && !c.Stale }

// Text returns the message of the condition, else its reason.
func (c Condition) Text() string {
	switch {
	case c.Message != "":
		return c.Message
	case c.Reason != "":
		return c.Reason
	}
	return string(c.Type) + " is " + string(c.Status)
}

// Sentence returns the condition as a sentence: "Ready is False: no route".
func (c Condition) Sentence() string {
	if c.Message == "" && c.Reason == "" {
		return c.Text()
	}
	return string(c.Type) + " is " + string(c.Status) + ": " + c.Text()
}

// Current returns a result for an object that is as its spec says. In all these functions the
// format is the message itself if args is empty.
func Current(reason, format string, args ...any) Result {
	return Result{Status: CurrentStatus, Reason: reason, Message: sprintf(format, args)}
}

// by returns the result with the condition that decided.
func (r Result) by(c Condition) Result {
	r.Since = condition.Seconds(c.Since)
	return r
}

// WithCaveat returns the result with one more caveat.
func (r Result) WithCaveat(caveat string) Result {
	if r.Caveat != "" {
		caveat = r.Caveat + "; " + caveat
	}
	r.Caveat = caveat
	return r
}

// InProgress returns a result for an object that is not as its spec says yet.
func InProgress(reason, format string, args ...any) Result {
	return Result{Status: InProgressStatus, Reason: reason, Message: sprintf(format, args)}
}

// FailedRecoverable returns a result for a problem that can be solved without a user: the
// controller keeps trying, or another controller may solve it.
func FailedRecoverable(reason, format string, args ...any) Result {
	return Result{Status: FailedStatus, Reason: reason, Message: sprintf(format, args), Failure: FailureRecoverable}
}

// FailedTerminal returns a result for an object that does not become Current unless a user
// changes it.
func FailedTerminal(reason, format string, args ...any) Result {
	return Result{Status: FailedStatus, Reason: reason, Message: sprintf(format, args), Failure: FailureTerminal}
}

// Suspended returns a result for a suspended object. One that another controller suspends is
// InProgress, any other Current.
func Suspended(by Suspension, reason, format string, args ...any) Result {
	r := Result{Status: CurrentStatus, Reason: reason, Message: sprintf(format, args), Suspended: by}
	if by == SuspendedByController {
		r.Status = InProgressStatus
	}
	return r
}

// conditionsFor returns the standard condition for r.
func (p *profileData) conditionsFor(r *Result) []Condition {
	switch r.Status {
	case InProgressStatus:
		return []Condition{{Type: p.reconciling, Status: conditionTrue, Reason: r.Reason, Message: r.Message}}
	case FailedStatus:
		return []Condition{{Type: p.stalled, Status: conditionTrue, Reason: r.Reason, Message: r.Message}}
	}
	return []Condition{}
}
