package classify

import (
	"fmt"
	"time"

	"kstatus.dev/clusterapi/openstack/failure"
)

// Classes that only OpenStack has. The others are those of package failure.
const (
	InsufficientCapacity  failure.Class = "InsufficientCapacity"  // no host for a server
	InstanceError         failure.Class = "InstanceError"         // a server has failed, and never was a Node
	NodeInstanceError     failure.Class = "NodeInstanceError"     // the server of a Node has failed
	InstanceDeleted       failure.Class = "InstanceDeleted"       // a server no longer exists
	InstanceNotReady      failure.Class = "InstanceNotReady"      // a server is stopped or changing
	LoadBalancerError     failure.Class = "LoadBalancerError"     // a load balancer has failed
	LoadBalancerDegraded  failure.Class = "LoadBalancerDegraded"  // members of a load balancer do not respond
	FloatingIPUnavailable failure.Class = "FloatingIPUnavailable" // no floating IP can be had
)

// Services of a cloud, as messages name them.
const (
	compute      = "compute"
	identity     = "identity"
	image        = "image"
	loadBalancer = "load-balancer"
	network      = "network"
	volume       = "volume"
)

// Delays of the classes.
var (
	quick       = failure.Retry{First: 5 * time.Second, Last: 5 * time.Minute}
	pending     = failure.Retry{First: 5 * time.Second, Last: 15 * time.Second}
	removal     = failure.Retry{First: 5 * time.Second, Last: time.Minute}
	poll        = failure.Retry{First: time.Minute, Last: time.Minute}
	refill      = failure.Retry{First: time.Minute, Last: 10 * time.Minute}
	recheck     = failure.Retry{First: 2 * time.Minute, Last: 10 * time.Minute}
	credentials = failure.Retry{First: 5 * time.Minute, Last: 10 * time.Minute}
	slow        = failure.Retry{First: failure.SlowPoll, Last: failure.SlowPoll}
)

// NotFound is the failure of a reference to something that does not exist, such as an image or a
// flavor. It is not terminal, since a user can still create it.
func NotFound(kind, name string) *failure.Failure {
	return message(&failure.Failure{
		Class: failure.DependencyNotFound, Reason: string(failure.DependencyNotFound), Known: true,
		Retry: recheck, Until: failure.UntilDependency,
	}, "%s %s does not exist", kind, name)
}

// Ambiguous is the failure of a reference that n things match.
func Ambiguous(kind, name string, n int) *failure.Failure {
	return message(&failure.Failure{
		Class: failure.AmbiguousReference, Reason: string(failure.AmbiguousReference), Known: true,
		Retry: slow, Until: failure.UntilGeneration,
	}, "%d matches for %s %s: use an ID, or a filter that matches one", n, kind, name)
}

// Gone is the failure of a server that existed and no longer exists. Use it only after two passes
// with a 404, with credentials of the project in which the server was. In another project, each
// server is a 404.
func Gone(kind, name string) *failure.Failure {
	return message(&failure.Failure{
		Class: InstanceDeleted, Reason: string(InstanceDeleted), Known: true,
		Retry: slow, Until: failure.UntilGeneration,
	}, "%s %s no longer exists", kind, name)
}

// CredentialsMissing is the failure of credentials that are not complete: a Secret, a key of a
// Secret, or a file. The text is the message.
func CredentialsMissing(what string) *failure.Failure {
	return message(withCredentials("CredentialsMissing"), "%s", what)
}

// CredentialsInvalid is the failure of credentials that a cloud does not accept, or that are not
// well-formed. The text is the message. It must not have the credentials.
func CredentialsInvalid(what string) *failure.Failure {
	return message(withCredentials("CredentialsInvalid"), "%s", what)
}

func withCredentials(reason string) *failure.Failure {
	return &failure.Failure{
		Class: failure.Credentials, Reason: reason, Known: true,
		Retry: credentials, Until: failure.UntilCredentials, Scope: failure.ScopeTenant,
	}
}

// Invalid is the failure of a spec that cannot be used. The text is the message.
func Invalid(what string) *failure.Failure {
	return message(&failure.Failure{
		Class: failure.InvalidRequest, Reason: "InvalidConfiguration", Known: true,
		Retry: slow, Until: failure.UntilGeneration,
	}, "%s", what)
}

// Unsupported is the failure of a cloud without a service, an extension or a version of an API. The
// text is the message.
func Unsupported(what string) *failure.Failure {
	return message(&failure.Failure{
		Class: failure.Unsupported, Reason: "UnsupportedCloud", Known: true,
		Retry: slow, Until: failure.UntilGeneration | failure.UntilCredentials, Scope: failure.ScopeEndpoint,
	}, "%s", what)
}

// NoFloatingIP is the failure of a floating IP that cannot be had, such as without an external
// network. The text is the message.
func NoFloatingIP(what string) *failure.Failure {
	return message(&failure.Failure{
		Class: FloatingIPUnavailable, Reason: string(FloatingIPUnavailable), Known: true,
		Retry: refill, Until: failure.UntilDependency, Service: network,
	}, "%s", what)
}

// message sets the message, as package failure cleans it.
func message(f *failure.Failure, format string, args ...any) *failure.Failure {
	f.Message = failure.Clean(fmt.Sprintf(format, args...))
	return f
}
