// Package v1beta1 is the API of the provider: clusters and machines of OpenStack.
//
// This package and config/crd define the same API; a test compares them.
//
// +kubebuilder:object:generate=true
// +groupName=infrastructure.openstack.kstatus.dev
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and the version of all kinds of this package.
var GroupVersion = schema.GroupVersion{Group: "infrastructure.openstack.kstatus.dev", Version: "v1beta1"}

// AddToScheme adds the kinds to a scheme.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion,
		&OpenStackCluster{}, &OpenStackClusterList{}, &OpenStackClusterTemplate{}, &OpenStackClusterTemplateList{},
		&OpenStackMachine{}, &OpenStackMachineList{}, &OpenStackMachineTemplate{}, &OpenStackMachineTemplateList{},
	)
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

// Initialization is the field of this name in the contract of Cluster API. Core continues when
// Provisioned is true, and the value never returns to false.
//
// +kubebuilder:validation:MinProperties=1
type Initialization struct {
	// Provisioned reports whether the infrastructure has ever been complete.
	Provisioned *bool `json:"provisioned,omitempty"`
}

// TemplateMeta is the metadata that objects made from a template get.
type TemplateMeta struct {
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}
