package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ShelfCluster is the infrastructure that the machines of a Cluster share: a load balancer for
// its control plane.
//
// +kubebuilder:object:root=true
type ShelfCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ShelfClusterSpec   `json:"spec,omitempty,omitzero"`
	Status ShelfClusterStatus `json:"status,omitempty,omitzero"`
}

// ShelfClusterSpec is the requested infrastructure.
type ShelfClusterSpec struct {
	// ControlPlaneEndpoint is the address of the API server. A user may set an address of their
	// own; then the provider creates no load balancer. A complete endpoint does not change.
	ControlPlaneEndpoint APIEndpoint `json:"controlPlaneEndpoint,omitempty,omitzero"`
	// IdentityRef names the Secret with the token for the cloud. Without it, requests have none.
	IdentityRef SecretReference `json:"identityRef,omitempty,omitzero"`
	// Tags are set on all resources of the cluster in the cloud.
	Tags map[string]string `json:"tags,omitempty"`
}

// SecretReference names a Secret in the namespace of the object. Its key "token" has the token.
type SecretReference struct {
	Name string `json:"name,omitempty"`
}

// APIEndpoint is a host and a port, both or none.
type APIEndpoint struct {
	Host string `json:"host,omitempty"`
	Port int32  `json:"port,omitempty"`
}

// Complete reports whether both host and port are set.
func (e APIEndpoint) Complete() bool { return e.Host != "" && e.Port != 0 }

// ShelfClusterStatus is the observed state of the infrastructure.
type ShelfClusterStatus struct {
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	Initialization     Initialization     `json:"initialization,omitempty,omitzero"`
	FailureDomains     []FailureDomain    `json:"failureDomains,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
}

// FailureDomain is a zone of the cloud in which machines can be.
type FailureDomain struct {
	Name         string            `json:"name"`
	ControlPlane *bool             `json:"controlPlane,omitempty"`
	Attributes   map[string]string `json:"attributes,omitempty"`
}

// ShelfClusterList is a list of ShelfClusters.
//
// +kubebuilder:object:root=true
type ShelfClusterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ShelfCluster `json:"items"`
}

// ShelfClusterTemplate is the template from which a ClusterClass creates ShelfClusters.
//
// +kubebuilder:object:root=true
type ShelfClusterTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ShelfClusterTemplateSpec `json:"spec,omitempty,omitzero"`
}

// ShelfClusterTemplateSpec holds the template.
type ShelfClusterTemplateSpec struct {
	Template ShelfClusterTemplateResource `json:"template"`
}

// ShelfClusterTemplateResource is a ShelfCluster to create.
type ShelfClusterTemplateResource struct {
	Metadata TemplateMeta     `json:"metadata,omitempty,omitzero"`
	Spec     ShelfClusterSpec `json:"spec,omitempty,omitzero"`
}

// ShelfClusterTemplateList is a list of ShelfClusterTemplates.
//
// +kubebuilder:object:root=true
type ShelfClusterTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ShelfClusterTemplate `json:"items"`
}

// GetConditions lets the conditions kit read the conditions.
func (c *ShelfCluster) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions lets the conditions kit write the conditions.
func (c *ShelfCluster) SetConditions(list []metav1.Condition) { c.Status.Conditions = list }
