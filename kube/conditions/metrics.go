package conditions

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Metrics is told what becomes of conditions. It is called by the goroutine
// that commits and must not block.
type Metrics interface {
	// Transition says that the status of a stored condition has become another.
	RecordTransition(Transition)
	// Committed says how a commit has ended.
	RecordCommit(Commit)
}

// Transition is a change of the status of a condition that has been stored.
type Transition struct {
	Kind            schema.GroupVersionKind
	Namespace, Name string
	Type            string
	From, To        metav1.ConditionStatus // From is empty for a new condition
	Reason          string                 // that of the new status
	After           time.Duration          // how long it was as before; zero for a new condition
}

// Outcome is how a commit has ended.
type Outcome string

const (
	// OutcomeWritten is a commit that has written the status.
	OutcomeWritten Outcome = "Sent"
	// OutcomeUnchanged is a commit that had nothing to write and sent nothing.
	OutcomeUnchanged Outcome = "Suppressed"
	// OutcomeGone is a commit to an object that is not there any more.
	OutcomeGone Outcome = "Gone"
	// OutcomeFailed is a commit that has failed.
	OutcomeFailed Outcome = "Refused"
)

// Commit is a commit that has ended.
type Commit struct {
	Kind            schema.GroupVersionKind
	Namespace, Name string
	Outcome         Outcome
	Conflicts       int // how often others had written in between
}
