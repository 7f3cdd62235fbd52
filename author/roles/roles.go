// Package roles knows which part a kind plays in the contract between Cluster API and its providers.
package roles

import (
	"slices"
	"strings"
)

// A Role is the part that a kind plays in the contract.
type Role string

// These are the roles. A kind without a role has no part in the contract.
const (
	None             Role = ""
	InfraCluster     Role = "InfraCluster"
	InfraMachine     Role = "InfraMachine"
	InfraMachinePool Role = "InfraMachinePool"
	BootstrapConfig  Role = "BootstrapConfig"
	ControlPlane     Role = "ControlPlane"
	IPPool           Role = "IPPool" // of an IPAM provider

	InfraClusterTemplate     Role = "InfraClusterTemplate"
	InfraMachineTemplate     Role = "InfraMachineTemplate"
	InfraMachinePoolTemplate Role = "InfraMachinePoolTemplate"
	BootstrapConfigTemplate  Role = "BootstrapConfigTemplate"
	ControlPlaneTemplate     Role = "ControlPlaneTemplate"
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
		{"MachinePoolTemplate", InfraMachinePoolTemplate}, {"MachinePool", InfraMachinePool},
		{"MachineTemplate", InfraMachineTemplate}, {"Machine", InfraMachine},
		{"ClusterTemplate", InfraClusterTemplate}, {"Cluster", InfraCluster},
		{"ControlPlaneTemplate", ControlPlaneTemplate}, {"ControlPlane", ControlPlane},
		{"IPPool", IPPool},
	}},
	{"bootstrap-", "bootstrap", []kindSuffix{
		{"ConfigTemplate", BootstrapConfigTemplate}, {"Config", BootstrapConfig},
	}},
	{"control-plane-", "controlplane", []kindSuffix{
		{"ControlPlaneTemplate", ControlPlaneTemplate}, {"ControlPlane", ControlPlane},
	}},
	{"ipam-", "ipam", []kindSuffix{{"Pool", IPPool}}},
}

// coreGroups lists the groups of Cluster API itself, whose kinds no provider
// serves.
var coreGroups = []string{"cluster.x-k8s.io", "addons.cluster.x-k8s.io", "runtime.cluster.x-k8s.io",
	"clusterctl.cluster.x-k8s.io", "operator.cluster.x-k8s.io"}

// IsCore reports whether a group belongs to Cluster API itself.
func IsCore(group string) bool { return slices.Contains(coreGroups, group) }

// Of returns the role of a kind by its group and name, and by the labels of
// its definition. labels may be nil.
func Of(group, kind string, labels map[string]string) Role {
	if IsCore(group) {
		return None
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
	return None
}

// All lists the roles.
func All() []Role {
	return []Role{InfraCluster, InfraMachine, InfraMachinePool, BootstrapConfig, ControlPlane, IPPool,
		InfraClusterTemplate, InfraMachineTemplate, InfraMachinePoolTemplate, BootstrapConfigTemplate, ControlPlaneTemplate}
}

// IsTemplate reports whether objects of the role are templates for others.
func (r Role) IsTemplate() bool { return strings.HasSuffix(string(r), "Template") }

// HasStatus reports whether core reads a status of the role.
func (r Role) HasStatus() bool { return r != None && r != IPPool && !r.IsTemplate() }
