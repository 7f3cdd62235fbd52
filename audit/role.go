package audit

import "strings"

// A Role is what a kind is to Cluster API; empty: nothing.
type Role string

// The roles.
const (
	Core            Role = "Core" // Cluster, Machine and the other kinds of Cluster API itself
	InfraCluster    Role = "InfraCluster"
	InfraMachine    Role = "InfraMachine"
	InfraPool       Role = "InfraMachinePool"
	BootstrapConfig Role = "BootstrapConfig"
	ControlPlane    Role = "ControlPlane"
)

// A KindRole says what role a kind has.
type KindRole struct {
	Group, Kind string
	Role        Role
}

// The groups of Cluster API, and the ends of the names of kinds that have a role there.
var rolesByName = []struct {
	group, suffix string
	role          Role
}{
	{"cluster.x-k8s.io", "", Core},
	{"infrastructure.cluster.x-k8s.io", "Template", ""},
	{"infrastructure.cluster.x-k8s.io", "Cluster", InfraCluster},
	{"infrastructure.cluster.x-k8s.io", "MachinePool", InfraPool},
	{"infrastructure.cluster.x-k8s.io", "Machine", InfraMachine},
	{"bootstrap.cluster.x-k8s.io", "Config", BootstrapConfig},
	{"controlplane.cluster.x-k8s.io", "ControlPlane", ControlPlane},
}

// Role returns what the object is to Cluster API.
func (l *Pass) Role() Role {
	for _, r := range l.auditor.options.Roles {
		if r.Group == l.New.ID.Group && r.Kind == l.New.ID.Kind {
			return r.Role
		}
	}
	for _, r := range rolesByName {
		if r.group == l.New.ID.Group && strings.HasSuffix(l.New.ID.Kind, r.suffix) {
			return r.role
		}
	}
	return ""
}
