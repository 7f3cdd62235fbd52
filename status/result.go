package status

import "time"

// A Status is the one-word answer.
type Status string

// String returns the word itself.
func (s Status) String() string { return string(s) }

// The six statuses. NotFoundStatus is never computed from an object; what
// looks for one reports it.
const (
	InProgressStatus  Status = "InProgress"
	FailedStatus      Status = "Failed"
	CurrentStatus     Status = "Current"
	TerminatingStatus Status = "Terminating"
	NotFoundStatus    Status = "NotFound"
	UnknownStatus     Status = "Unknown"
)

// Statuses lists the six words, the worst first.
func Statuses() []Status {
	return []Status{FailedStatus, UnknownStatus, TerminatingStatus, NotFoundStatus, InProgressStatus, CurrentStatus}
}

// A Result is an answer with its grounds.
type Result struct {
	Status     Status        `json:"status"`
	Reason     string        `json:"reason"`               // CamelCase word for programs, one of [Profile.Reasons]; stable
	Message    string        `json:"message"`              // one line for people; may change between releases
	Conditions []Condition   `json:"-"`                    // Reconciling or Stalled, where the result is one of them
	Failure    Failure       `json:"failure"`              // whether what is wrong can heal by itself
	Suspended  Suspension    `json:"suspended"`            // whether a stop is meant, and by whom
	Confidence Confidence    `json:"confidence"`           // what kind of evidence carried the answer
	Rule       string        `json:"rule"`                 // which question decided, such as "kind" or "generation", see [Evaluator.Compute]; for the question "report" what kind of sign, such as "state word"
	RuleSource string        `json:"ruleSource,omitempty"` // where the rule is that decided, if it is a user's: a file and a line, or an annotation
	Recheck    time.Duration `json:"-"`                    // if not zero, ask again then even if nothing changed
	Warnings   []string      `json:"warnings,omitempty"`   // what is odd but did not decide: malformed conditions, trouble that does not block
	Caveat     string        `json:"caveat,omitempty"`     // why a Current object may not do what its user expects, such as Pods of a former template that stay; empty if nothing is known
}

// A Failure says whether what is wrong can heal without a user. It is empty if nothing
// is wrong.
type Failure string

// The classes of failure. An object that is InProgress with a recoverable failure
// fails, but not for long enough yet to be Failed.
const (
	FailureRecoverable Failure = "recoverable" // its controller keeps trying
	FailureTerminal    Failure = "terminal"    // no controller can leave this state; a user must act
)

// A Suspension says what suspends an object. It is empty if nothing does.
type Suspension string

// The kinds of suspension. An object that its user or its design suspends is Current. One
// that another controller suspends is InProgress, since its user did not request that.
const (
	SuspendedByUser       Suspension = "asked"     // the spec requests it: paused, suspend, replicas 0
	SuspendedByDesign     Suspension = "by-design" // the kind waits for another object first, as a claim for its first Pod
	SuspendedByController Suspension = "imposed"   // another controller holds it: a queue, a scheduling gate
)

// A Confidence says which kind of evidence carried an answer.
type Confidence string

// The levels of confidence, the surest first.
const (
	ConfidenceExplicit Confidence = "explicit" // the kind's own API defines these fields to mean this
	ConfidenceStrong   Confidence = "strong"   // a summary condition of its controller, for this generation or without one
	ConfidenceMedium   Confidence = "medium"   // conditions or an observed generation that are not known to be the whole truth, or a rule of the object itself
	ConfidenceAssumed  Confidence = "assumed"  // nothing spoke for or against it
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

// A Condition is one entry of a list of conditions. The zero Condition means that
// there is none.
type Condition struct {
	Type    string
	Status  ConditionStatus
	Reason  string
	Message string
	Since   string // lastTransitionTime as written; empty if unknown
	Stale   bool   // it carries an observedGeneration older than the object's generation
}

// Is reports whether the condition exists with that status and is about the
// object's current generation.
func (c Condition) Is(t ConditionStatus) bool { return c.Status == t && !c.Stale }

// Text returns what the condition says for people: its message, else its reason.
func (c Condition) Text() string {
	switch {
	case c.Message != "":
		return c.Message
	case c.Reason != "":
		return c.Reason
	}
	return string(c.Type) + " is " + string(c.Status)
}

// Sentence returns the condition as people read it: "Ready is False: no route".
func (c Condition) Sentence() string {
	if c.Message == "" && c.Reason == "" {
		return c.Text()
	}
	return string(c.Type) + " is " + string(c.Status) + ": " + c.Text()
}

// Current returns that the object is as its spec says. Here as in the other answers the
// format is the message itself if there are no args.
func Current(reason, format string, args ...any) Result {
	return Result{Status: CurrentStatus, Reason: reason, Message: sprintf(format, args)}
}

// but returns the result with a caveat.
func (r Result) but(caveat string) Result {
	r.Caveat = caveat
	return r
}

// InProgress answers that the object is on its way.
func InProgress(reason, format string, args ...any) Result {
	return Result{Status: InProgressStatus, Reason: reason, Message: sprintf(format, args)}
}

// FailedRecoverable answers that something is wrong which may heal by itself: its
// controller keeps trying, or somebody else may change what it waits for.
func FailedRecoverable(reason, format string, args ...any) Result {
	return Result{Status: FailedStatus, Reason: reason, Message: sprintf(format, args), Failure: FailureRecoverable}
}

// FailedTerminal answers that the object will never get there unless a user changes it.
func FailedTerminal(reason, format string, args ...any) Result {
	return Result{Status: FailedStatus, Reason: reason, Message: sprintf(format, args), Failure: FailureTerminal}
}

// Suspended answers that the object is suspended. By whom decides whether that
// counts as done: an imposed suspension is InProgress, any other Current.
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
