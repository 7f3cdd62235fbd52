package findings

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/author/crd"
	kubeconnection "kstatus.dev/kube/connection"
)

// Definitions is the resource of CustomResourceDefinitions.
var Definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// EachObject lists objects in pages, and calls f for each object, without managedFields.
func EachObject(ctx context.Context, client dynamic.ResourceInterface, options metav1.ListOptions, f func(map[string]any)) error {
	var all []unstructured.Unstructured
	err := kubeconnection.EachPage(ctx, options, client.List, func(page *unstructured.UnstructuredList, isFirst bool) error {
		if isFirst {
			all = nil
		}
		for _, one := range page.Items {
			one.SetManagedFields(nil)
			all = append(all, one)
		}
		return nil
	})
	for _, one := range all {
		f(one.Object)
	}
	return err
}

// AddObject adds an object of a cluster.
func (r *Run) AddObject(o map[string]any) { r.add(o, Place{File: -1}) }

// AddDefinition adds a definition of a cluster without its status and the fields that the server
// sets. An annotation of the definition may ignore checks.
func (r *Run) AddDefinition(o map[string]any) {
	delete(o, "status")
	if meta, ok := o["metadata"].(map[string]any); ok {
		for _, set := range []string{"managedFields", "uid", "resourceVersion", "generation", "creationTimestamp", "selfLink"} {
			delete(meta, set)
		}
	}
	place := Place{File: -1}
	for _, s := range crd.AnnotationSuppressions(o) {
		if c := checkByName(LintChecks(), s.Check); c != nil {
			s.Check = c.Name
			place.suppressions = append(place.suppressions, s)
		}
	}
	r.add(o, place)
}
