// Package failure describes why an operation of a controller did not succeed, in terms of what the
// controller does next: which condition it reports, and when another attempt makes sense.
//
// [FromResponse] classifies the answers of HTTP services, and [FromNetwork] what prevents an answer.
// The rules of a cloud are in packages of their own.
package failure

import (
	"errors"
	"time"
)

// A Failure is why an operation did not succeed. It is an error.
type Failure struct {
	Class  Class
	Reason string // of a condition, such as QuotaExceeded
	// Message is for users. Equal failures have equal messages: it has no times, no IDs of requests
	// and no ports of connections.
	Message string
	// Known reports whether something is known to be wrong or missing, so that a condition is
	// False. Otherwise nothing could be observed, and the condition is Unknown.
	Known   bool
	Retry   Retry
	Until   Until  // what else makes another attempt worthwhile
	Scope   Scope  // what fails the same way
	Service string // such as compute; empty if it is unknown
	Err     error  // the cause; may be nil
}

// A Class is a kind of failure. All failures of a class are handled the same way.
type Class string

// A Retry says when another attempt makes sense.
type Retry struct {
	After       time.Duration // the server's request; zero without one
	First, Last time.Duration // the delays grow from First to Last
}

// Until are events after which another attempt makes sense. Zero means that time is enough.
type Until uint8

// The events. They can be combined.
const (
	UntilGeneration  Until = 1 << iota // the spec of the object changes
	UntilCredentials                   // the Secret with the credentials changes
	UntilDependency                    // the missing thing is created
)

// A Scope is what fails the same way as the operation.
type Scope int

// The scopes.
const (
	ScopeObject   Scope = iota // this object only
	ScopeTenant                // all objects with the same credentials
	ScopeEndpoint              // all requests to the same service
)

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// As returns the Failure in the tree of an error, and nil without one.
func As(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return nil
}
