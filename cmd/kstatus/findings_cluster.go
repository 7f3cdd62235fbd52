package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/kube/crd"
)

// definitions is the resource of CustomResourceDefinitions.
var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// pageSize is how many objects one request lists.
const pageSize = 500

// eachObject lists objects page by page, and calls f for each, without its managed fields.
func eachObject(ctx context.Context, client dynamic.ResourceInterface, options metav1.ListOptions, f func(map[string]any)) error {
	options.Limit = pageSize
	for {
		page, err := client.List(ctx, options)
		if err != nil {
			return err
		}
		for _, one := range page.Items {
			one.SetManagedFields(nil)
			f(one.Object)
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return nil
		}
	}
}

// addObject adds an object of a cluster.
func (r *checkRun) addObject(o map[string]any) { r.add(o, objectPlace{file: -1}) }

// addDefinition adds a definition of a cluster as its author wrote it: without the
// status and what the server sets. Its annotation may have checks ignored.
func (r *checkRun) addDefinition(o map[string]any) {
	delete(o, "status")
	if meta, ok := o["metadata"].(map[string]any); ok {
		for _, set := range []string{"managedFields", "uid", "resourceVersion", "generation", "creationTimestamp", "selfLink"} {
			delete(meta, set)
		}
	}
	place := objectPlace{file: -1}
	for _, s := range crd.Annotated(o) {
		if c := checkCalled(lintChecks(), s.Check); c != nil {
			s.Check = c.Name
			place.suppressions = append(place.suppressions, s)
		}
	}
	r.add(o, place)
}
