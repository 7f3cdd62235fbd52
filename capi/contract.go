package capi

import (
	"slices"
	"strings"
)

// A Contract is a version of the contract between core and its providers.
type Contract string

// The contracts that core reads, since v1.11.
const (
	V1Beta1 Contract = "v1beta1"
	V1Beta2 Contract = "v1beta2"
)

// contracts stand in the order in which core looks for their labels.
var contracts = []Contract{V1Beta2, V1Beta1}

// Contracts lists the contracts that core reads, newest first.
func Contracts() []Contract { return slices.Clone(contracts) }

// v1beta1Ends is when core stops to read the contract v1beta1, as its migration notes announce.
const v1beta1Ends = "core stops to read it in Cluster API v1.16, tentatively in April 2027"

// Label returns the label of a definition whose value lists the versions that
// follow the contract.
func (c Contract) Label() string { return "cluster.x-k8s.io/" + string(c) }

// A Field is a field that core reads, or that the contract asks for.
type Field struct {
	Role     Role
	Contract Contract // empty: both
	Path     string   // "[]" goes into the items of a list, "{}" into the values of a map
	Type     string   // as a schema says it
	Rule     string   // that demands it
}

// fields is the contract in one table: what stands where, as core's accessors
// read it (internal/contract of Cluster API v1.14) and the pages of the contract
// ask for it. There is no fallback from one contract to the other: under
// v1beta2 nobody reads status.ready, but for pools of machines.
var fields = []Field{
	{InfraCluster, V1Beta2, "status.initialization.provisioned", "boolean", "C-IC-1"},
	{InfraCluster, V1Beta1, "status.ready", "boolean", "C-IC-1"},
	{InfraCluster, "", "spec.controlPlaneEndpoint", "object", "C-IC-3"},
	{InfraCluster, "", "spec.controlPlaneEndpoint.host", "string", "C-IC-3"},
	{InfraCluster, "", "spec.controlPlaneEndpoint.port", "integer", "C-IC-3"},
	{InfraCluster, V1Beta2, "status.failureDomains", "array", "C-IC-5"},
	{InfraCluster, V1Beta2, "status.failureDomains[].name", "string", "C-IC-5"},
	{InfraCluster, V1Beta2, "status.failureDomains[].controlPlane", "boolean", "C-IC-5"},
	{InfraCluster, V1Beta2, "status.failureDomains[].attributes{}", "string", "C-IC-5"},
	{InfraCluster, V1Beta1, "status.failureDomains", "object", "C-IC-5"},
	{InfraCluster, V1Beta1, "status.failureDomains{}.controlPlane", "boolean", "C-IC-5"},
	{InfraCluster, V1Beta1, "status.failureDomains{}.attributes{}", "string", "C-IC-5"},

	{InfraMachine, V1Beta2, "status.initialization.provisioned", "boolean", "C-IM-3"},
	{InfraMachine, V1Beta1, "status.ready", "boolean", "C-IM-3"},
	{InfraMachine, "", "spec.providerID", "string", "C-IM-1"},
	{InfraMachine, "", "spec.failureDomain", "string", "C-IM-5"},
	{InfraMachine, "", "status.failureDomain", "string", "C-IM-5"},
	{InfraMachine, "", "status.addresses", "array", "C-IM-4"},
	{InfraMachine, "", "status.addresses[].type", "string", "C-IM-4"},
	{InfraMachine, "", "status.addresses[].address", "string", "C-IM-4"},

	{InfraMachinePool, V1Beta2, "status.initialization.provisioned", "boolean", "C-MP-1"},
	{InfraMachinePool, "", "status.ready", "boolean", "C-MP-1"},
	{InfraMachinePool, "", "spec.providerIDList", "array", "C-MP-2"},
	{InfraMachinePool, "", "spec.providerIDList[]", "string", "C-MP-2"},
	{InfraMachinePool, "", "status.replicas", "integer", "C-MP-2"},
	{InfraMachinePool, "", "status.infrastructureMachineKind", "string", "C-MP-3"},

	{BootstrapConfig, V1Beta2, "status.initialization.dataSecretCreated", "boolean", "C-BC-2"},
	{BootstrapConfig, V1Beta1, "status.ready", "boolean", "C-BC-2"},
	{BootstrapConfig, "", "status.dataSecretName", "string", "C-BC-1"},

	{ControlPlane, V1Beta2, "status.initialization.controlPlaneInitialized", "boolean", "C-CP-1"},
	{ControlPlane, V1Beta1, "status.initialized", "boolean", "C-CP-1"},
	{ControlPlane, "", "spec.controlPlaneEndpoint", "object", "C-CP-8"},
	{ControlPlane, "", "spec.controlPlaneEndpoint.host", "string", "C-CP-8"},
	{ControlPlane, "", "spec.controlPlaneEndpoint.port", "integer", "C-CP-8"},
	{ControlPlane, "", "spec.replicas", "integer", "C-CP-3"},
	{ControlPlane, "", "status.selector", "string", "C-CP-3"},
	{ControlPlane, "", "status.replicas", "integer", "C-CP-3"},
	{ControlPlane, "", "status.readyReplicas", "integer", "C-CP-3"},
	{ControlPlane, V1Beta2, "status.availableReplicas", "integer", "C-CP-3"},
	{ControlPlane, V1Beta2, "status.upToDateReplicas", "integer", "C-CP-3"},
	{ControlPlane, V1Beta1, "status.updatedReplicas", "integer", "C-CP-3"},
	{ControlPlane, V1Beta1, "status.unavailableReplicas", "integer", "C-CP-3"},
	{ControlPlane, "", "spec.version", "string", "C-CP-4"},
	{ControlPlane, "", "status.version", "string", "C-CP-4"},
	{ControlPlane, "", "status.versions", "array", "C-CP-4"},
	{ControlPlane, "", "status.versions[].version", "string", "C-CP-4"},
	{ControlPlane, "", "status.versions[].replicas", "integer", "C-CP-4"},
	{ControlPlane, "", "status.externalManagedControlPlane", "boolean", "C-CP-7"},
}

// Fields returns the fields of a role under a contract.
func Fields(r Role, c Contract) []Field {
	var some []Field
	for _, f := range fields {
		if f.Role == r && (f.Contract == "" || f.Contract == c) {
			some = append(some, f)
		}
	}
	return some
}

// Initialized returns the field by which an object of the role says once and
// for all that what it stands for has come to be; empty if there is none. It is
// the first field of the role in the table.
func Initialized(r Role, c Contract) string {
	for _, f := range Fields(r, c) {
		return f.Path
	}
	return ""
}

// Summary returns the condition of the role that core mirrors, and the condition
// of the Cluster or Machine that shows it. Core does not mirror that of pools yet.
func Summary(r Role) (condition, mirror string) {
	switch r {
	case InfraCluster, InfraMachine:
		return "Ready", "InfrastructureReady"
	case BootstrapConfig:
		return "Ready", "BootstrapConfigReady"
	case ControlPlane:
		return "Available", "ControlPlaneAvailable"
	}
	return "", ""
}

// steps splits a path of the table: names, "[]" and "{}".
func steps(path string) []string {
	path = strings.ReplaceAll(strings.ReplaceAll(path, "[]", ".[]"), "{}", ".{}")
	return strings.Split(path, ".")
}
