package capi

import (
	"slices"
	"strings"
)

// A Role is the part that a kind plays in the contract.
type Role string

// These are the roles. A kind without a role has no part in the contract.
const (
	RoleNone             Role = ""
	RoleInfraCluster     Role = "InfraCluster"
	RoleInfraMachine     Role = "InfraMachine"
	RoleInfraMachinePool Role = "InfraMachinePool"
	RoleBootstrapConfig  Role = "BootstrapConfig"
	RoleControlPlane     Role = "ControlPlane"
	RoleIPPool           Role = "IPPool" // of an IPAM provider

	RoleInfraClusterTemplate     Role = "InfraClusterTemplate"
	RoleInfraMachineTemplate     Role = "InfraMachineTemplate"
	RoleInfraMachinePoolTemplate Role = "InfraMachinePoolTemplate"
	RoleBootstrapConfigTemplate  Role = "BootstrapConfigTemplate"
	RoleControlPlaneTemplate     Role = "ControlPlaneTemplate"
)

// A provider describes a type of provider: the value of its label
// cluster.x-k8s.io/provider, the first word of its group, and the suffixes of
// its kinds.
type provider struct {
	Label, Group string
	Kinds        []kindSuffix
}

// A kindSuffix maps the suffix of a kind's name to a role. The longest match
// counts.
type kindSuffix struct {
	Suffix string
	Role   Role
}

// Managed control planes, and some pools of addresses, are in infrastructure
// groups.
var providers = []provider{
	{"infrastructure-", "infrastructure", []kindSuffix{
		{"MachinePoolTemplate", RoleInfraMachinePoolTemplate}, {"MachinePool", RoleInfraMachinePool},
		{"MachineTemplate", RoleInfraMachineTemplate}, {"Machine", RoleInfraMachine},
		{"ClusterTemplate", RoleInfraClusterTemplate}, {"Cluster", RoleInfraCluster},
		{"ControlPlaneTemplate", RoleControlPlaneTemplate}, {"ControlPlane", RoleControlPlane},
		{"IPPool", RoleIPPool},
	}},
	{"bootstrap-", "bootstrap", []kindSuffix{
		{"ConfigTemplate", RoleBootstrapConfigTemplate}, {"Config", RoleBootstrapConfig},
	}},
	{"control-plane-", "controlplane", []kindSuffix{
		{"ControlPlaneTemplate", RoleControlPlaneTemplate}, {"ControlPlane", RoleControlPlane},
	}},
	{"ipam-", "ipam", []kindSuffix{{"Pool", RoleIPPool}}},
}

// coreGroups lists the groups of Cluster API itself, whose kinds no provider
// serves.
var coreGroups = []string{"cluster.x-k8s.io", "addons.cluster.x-k8s.io", "runtime.cluster.x-k8s.io",
	"clusterctl.cluster.x-k8s.io", "operator.cluster.x-k8s.io"}

// RoleOf returns the role of a kind by its group and name, and by the labels of
// its definition. labels may be nil.
func RoleOf(group, kind string, labels map[string]string) Role {
	if slices.Contains(coreGroups, group) {
		return RoleNone
	}
	word, _, _ := strings.Cut(group, ".")
	for _, p := range providers {
		if p.Group != word && !strings.HasPrefix(labels["cluster.x-k8s.io/provider"], p.Label) {
			continue
		}
		for _, e := range p.Kinds {
			if stem, fits := strings.CutSuffix(kind, e.Suffix); fits && stem != "" {
				return e.Role
			}
		}
	}
	return RoleNone
}

// Roles lists the roles.
func Roles() []Role {
	return []Role{RoleInfraCluster, RoleInfraMachine, RoleInfraMachinePool, RoleBootstrapConfig, RoleControlPlane, RoleIPPool,
		RoleInfraClusterTemplate, RoleInfraMachineTemplate, RoleInfraMachinePoolTemplate, RoleBootstrapConfigTemplate, RoleControlPlaneTemplate}
}

// IsTemplate reports whether objects of the role are templates for others.
func (r Role) IsTemplate() bool { return strings.HasSuffix(string(r), "Template") }

// HasStatus reports whether core reads a status of the role.
func (r Role) HasStatus() bool { return r != RoleNone && r != RoleIPPool && !r.IsTemplate() }
