package status

import (
	"cmp"
	"slices"
)

// reconciled answers Current with a message that is already put together. A
// format would cost an allocation more for each text in it.
func reconciled(message string) Result {
	return Result{Status: CurrentStatus, Reason: "Reconciled", Message: message}
}

// withSubject returns the answer with its subject before the message.
func (r Result) withSubject(whom string) Result {
	r.Message = whom + ": " + r.Message
	return r
}

// worse returns the worse of two answers, so that the worst of several listeners,
// parents, limits or devices decides, whatever their order. The zero Result is the
// best.
func worse(a, b Result) Result {
	rank := func(r Result) int { return slices.Index([]Status{FailedStatus, InProgressStatus, ""}, r.Status) }
	if cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message)) > 0 {
		return b
	}
	return a
}
