package failure

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/duration"
)

// InProgress is the failure of an operation that has to wait until something is complete: a server
// that is still BUILD. It becomes a known failure with [Failure.Overdue].
func InProgress(what, state string) *Failure {
	return &Failure{
		Class:   Provisioning,
		Reason:  string(Provisioning),
		Message: Clean(fmt.Sprintf("%s is %s", what, state)),
		Retry:   Retry{First: 10 * time.Second, Last: time.Minute},
	}
}

// Overdue returns what a failure is after it has lasted for some time. A failure of class
// Provisioning that has lasted for the limit or longer is known: reason ProvisioningTimeout. Other
// failures stay the same.
func (f *Failure) Overdue(lasted, limit time.Duration) *Failure {
	if f == nil || f.Class != Provisioning || lasted < limit {
		return f
	}
	late := *f
	late.Reason = reasonOverdue
	late.Known, late.Keep, late.Grace = true, false, 0
	late.Message = Clean(fmt.Sprintf("%s for more than %s", f.Message, duration.Text(limit)))
	return &late
}

// Remaining is the failure of a deletion that left something behind. The message lists it in
// order. The error says why, and may be nil. Without both, Remaining returns nil.
func Remaining(left []string, err error) *Failure {
	if len(left) == 0 && err == nil {
		return nil
	}
	f := &Failure{
		Class:  Deleting,
		Reason: string(Deleting),
		Known:  true,
		Retry:  Retry{First: 5 * time.Second, Last: time.Minute},
		Err:    err,
	}
	words := "the deletion is not complete"
	if len(left) > 0 {
		words = "still exists: " + strings.Join(slices.Sorted(slices.Values(left)), ", ")
	}
	if err != nil {
		words += ": " + err.Error()
	}
	f.Message = Clean(words)
	return f
}

// Internal is the failure for an error that no rule recognizes. It returns nil for nil.
func Internal(err error) *Failure {
	if err == nil {
		return nil
	}
	return &Failure{Class: InternalError, Reason: string(InternalError), Message: Clean(err.Error()), Retry: quick, Err: err}
}
