// Package failure describes why an operation of a controller did not succeed. It does so in terms of
// the controller's next steps: which condition it reports, and when another attempt makes sense.
//
// A [Failure] is an error. Return it from any depth, wrapped with %w or joined with others, and
// find it again with [As] where the conditions are written:
//
//   - Reason and Message go into the condition. Known decides between False and Unknown.
//   - [Retry.Delay] is the time until the next attempt. The controller counts the attempts.
//   - Until lists the changes that make an earlier attempt worthwhile.
//   - Scope says what else fails the same way, so that a limiter can spare the others their attempt.
//
// Classes of failures that any cloud has are in this package. Classes of one cloud are in a
// package of that cloud, such as kstatus.dev/clusterapi/openstack/classify.
//
// # Other clouds
//
// Most clouds have an HTTP API, and a client whose errors contain the response. Write one function
// that turns an error of the client into a Failure, in this order:
//
//  1. Find the error type of the client with errors.As. Pass its status, header and body to
//     [FromResponse]. The message then has the text of the service, without IDs of requests.
//  2. Before that, look for codes of the service that are more exact than the HTTP status, such as
//     the code of an exceeded quota. Return a Failure of your own for these: copy what
//     FromResponse returns, and replace the Class, the Reason and the Retry.
//  3. If the error has no response, call [FromNetwork]. It returns nil if the error is not one of
//     the network.
//  4. Return [Internal] for the rest.
//
// The example of FromResponse does so for a client of an imaginary cloud.
package failure

import (
	"net/url"
	"strings"
	"time"
)

// A Failure is why an operation did not succeed. It is an error.
type Failure struct {
	Class  Class
	Reason string // of a condition, such as QuotaExceeded
	// Message is for users. Equal failures have equal messages: it has no times, no IDs of requests
	// and no ports of connections. It has at most 512 bytes.
	Message string
	// Known reports whether something is known to be wrong or missing, so that a condition is
	// False. Otherwise nothing could be observed, and the condition is Unknown.
	Known bool
	// Keep reports that the failure says nothing about the state of the object. A condition that is
	// True then stays as it is. Another one keeps its status, and gets the reason and the message.
	Keep bool
	// Grace is how long the summary of an object stays True if it was. Zero means not at all.
	Grace   time.Duration
	Retry   Retry
	Until   Until  // what else makes another attempt worthwhile
	Scope   Scope  // what fails the same way
	Service string // such as compute; empty if it is unknown
	Err     error  // the cause; may be nil
}

// A Class is a kind of failure. All failures of a class are handled the same way.
type Class string

// Classes of failures that any cloud has.
const (
	RateLimited         Class = "RateLimited"         // too many requests
	ServiceUnavailable  Class = "ServiceUnavailable"  // the service is down
	EndpointUnreachable Class = "EndpointUnreachable" // no response: network, name, TLS, timeout
	Credentials         Class = "Credentials"         // missing, not accepted, or without a permission
	QuotaExceeded       Class = "QuotaExceeded"       // a limit of the tenant
	DependencyNotFound  Class = "DependencyNotFound"  // something that the object refers to does not exist
	AmbiguousReference  Class = "AmbiguousReference"  // a reference matches several things
	InvalidRequest      Class = "InvalidRequest"      // the service rejects what the spec demands
	TooLarge            Class = "TooLarge"            // the request is too large
	Conflict            Class = "Conflict"            // the state of something forbids the request
	Provisioning        Class = "Provisioning"        // in progress
	Deleting            Class = "Deleting"            // a deletion is not complete
	Unsupported         Class = "Unsupported"         // the service does not have the operation
	InternalError       Class = "InternalError"       // anything else
)

// The reason of a condition, where it is not the name of the class.
const (
	reasonCA          = "InvalidCACertificate"
	reasonCredentials = "CredentialsInvalid"
	reasonForbidden   = "Forbidden"
	reasonInvalid     = "InvalidConfiguration"
	reasonOverdue     = "ProvisioningTimeout"
	reasonUnsupported = "UnsupportedCloud"
)

// Until are events after which another attempt makes sense. Zero means that time is enough.
type Until uint8

// The events. They can be combined.
const (
	UntilGeneration  Until = 1 << iota // the spec of the object changes
	UntilCredentials                   // the Secret with the credentials changes
	UntilDependency                    // the missing thing is created
)

// String returns the events as text, such as "generation or credentials".
func (u Until) String() string {
	var events []string
	for _, e := range []struct {
		bit  Until
		name string
	}{{UntilGeneration, "generation"}, {UntilCredentials, "credentials"}, {UntilDependency, "dependency"}} {
		if u&e.bit != 0 {
			events = append(events, e.name)
		}
	}
	return strings.Join(events, " or ")
}

// A Scope is what fails the same way as the operation.
type Scope int

// The scopes.
const (
	ScopeObject   Scope = iota // this object only
	ScopeTenant                // all objects with the same credentials
	ScopeEndpoint              // all requests to the same service
)

// String returns the name of the scope.
func (s Scope) String() string {
	switch s {
	case ScopeTenant:
		return "tenant"
	case ScopeEndpoint:
		return "endpoint"
	}
	return "object"
}

// SlowPoll is the shortest delay of a terminal failure. Its next attempt only makes sure that no
// event was missed.
const SlowPoll = 10 * time.Minute

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Terminal reports whether only the events of Until end the failure. The Retry of such a failure
// is a slow poll, in case an event was missed.
func (f *Failure) Terminal() bool { return f.Until != 0 && f.Retry.First >= SlowPoll }

// Within returns the failure of an error that wraps the error of f. Its message begins with the
// words that the outer error adds to the inner one, such as "create the port a: ". It omits the
// words of a [url.Error]. Its cause is the outer error.
func (f *Failure) Within(outer, inner error) *Failure {
	wider := *f
	wider.Err = outer
	_, request := outer.(*url.Error)
	if added, found := strings.CutSuffix(outer.Error(), inner.Error()); found && added != "" && !request {
		wider.Message = Clean(added + f.Message)
	}
	return &wider
}

// As returns the Failure in the tree of an error, or nil if it has none. The tree has the errors
// that were wrapped with %w or joined. The message of the result begins with the words that the
// errors around the Failure add to it. Of several joined Failures, As returns the [Worst].
func As(err error) *Failure {
	switch e := err.(type) {
	case *Failure:
		return e
	case interface{ Unwrap() []error }:
		var all []*Failure
		for _, joined := range e.Unwrap() {
			all = append(all, As(joined))
		}
		if worst := Worst(all...); worst != nil {
			whole := *worst
			whole.Err = err
			return &whole
		}
	case interface{ Unwrap() error }:
		inner := e.Unwrap()
		if f := As(inner); f != nil {
			return f.Within(err, inner)
		}
	}
	return nil
}

// Worst returns the failure that a user must know first, and nil without one. Failures that are nil
// do not count. This is the order:
//
//  1. Credentials: without them, other failures may only seem to be.
//  2. Terminal failures, which a user must end.
//  3. Other failures that are Known.
//  4. Failures that are not Known.
//  5. Failures of class Provisioning, and failures that keep the status.
//
// Of equally bad failures, Worst returns the first.
func Worst(failures ...*Failure) *Failure {
	var worst *Failure
	for _, f := range failures {
		if f != nil && (worst == nil || f.rank() < worst.rank()) {
			worst = f
		}
	}
	return worst
}

// rank is the place in the order of Worst.
func (f *Failure) rank() int {
	switch {
	case f.Class == Credentials:
		return 1
	case f.Terminal():
		return 2
	case f.Keep || f.Class == Provisioning && !f.Known:
		return 5
	case f.Known:
		return 3
	}
	return 4
}
