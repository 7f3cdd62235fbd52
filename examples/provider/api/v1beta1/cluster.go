package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ShelfCluster is the infrastructure that the machines of a Cluster share: a load balancer that
// leads to its control plane.
//
// +kubebuilder:object:root=true
type ShelfCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ShelfClusterSpec   `json:"spec,omitempty,omitzero"`
	Status ShelfClusterStatus `json:"status,omitempty,omitzero"`
}

// ShelfClusterSpec is what the infrastructure is to be.
type ShelfClusterSpec struct {
	// ControlPlaneEndpoint is where the API server is reached. A user may give an address of
	// their own; then there is no load balancer. It does not change once it is complete.
	ControlPlaneEndpoint APIEndpoint `json:"controlPlaneEndpoint,omitempty,omitzero"`
	// Tags are put onto everything in the cloud that belongs to the cluster.
	Tags map[string]string `json:"tags,omitempty"`
}

// APIEndpoint is a host and a port, both or none.
type APIEndpoint struct {
	Host string `json:"host,omitempty"`
	Port int32  `json:"port,omitempty"`
}

// Complete says whether the endpoint leads anywhere.
func (e APIEndpoint) Complete() bool { return e.Host != "" && e.Port != 0 }

// ShelfClusterStatus is what the infrastructure is.
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

// ShelfClusterTemplate is what a ClusterClass makes ShelfClusters from.
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

// ShelfClusterTemplateResource is a ShelfCluster to be.
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

// GetConditions is how the conditions kit reads the conditions.
func (c *ShelfCluster) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions is how the conditions kit writes them.
func (c *ShelfCluster) SetConditions(list []metav1.Condition) { c.Status.Conditions = list }
