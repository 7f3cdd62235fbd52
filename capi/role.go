package capi

import (
	"fmt"
	"slices"
	"strings"
)

// A Role is what the core of Cluster API takes a kind for.
type Role string

// The roles. A kind without one has no part in the contract.
const (
	NoRole           Role = ""
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

// A provider is a family of providers: how its kinds are told from others, by
// the label cluster.x-k8s.io/provider or else by the first word of their group,
// and what the names of its kinds end in.
type provider struct {
	Label, Group string
	Kinds        []kindSuffix
}

// A kindSuffix is what the name of a kind with a role ends in. The longest match counts.
type kindSuffix struct {
	Suffix string
	Role   Role
}

// Managed control planes stand in groups of infrastructure, and so do some pools of addresses.
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

// The groups of Cluster API itself; their kinds are what providers serve.
var coreGroups = []string{"cluster.x-k8s.io", "addons.cluster.x-k8s.io", "runtime.cluster.x-k8s.io",
	"clusterctl.cluster.x-k8s.io", "operator.cluster.x-k8s.io"}

// RoleOf returns the role of a kind by its names, and by the labels of its
// definition where there is one.
func RoleOf(group, kind string, labels map[string]string) Role {
	if slices.Contains(coreGroups, group) {
		return NoRole
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
	return NoRole
}

// Roles lists the roles.
func Roles() []Role {
	return []Role{InfraCluster, InfraMachine, InfraMachinePool, BootstrapConfig, ControlPlane, IPPool,
		InfraClusterTemplate, InfraMachineTemplate, InfraMachinePoolTemplate, BootstrapConfigTemplate, ControlPlaneTemplate}
}

// Template returns the role of the templates of a role; none for a template.
func (r Role) Template() Role {
	if t := r + "Template"; slices.Contains(Roles(), t) {
		return t
	}
	return NoRole
}

// IsTemplate reports whether objects of the role are templates for others.
func (r Role) IsTemplate() bool { return strings.HasSuffix(string(r), "Template") }

// Reports reports whether core reads a status of the role.
func (r Role) Reports() bool { return r != NoRole && r != IPPool && !r.IsTemplate() }

// ParseRole reads a setting such as "FooBox=InfraMachine".
func ParseRole(setting string) (kind string, role Role, err error) {
	kind, name, _ := strings.Cut(setting, "=")
	for _, r := range append(Roles(), "none") {
		if kind != "" && strings.EqualFold(name, string(r)) {
			if r == "none" {
				r = NoRole
			}
			return kind, r, nil
		}
	}
	names := "none"
	for _, r := range Roles() {
		names += ", " + string(r)
	}
	return "", NoRole, fmt.Errorf("role: found %q; want KIND=ROLE, and as role one of %s", setting, names)
}
