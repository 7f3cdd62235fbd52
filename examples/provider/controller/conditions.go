package controller

import (
	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/wellknown"
)

// These are the conditions that this provider writes, in addition to Ready and
// Paused, and their reasons. They are API: users select by them in
// MachineHealthChecks.
const (
	// LoadBalancerReady reports whether the load balancer of the control plane
	// is active.
	LoadBalancerReady = "LoadBalancerReady"
	// ZonesKnown reports whether the zones of the cloud could be read.
	ZonesKnown = "ZonesKnown"
	// DependenciesReady reports whether a server's dependencies are ready, so
	// that it can be created.
	DependenciesReady = "DependenciesReady"
	// ServerReady reports whether the server of a machine runs.
	ServerReady = "ServerReady"

	Running              = "Running"
	Read                 = "Read"
	Building             = "Building"
	WaitingForOwner      = "WaitingForOwner"
	WaitingForCluster    = "WaitingForClusterInfrastructure"
	WaitingForBootstrap  = "WaitingForBootstrapData"
	WaitingForDependency = "WaitingForDependencies"
	CloudUnavailable     = "CloudUnavailable"
	InvalidConfiguration = "InvalidConfiguration"
	Missing              = "Missing"
	AllThere             = "AllThere"

	ClusterPaused = "ClusterPaused"
	ObjectPaused  = "ObjectPaused"
)

// clusterConditions are the conditions of a ShelfCluster.
var clusterConditions = conditions.MustSet(
	conditions.Summary(wellknown.TypeReady, LoadBalancerReady, ZonesKnown),
	conditions.Positive(LoadBalancerReady, Running, Building, WaitingForOwner, CloudUnavailable, InvalidConfiguration, Missing).
		WithDoc("The load balancer of the control plane is active."),
	conditions.Positive(ZonesKnown, Read, WaitingForOwner, CloudUnavailable).
		WithDoc("The zones of the cloud have been read, and are the failure domains."),
	conditions.Neutral(wellknown.TypePaused, ClusterPaused, ObjectPaused),
)

// machineConditions are the conditions of a ShelfMachine.
var machineConditions = conditions.MustSet(
	conditions.Summary(wellknown.TypeReady, DependenciesReady, ServerReady),
	conditions.Positive(DependenciesReady, AllThere, WaitingForOwner, WaitingForCluster, WaitingForBootstrap).
		WithDoc("The dependencies of the server are ready."),
	conditions.Positive(ServerReady, Running, Building, WaitingForDependency, CloudUnavailable, InvalidConfiguration, Missing).
		WithDoc("The server is active."),
	conditions.Neutral(wellknown.TypePaused, ClusterPaused, ObjectPaused),
)
