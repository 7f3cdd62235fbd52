package controller

import (
	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/wellknown"
)

// These are the conditions that this provider writes, in addition to Ready, Deleting and Paused.
// They are API: users select by them in MachineHealthChecks.
const (
	// AuthenticationSucceeded reports whether the cloud accepts the credentials, and whether they
	// are for the project in which the object has its resources.
	AuthenticationSucceeded = "AuthenticationSucceeded"
	// NetworkReady reports whether the network and the subnet of a cluster exist.
	NetworkReady = "NetworkReady"
	// RouterReady reports whether a router connects them with the external network.
	RouterReady = "RouterReady"
	// SecurityGroupsReady reports whether the security groups exist.
	SecurityGroupsReady = "SecurityGroupsReady"
	// APIEndpointReady reports whether the endpoint of the control plane has an address.
	APIEndpointReady = "APIEndpointReady"
	// ZonesKnown reports whether the availability zones could be read.
	ZonesKnown = "ZonesKnown"
	// InstanceReady reports whether the server of a machine runs.
	InstanceReady = "InstanceReady"
	// IngressReady reports whether the endpoint of the control plane leads to the server.
	IngressReady = "IngressReady"
)

// These are the reasons that this provider gives itself. All others come from the classification
// of failures: docs/reference/openstack-failures.md.
const (
	Accepted              = "Accepted"
	Found                 = "Found"
	Disabled              = "Disabled"
	Running               = "Running"
	NotRequired           = "NotRequired"
	NotDeleting           = "NotDeleting"
	WaitingForOwner       = "WaitingForOwner"
	WaitingForCluster     = "WaitingForClusterInfrastructure"
	WaitingForBootstrap   = "WaitingForBootstrapData"
	WaitingForEarlierStep = "WaitingForEarlierStep"
	InstanceMissing       = "InstanceMissing"
	InstanceDeleted       = "InstanceDeleted"
	InvalidConfiguration  = "InvalidConfiguration"
	ProvisioningTimeout   = "ProvisioningTimeout"

	ClusterPaused = "ClusterPaused"
	ObjectPaused  = "ObjectPaused"
)

// The details of Ready, in the order of the steps that make them.
var (
	clusterDetails = []string{AuthenticationSucceeded, NetworkReady, RouterReady, SecurityGroupsReady, ZonesKnown, APIEndpointReady}
	machineDetails = []string{AuthenticationSucceeded, InstanceReady, IngressReady}
)

// A pass states Ready itself, since it is more than a summary: it tolerates a short outage of the
// cloud. See ready.go.
var (
	clusterConditions = declare(
		conditions.Positive(AuthenticationSucceeded).WithDoc("The cloud accepts the credentials."),
		conditions.Positive(NetworkReady).WithDoc("The network and the subnet exist."),
		conditions.Positive(RouterReady).WithDoc("A router connects the network with the external network."),
		conditions.Positive(SecurityGroupsReady).WithDoc("The security groups exist."),
		conditions.Positive(APIEndpointReady).WithDoc("The endpoint of the control plane has an address."),
		conditions.Positive(ZonesKnown).WithDoc("The availability zones have been read, and are the failure domains."),
	)
	machineConditions = declare(
		conditions.Positive(AuthenticationSucceeded).WithDoc("The cloud accepts the credentials."),
		conditions.Positive(InstanceReady).WithDoc("The server is active."),
		conditions.Positive(IngressReady).WithDoc("The endpoint of the control plane leads to the server."),
	)
)

// declare adds the conditions that both kinds have.
func declare(details ...conditions.Declaration) *conditions.Set {
	all := append([]conditions.Declaration{conditions.Positive(wellknown.TypeReady)}, details...)
	return conditions.MustSet(append(all,
		conditions.Neutral(wellknown.TypeDeleting),
		conditions.Neutral(wellknown.TypePaused, ClusterPaused, ObjectPaused),
	)...)
}
