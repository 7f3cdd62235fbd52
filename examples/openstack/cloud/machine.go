package cloud

import (
	"context"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
)

// MachineSpec is the server of a machine.
type MachineSpec struct {
	Image, Flavor  Filter
	ServerGroup    *Filter // nil means none
	SSHKeyName     string
	Zone           string     // empty means any
	Network        Network    // of the cluster: that of ports without a network
	Ports          []PortSpec // empty means one port in Network
	SecurityGroups []Filter   // of ports without groups of their own
	ManagedGroups  []Ref      // the group that the cluster has for the machine, for the same ports
	Metadata       map[string]string
	Tags           []string // in addition to those of the owner
	ConfigDrive    bool
}

// PortSpec is a port of a server.
type PortSpec struct {
	Network             *Filter // nil means that of the cluster
	FixedIPs            []FixedIP
	SecurityGroups      []Filter // empty means those of the machine
	NameSuffix          string   // empty means the index of the port
	DisablePortSecurity bool
	Tags                []string
}

// FixedIP is an address of a port: a subnet, an address, or both.
type FixedIP struct {
	Subnet  *Filter
	Address string
}

// Resolved is a MachineSpec whose references are all found.
type Resolved struct {
	Image, Flavor, ServerGroup string // IDs
	SSHKeyName, Zone           string
	Ports                      []ResolvedPort
	Metadata                   map[string]string
	Tags                       []string
	ConfigDrive                bool
}

// ResolvedPort is a PortSpec whose references are all found.
type ResolvedPort struct {
	NameSuffix          string
	Network             string       // its ID
	FixedIPs            []ResolvedIP // empty means any address
	SecurityGroups      []string     // IDs; empty means the default group of the project
	DisablePortSecurity bool
	Tags                []string
}

// ResolvedIP is the ID of a subnet, an address, or both.
type ResolvedIP struct{ Subnet, Address string }

// Port is a port that exists.
type Port struct {
	ID, Name, Network string
	Addresses         []string
}

// UserData is the bootstrap data of a machine. It is a secret.
type UserData []byte

// ResolveMachine finds everything that a machine refers to, before anything is created. It returns a
// failure DependencyNotFound or AmbiguousReference for the first one that it cannot find.
func (c *Cloud) ResolveMachine(ctx context.Context, spec MachineSpec) (Resolved, error) {
	return Resolved{}, errMissing
}

// EnsurePorts creates the ports of a machine.
func (c *Cloud) EnsurePorts(ctx context.Context, o Owner, machine string, r Resolved) ([]Port, error) {
	return nil, errMissing
}

// EnsureServer returns the server of a machine, and creates it if it does not exist. It returns servers
// in all states, also BUILD and ERROR: the caller classifies them.
func (c *Cloud) EnsureServer(ctx context.Context, o Owner, machine string, r Resolved, p []Port, data UserData) (*servers.Server, error) {
	return nil, errMissing
}

// FindServer returns the server of a machine by its name, and nil if it does not exist.
func (c *Cloud) FindServer(ctx context.Context, o Owner, machine string) (*servers.Server, error) {
	return nil, errMissing
}

// Server returns the server of a machine by its ID. A missing server is the failure of classify.Gone;
// compare the project before you believe it.
func (c *Cloud) Server(ctx context.Context, o Owner, machine, id string) (*servers.Server, error) {
	return nil, errMissing
}

// EnsureServerTags sets the tags of a server and of its ports, if they have others.
func (c *Cloud) EnsureServerTags(ctx context.Context, o Owner, machine string, s *servers.Server, tags []string) error {
	return errMissing
}
