package test

import (
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"kstatus.dev/status"
)

// Kinds that the API server answers at once and never stores. Waiting for them is impossible.
var neverStored = map[string]bool{
	"Binding": true, "RangeAllocation": true, "Scale": true, "PodStatusResult": true, "APIGroupDiscovery": true,
	"TokenRequest": true, "TokenReview": true, "SelfSubjectReview": true, "ImageReview": true,
	"LocalSubjectAccessReview": true, "SelfSubjectAccessReview": true, "SelfSubjectRulesReview": true, "SubjectAccessReview": true,
}

// Kinds that got a status in a later version of Kubernetes than the tested one. Their status
// has nothing to wait for.
var statusSince = map[status.Kind]string{
	{Group: "storage.k8s.io", Kind: "CSINode"}: "1.37, behind a feature gate",
}

// Every built-in kind of Kubernetes has a row in the table of rules. The row is right about
// whether the kind has a status.
func TestEveryBuiltinKindHasARow(t *testing.T) {
	rows := status.Profile{}.Rules()
	for _, kind := range []status.Kind{
		{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"},
		{Group: "apiregistration.k8s.io", Kind: "APIService"},
	} {
		if _, ok := rows[kind]; !ok {
			t.Errorf("%s has no row", kind)
		}
	}
	for gvk, typ := range scheme.Scheme.AllKnownTypes() {
		kind := status.Kind(gvk.GroupKind())
		if !stored(gvk, typ) {
			continue
		}
		t.Run(gvk.String(), func(t *testing.T) {
			row, ok := rows[kind]
			if !ok {
				t.Fatal("the kind has no row")
			}
			_, has := typ.FieldByName("Status")
			if since := statusSince[kind]; has == row.NoStatus && since == "" {
				t.Errorf("its type has a status: %v; its row says NoStatus: %v", has, row.NoStatus)
			}
		})
	}
}

// stored reports whether objects of the kind can be read by name.
func stored(gvk schema.GroupVersionKind, typ reflect.Type) bool {
	if neverStored[gvk.Kind] || strings.HasSuffix(gvk.Kind, "List") || gvk.Version == "__internal" ||
		gvk == (schema.GroupVersionKind{Group: "policy", Version: gvk.Version, Kind: "Eviction"}) {
		return false
	}
	meta, ok := typ.FieldByName("ObjectMeta")
	return ok && meta.Type == reflect.TypeFor[metav1.ObjectMeta]()
}
