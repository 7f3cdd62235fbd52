package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// OpenStackMachine is the server of a Machine. Its availability zone is the failure domain of the
// Machine.
//
// +kubebuilder:object:root=true
type OpenStackMachine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   OpenStackMachineSpec   `json:"spec,omitempty,omitzero"`
	Status OpenStackMachineStatus `json:"status,omitempty,omitzero"`
}

// OpenStackMachineSpec is the requested server. Until the server exists, all fields may change, so
// that a user can correct them. With a ProviderID, only IdentityRef and Tags may change.
type OpenStackMachineSpec struct {
	// ProviderID is the name of the server for Kubernetes; its Node has the same. The provider
	// sets it once, before it reports the server as provisioned.
	ProviderID string `json:"providerID,omitempty"`
	// IdentityRef is another identity than that of the OpenStackCluster.
	IdentityRef *IdentityReference `json:"identityRef,omitempty"`

	Image  Reference      `json:"image,omitempty,omitzero"`
	Flavor NamedReference `json:"flavor,omitempty,omitzero"`
	// Ports of the server. Without it, the server has one port in the network of the cluster.
	Ports []Port `json:"ports,omitempty"`
	// SecurityGroups of all ports without groups of their own, in addition to the managed ones.
	SecurityGroups []Reference     `json:"securityGroups,omitempty"`
	ServerGroup    *NamedReference `json:"serverGroup,omitempty"`
	// SSHKeyName is the name of a key pair.
	SSHKeyName     string            `json:"sshKeyName,omitempty"`
	ServerMetadata map[string]string `json:"serverMetadata,omitempty"`
	// Tags are set on the server and its ports. A tag that is added later is set on the server only.
	// A tag that is removed here stays: nothing shows who has set it.
	Tags []string `json:"tags,omitempty"`
	// ConfigDrive gives the server its bootstrap data on a disk, for clouds without a metadata
	// service.
	ConfigDrive bool `json:"configDrive,omitempty"`
}

// Port is a network interface of a server.
type Port struct {
	// Network is the network of the cluster by default.
	Network *Reference `json:"network,omitempty"`
	// FixedIPs are the addresses. Without it, the cloud chooses one in the subnet of the cluster, or
	// in any subnet of Network.
	FixedIPs []FixedIP `json:"fixedIPs,omitempty"`
	// SecurityGroups replace those of the machine and the managed ones.
	SecurityGroups []Reference `json:"securityGroups,omitempty"`
	// NameSuffix is the end of the port's name. Without it, the end is the index of the port.
	NameSuffix string `json:"nameSuffix,omitempty"`
	// DisablePortSecurity allows all traffic, from any address. The port has no security groups.
	DisablePortSecurity bool     `json:"disablePortSecurity,omitempty"`
	Tags                []string `json:"tags,omitempty"`
}

// FixedIP is an address of a port: a subnet, an address, or both.
type FixedIP struct {
	Subnet    *SubnetReference `json:"subnet,omitempty"`
	IPAddress string           `json:"ipAddress,omitempty"`
}

// OpenStackMachineStatus is the observed state of the server.
type OpenStackMachineStatus struct {
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	Initialization     Initialization     `json:"initialization,omitempty,omitzero"`
	Addresses          []MachineAddress   `json:"addresses,omitempty"`
	FailureDomain      string             `json:"failureDomain,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`

	// ProjectID is the project of the credentials. In another project, all resources seem missing.
	ProjectID string `json:"projectID,omitempty"`
	// InstanceID is the ID of the server.
	InstanceID string `json:"instanceID,omitempty"`
	// InstanceState is the status of the server, such as ACTIVE.
	InstanceState string `json:"instanceState,omitempty"`
}

// MachineAddress is one address of a server.
type MachineAddress struct {
	Type    string `json:"type"` // Hostname, ExternalIP, InternalIP, ExternalDNS or InternalDNS
	Address string `json:"address"`
}

// OpenStackMachineList is a list of OpenStackMachines.
//
// +kubebuilder:object:root=true
type OpenStackMachineList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []OpenStackMachine `json:"items"`
}

// OpenStackMachineTemplate is the template from which MachineSets and control planes create
// OpenStackMachines.
//
// +kubebuilder:object:root=true
type OpenStackMachineTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OpenStackMachineTemplateSpec `json:"spec,omitempty,omitzero"`
}

// OpenStackMachineTemplateSpec holds the template.
type OpenStackMachineTemplateSpec struct {
	Template OpenStackMachineTemplateResource `json:"template"`
}

// OpenStackMachineTemplateResource is an OpenStackMachine to create.
type OpenStackMachineTemplateResource struct {
	Metadata TemplateMeta         `json:"metadata,omitempty,omitzero"`
	Spec     OpenStackMachineSpec `json:"spec,omitempty,omitzero"`
}

// OpenStackMachineTemplateList is a list of OpenStackMachineTemplates.
//
// +kubebuilder:object:root=true
type OpenStackMachineTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []OpenStackMachineTemplate `json:"items"`
}

// GetConditions lets the conditions kit read the conditions.
func (m *OpenStackMachine) GetConditions() []metav1.Condition { return m.Status.Conditions }

// SetConditions lets the conditions kit write the conditions.
func (m *OpenStackMachine) SetConditions(list []metav1.Condition) { m.Status.Conditions = list }
