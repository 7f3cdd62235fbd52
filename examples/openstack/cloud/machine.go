package cloud

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
	FlavorName                 string // servers have the name of the flavor, and not its ID
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
