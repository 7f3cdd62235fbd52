package check

import (
	"slices"
	"strings"

	"kstatus.dev/author/roles"
)

// A Contract is a version of the contract between core and its providers.
type Contract string

// These are the contracts that core reads, since v1.11.
const (
	ContractV1Beta1 Contract = "v1beta1"
	ContractV1Beta2 Contract = "v1beta2"
)

// contracts lists the contracts in the order in which core looks for their
// labels.
var contracts = []Contract{ContractV1Beta2, ContractV1Beta1}

// Contracts lists the contracts that core reads, newest first.
func Contracts() []Contract { return slices.Clone(contracts) }

// v1beta1Ends is the end of support for the contract v1beta1, as core's
// migration notes announce it.
const v1beta1Ends = "core stops reading it in Cluster API v1.16, tentatively in April 2027"

// Label returns the label of a definition whose value lists the versions that
// follow the contract.
func (c Contract) Label() string { return "cluster.x-k8s.io/" + string(c) }

// A field is a field that core reads, or that the contract requires.
type field struct {
	Role     roles.Role
	Contract Contract // empty: both
	Path     string   // "[]" is the items of a list, "{}" is the values of a map
	Type     string   // as in a schema.
	Rule     string   // the rule that requires it
}

// contractFields lists the fields of the contract: where core's accessors read
// them (internal/contract of Cluster API v1.14), and what the contract's pages
// require. Core does not fall back from one contract to the other. Under
// v1beta2 it does not read status.ready, except of pools of machines.
var contractFields = []field{
	{roles.InfraCluster, ContractV1Beta2, "status.initialization.provisioned", "boolean", "C-IC-1"},
	{roles.InfraCluster, ContractV1Beta1, "status.ready", "boolean", "C-IC-1"},
	{roles.InfraCluster, "", "spec.controlPlaneEndpoint", "object", "C-IC-3"},
	{roles.InfraCluster, "", "spec.controlPlaneEndpoint.host", "string", "C-IC-3"},
	{roles.InfraCluster, "", "spec.controlPlaneEndpoint.port", "integer", "C-IC-3"},
	{roles.InfraCluster, ContractV1Beta2, "status.failureDomains", "array", "C-IC-5"},
	{roles.InfraCluster, ContractV1Beta2, "status.failureDomains[].name", "string", "C-IC-5"},
	{roles.InfraCluster, ContractV1Beta2, "status.failureDomains[].controlPlane", "boolean", "C-IC-5"},
	{roles.InfraCluster, ContractV1Beta2, "status.failureDomains[].attributes{}", "string", "C-IC-5"},
	{roles.InfraCluster, ContractV1Beta1, "status.failureDomains", "object", "C-IC-5"},
	{roles.InfraCluster, ContractV1Beta1, "status.failureDomains{}.controlPlane", "boolean", "C-IC-5"},
	{roles.InfraCluster, ContractV1Beta1, "status.failureDomains{}.attributes{}", "string", "C-IC-5"},

	{roles.InfraMachine, ContractV1Beta2, "status.initialization.provisioned", "boolean", "C-IM-3"},
	{roles.InfraMachine, ContractV1Beta1, "status.ready", "boolean", "C-IM-3"},
	{roles.InfraMachine, "", "spec.providerID", "string", "C-IM-1"},
	{roles.InfraMachine, "", "spec.failureDomain", "string", "C-IM-5"},
	{roles.InfraMachine, "", "status.failureDomain", "string", "C-IM-5"},
	{roles.InfraMachine, "", "status.addresses", "array", "C-IM-4"},
	{roles.InfraMachine, "", "status.addresses[].type", "string", "C-IM-4"},
	{roles.InfraMachine, "", "status.addresses[].address", "string", "C-IM-4"},

	{roles.InfraMachinePool, ContractV1Beta2, "status.initialization.provisioned", "boolean", "C-MP-1"},
	{roles.InfraMachinePool, "", "status.ready", "boolean", "C-MP-1"},
	{roles.InfraMachinePool, "", "spec.providerIDList", "array", "C-MP-2"},
	{roles.InfraMachinePool, "", "spec.providerIDList[]", "string", "C-MP-2"},
	{roles.InfraMachinePool, "", "status.replicas", "integer", "C-MP-2"},
	{roles.InfraMachinePool, "", "status.infrastructureMachineKind", "string", "C-MP-3"},

	{roles.BootstrapConfig, ContractV1Beta2, "status.initialization.dataSecretCreated", "boolean", "C-BC-2"},
	{roles.BootstrapConfig, ContractV1Beta1, "status.ready", "boolean", "C-BC-2"},
	{roles.BootstrapConfig, "", "status.dataSecretName", "string", "C-BC-1"},

	{roles.ControlPlane, ContractV1Beta2, "status.initialization.controlPlaneInitialized", "boolean", "C-CP-1"},
	{roles.ControlPlane, ContractV1Beta1, "status.initialized", "boolean", "C-CP-1"},
	{roles.ControlPlane, "", "spec.controlPlaneEndpoint", "object", "C-CP-8"},
	{roles.ControlPlane, "", "spec.controlPlaneEndpoint.host", "string", "C-CP-8"},
	{roles.ControlPlane, "", "spec.controlPlaneEndpoint.port", "integer", "C-CP-8"},
	{roles.ControlPlane, "", "spec.replicas", "integer", "C-CP-3"},
	{roles.ControlPlane, "", "status.selector", "string", "C-CP-3"},
	{roles.ControlPlane, "", "status.replicas", "integer", "C-CP-3"},
	{roles.ControlPlane, "", "status.readyReplicas", "integer", "C-CP-3"},
	{roles.ControlPlane, ContractV1Beta2, "status.availableReplicas", "integer", "C-CP-3"},
	{roles.ControlPlane, ContractV1Beta2, "status.upToDateReplicas", "integer", "C-CP-3"},
	{roles.ControlPlane, ContractV1Beta1, "status.updatedReplicas", "integer", "C-CP-3"},
	{roles.ControlPlane, ContractV1Beta1, "status.unavailableReplicas", "integer", "C-CP-3"},
	{roles.ControlPlane, "", "spec.version", "string", "C-CP-4"},
	{roles.ControlPlane, "", "status.version", "string", "C-CP-4"},
	{roles.ControlPlane, "", "status.versions", "array", "C-CP-4"},
	{roles.ControlPlane, "", "status.versions[].version", "string", "C-CP-4"},
	{roles.ControlPlane, "", "status.versions[].replicas", "integer", "C-CP-4"},
	{roles.ControlPlane, "", "status.externalManagedControlPlane", "boolean", "C-CP-7"},
}

// fieldsOf returns the fields of a role under a contract.
func fieldsOf(r roles.Role, c Contract) []field {
	var some []field
	for _, f := range contractFields {
		if f.Role == r && (f.Contract == "" || f.Contract == c) {
			some = append(some, f)
		}
	}
	return some
}

// initializedField returns the field that reports once and for all that the
// object is provisioned or initialized. It is the first field of the role in
// the table. The result is empty if the role has none.
func initializedField(r roles.Role, c Contract) string {
	for _, f := range fieldsOf(r, c) {
		return f.Path
	}
	return ""
}

// summaryOf returns the condition of the role that core mirrors, and the
// condition of the Cluster or Machine that shows it. Core does not mirror a
// condition of pools yet.
func summaryOf(r roles.Role) (condition, mirror string) {
	switch r {
	case roles.InfraCluster, roles.InfraMachine:
		return "Ready", "InfrastructureReady"
	case roles.BootstrapConfig:
		return "Ready", "BootstrapConfigReady"
	case roles.ControlPlane:
		return "Available", "ControlPlaneAvailable"
	}
	return "", ""
}

// steps splits a path of the table into names, "[]" and "{}".
func steps(path string) []string {
	path = strings.ReplaceAll(strings.ReplaceAll(path, "[]", ".[]"), "{}", ".{}")
	return strings.Split(path, ".")
}
