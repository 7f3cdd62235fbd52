// Package v1beta1 is the API of the provider: clusters and machines of OpenStack.
//
// This package and config/crd define the same API; a test compares them.
//
// +kubebuilder:object:generate=true
// +groupName=infrastructure.openstack.kstatus.dev
package v1beta1

import "k8s.io/apimachinery/pkg/runtime/schema"

// GroupVersion is the group and the version of all kinds of this package.
var GroupVersion = schema.GroupVersion{Group: "infrastructure.openstack.kstatus.dev", Version: "v1beta1"}
