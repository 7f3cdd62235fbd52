package planner

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/internal/management"
)

// AcceptMissingIdentity is the name of the check about MissingIdentity, and the word that accepts
// its problems.
const AcceptMissingIdentity = "missing-identity"

// MissingIdentity returns the field of a provisioned Cluster or Machine by which its provider
// finds the existing infrastructure again, if that field is empty. Otherwise it returns an empty
// text.
func MissingIdentity(o *management.Object) string {
	text := func(path ...string) string {
		s, _, _ := unstructured.NestedString(o.Object, path...)
		return s
	}
	provisioned, _, _ := unstructured.NestedBool(o.Object, "status", "initialization", "infrastructureProvisioned")
	switch o.Kind.GroupKind() {
	case management.Machine:
		if provisioned && text("spec", "providerID") == "" {
			return "spec.providerID"
		}
	case management.Cluster:
		initialized, _, _ := unstructured.NestedBool(o.Object, "status", "initialization", "controlPlaneInitialized")
		if provisioned && initialized && text("spec", "controlPlaneEndpoint", "host") == "" {
			return "spec.controlPlaneEndpoint.host"
		}
	}
	return ""
}
