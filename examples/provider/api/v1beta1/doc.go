// Package v1beta1 is the API of the provider: clusters and machines on a shelf.
//
// What is written here and in config/crd is one contract; a test holds them together.
//
// +kubebuilder:object:generate=true
// +groupName=infrastructure.cluster.x-k8s.io
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and the version of all kinds of this package.
var GroupVersion = schema.GroupVersion{Group: "infrastructure.cluster.x-k8s.io", Version: "v1beta1"}

// AddToScheme makes the kinds known to a scheme.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion,
		&ShelfCluster{}, &ShelfClusterList{}, &ShelfClusterTemplate{}, &ShelfClusterTemplateList{},
		&ShelfMachine{}, &ShelfMachineList{}, &ShelfMachineTemplate{}, &ShelfMachineTemplateList{},
	)
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

// Initialization is what the contract of Cluster API calls so. Core goes on when Provisioned is
// true, and the value never returns to false.
//
// +kubebuilder:validation:MinProperties=1
type Initialization struct {
	// Provisioned says that the infrastructure was complete for the first time.
	Provisioned *bool `json:"provisioned,omitempty"`
}

// TemplateMeta is the metadata that objects made from a template get.
type TemplateMeta struct {
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}
