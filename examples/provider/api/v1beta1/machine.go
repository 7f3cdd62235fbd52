package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ShelfMachine is the server of a Machine.
//
// +kubebuilder:object:root=true
type ShelfMachine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ShelfMachineSpec   `json:"spec,omitempty,omitzero"`
	Status ShelfMachineStatus `json:"status,omitempty,omitzero"`
}

// ShelfMachineSpec is the requested server.
type ShelfMachineSpec struct {
	// ProviderID is the name of the server for Kubernetes; its Node has the same. The provider
	// sets it once, before it reports the server as provisioned.
	ProviderID string `json:"providerID,omitempty"`
	// Size of the server: "small" or "large". It is immutable.
	Size string `json:"size,omitempty"`
	// Tags are set on the server. They may change.
	Tags map[string]string `json:"tags,omitempty"`
}

// ShelfMachineStatus is the observed state of the server.
type ShelfMachineStatus struct {
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	Initialization     Initialization     `json:"initialization,omitempty,omitzero"`
	Addresses          []MachineAddress   `json:"addresses,omitempty"`
	FailureDomain      string             `json:"failureDomain,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
}

// MachineAddress is one address of a server.
type MachineAddress struct {
	Type    string `json:"type"` // Hostname, ExternalIP, InternalIP, ExternalDNS or InternalDNS
	Address string `json:"address"`
}

// ShelfMachineList is a list of ShelfMachines.
//
// +kubebuilder:object:root=true
type ShelfMachineList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ShelfMachine `json:"items"`
}

// ShelfMachineTemplate is the template from which MachineSets and control planes create
// ShelfMachines.
//
// +kubebuilder:object:root=true
type ShelfMachineTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ShelfMachineTemplateSpec `json:"spec,omitempty,omitzero"`
}

// ShelfMachineTemplateSpec holds the template.
type ShelfMachineTemplateSpec struct {
	Template ShelfMachineTemplateResource `json:"template"`
}

// ShelfMachineTemplateResource is a ShelfMachine to create.
type ShelfMachineTemplateResource struct {
	Metadata TemplateMeta     `json:"metadata,omitempty,omitzero"`
	Spec     ShelfMachineSpec `json:"spec,omitempty,omitzero"`
}

// ShelfMachineTemplateList is a list of ShelfMachineTemplates.
//
// +kubebuilder:object:root=true
type ShelfMachineTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ShelfMachineTemplate `json:"items"`
}

// GetConditions lets the conditions kit read the conditions.
func (m *ShelfMachine) GetConditions() []metav1.Condition { return m.Status.Conditions }

// SetConditions lets the conditions kit write the conditions.
func (m *ShelfMachine) SetConditions(list []metav1.Condition) { m.Status.Conditions = list }
