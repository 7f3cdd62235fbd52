package status

import (
	"cmp"
	"slices"
)

// currentWithMessage returns Current with a finished message. A format would cost one more
// allocation for each text in it.
func currentWithMessage(message string) Result {
	return Result{Status: CurrentStatus, Reason: "Reconciled", Message: message}
}

// withSubject returns the result with the subject in front of its message.
func (r Result) withSubject(subject string) Result {
	r.Message = subject + ": " + r.Message
	return r
}

// worse returns the worse of two results, whatever their order. It selects the worst listener,
// parent, limit or device. The zero Result is the best.
func worse(a, b Result) Result {
	rank := func(r Result) int { return slices.Index([]Status{FailedStatus, InProgressStatus, ""}, r.Status) }
	if cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message)) > 0 {
		return b
	}
	return a
}
