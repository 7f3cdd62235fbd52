package planner

import (
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/decoded"
)

// AcceptMissingIdentity is the name of the check about MissingIdentity, and the word that accepts
// its problems.
const AcceptMissingIdentity = "missing-identity"

// MissingIdentity returns the field of a provisioned Cluster or Machine by which its provider
// finds the existing infrastructure again, if that field is empty. Otherwise it returns an empty
// text.
func MissingIdentity(o *management.Object) string {
	provisioned := decoded.Bool(o.Object, "status", "initialization", "infrastructureProvisioned")
	switch o.Kind.GroupKind() {
	case management.Machine:
		if provisioned && decoded.Text(o.Object, "spec", "providerID") == "" {
			return "spec.providerID"
		}
	case management.Cluster:
		initialized := decoded.Bool(o.Object, "status", "initialization", "controlPlaneInitialized")
		if provisioned && initialized && decoded.Text(o.Object, "spec", "controlPlaneEndpoint", "host") == "" {
			return "spec.controlPlaneEndpoint.host"
		}
	}
	return ""
}
