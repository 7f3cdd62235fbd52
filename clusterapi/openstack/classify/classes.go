package classify

import "kstatus.dev/clusterapi/openstack/failure"

// A ClassDoc describes a class of failures for users. The reference page has a row for each.
type ClassDoc struct {
	ID        string // stable
	Class     failure.Class
	What      string // what happened
	Condition string // which condition reports it
	Reasons   []string
	Does      string // what a controller does in addition to the next attempt
}

// Classes are all classes of failures. LoadBalancerDegraded is the only one that is no failure:
// [Degraded] reports it.
var Classes = []ClassDoc{
	{
		"O-F1", failure.RateLimited, "A service has received too many requests: 429 or 498.",
		"the condition of the step", []string{"RateLimited"},
		"Sends no request of any object of the project before that time. Ready stays True for 5 minutes if it was.",
	},
	{
		"O-F2", failure.ServiceUnavailable, "A service is down: 500, 502, 503 or 504.",
		"the condition of the step", []string{"ServiceUnavailable"},
		"After several failures in a row, sends single requests to that service until one succeeds.",
	},
	{
		"O-F3", failure.EndpointUnreachable, "No response: DNS, the network, TLS or a timeout.",
		"the condition of the step", []string{"EndpointUnreachable", "InvalidCACertificate"},
		"InvalidCACertificate is False, since a user must replace a certificate. Tries again when the Secret changes, too.",
	},
	{
		"O-F4", failure.Credentials, "The credentials are missing, not accepted, or without a permission: 401, or 403 without a quota.",
		"AuthenticationSucceeded", []string{"CredentialsInvalid", "CredentialsMissing", "Forbidden"},
		"Tries again when the Secret changes. Does not conclude from a 404 that anything is gone.",
	},
	{
		"O-F5", failure.QuotaExceeded, "A quota of the project is used up.",
		"the condition of the step", []string{"QuotaExceeded"},
		"Keeps and uses what it has created before, such as ports.",
	},
	{
		"O-F6", InsufficientCapacity, "No host has room for a server, before it is a Node.",
		"InstanceReady", []string{"InsufficientCapacity"},
		"Leaves the server to a MachineHealthCheck.",
	},
	{
		"O-F7", InstanceError, "A server is ERROR, before it is a Node.",
		"InstanceReady", []string{"InstanceStateError"},
		"Does not create another server for the Machine.",
	},
	{
		"O-F8", NodeInstanceError, "The server of a Node is ERROR.",
		"InstanceReady", []string{"InstanceStateError"},
		"Reports the server as ready again when it is ACTIVE.",
	},
	{
		"O-F9", InstanceDeleted, "The server of a provisioned Machine no longer exists: 404 in two passes, with credentials of the same project.",
		"InstanceReady", []string{"InstanceDeleted"},
		"Leaves the Machine to a MachineHealthCheck. Does not create another server.",
	},
	{
		"O-F10", InstanceNotReady, "A server is stopped, paused, suspended, shelved or rescued, or is changing.",
		"InstanceReady", []string{"InstanceNotReady", "InstanceTransitioning"},
		"InstanceTransitioning and states that are not known are Unknown.",
	},
	{
		"O-F11", failure.DependencyNotFound, "An image, a flavor, a key pair, a server group or a network does not exist.",
		"the condition of the step", []string{"DependencyNotFound"},
		"Creates nothing before all of them exist.",
	},
	{
		"O-F12", failure.AmbiguousReference, "A filter matches several things.",
		"the condition of the step", []string{"AmbiguousReference"},
		"Tries again when the spec changes.",
	},
	{
		"O-F13", failure.InvalidRequest, "A service rejects the request: 400 or 422, or 403 for a flavor without a disk.",
		"the condition of the step", []string{"InvalidConfiguration"},
		"Does not send the request again for the same generation, except for the slow poll.",
	},
	{
		"O-F14", failure.Conflict, "The state of something forbids the request: 409.",
		"the condition of the step", []string{"WaitingForLoadBalancer", "Conflict"},
		"While a load balancer changes, a condition that is True stays as it is. Another one keeps its status, with the reason WaitingForLoadBalancer. Does not use a server of another machine or of another spec: Conflict.",
	},
	{
		"O-F15", LoadBalancerError, "A load balancer is ERROR.",
		"APIEndpointReady", []string{"LoadBalancerError"},
		"Before the cluster is provisioned, replaces it at most 3 times. Later, a user must request a failover: the address is published.",
	},
	{
		"O-F16", LoadBalancerDegraded, "Members of a load balancer do not respond.",
		"APIEndpointReady", nil,
		"The condition stays True, and its message has the operating status.",
	},
	{
		"O-F17", FloatingIPUnavailable, "No floating IP is free, or no external network exists.",
		"APIEndpointReady", []string{"FloatingIPUnavailable"},
		"Tries again when an external network exists.",
	},
	{
		"O-F18", failure.Provisioning, "A server or a load balancer is being created.",
		"the condition of the step", []string{"Provisioning", "ProvisioningTimeout"},
		"Waits without blocking. After 30 minutes, the reason is ProvisioningTimeout and the status False.",
	},
	{
		"O-F19", failure.Deleting, "A deletion is not complete: something is still in use.",
		"Ready", []string{"Deleting"},
		"Lists what remains. A 404 is a success.",
	},
	{
		"O-F20", failure.Unsupported, "The cloud does not have a service, an extension or a version: 405, 406 or 501.",
		"the condition of the step", []string{"UnsupportedCloud"},
		"Tries again when the spec or the Secret changes.",
	},
	{
		"O-F21", failure.TooLarge, "The metadata or the user data is too large: 413, or 400 of Nova.",
		"InstanceReady", []string{"InvalidConfiguration"},
		"Tries again when the spec changes.",
	},
	{
		"O-F22", failure.InternalError, "Any other error.",
		"the condition of the step", []string{"InternalError"},
		"Nothing else.",
	},
}
