// Package apply brings manifests into a cluster by server-side apply, in the order
// in which they can be accepted. It is what kubectl apply is to people, for tests
// and for demonstrations on machines that have no kubectl.
package apply

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// patience is how long an object waits for what it needs first: the kind that a CRD
// of the same run defines, or the namespace it lives in.
const patience = 20 * time.Second

// first ranks the kinds that others need; all others come after them, in the order given.
var first = map[string]int{"Namespace": -3, "CustomResourceDefinition": -2, "ServiceAccount": -1}

// To applies objects, the fields of which then belong to the manager "apply".
// Objects that name no namespace and need one go to namespace. done is called for
// each object when the server has taken it; nil is fine. It stops at the first
// object that the server does not take.
func To(ctx context.Context, config *rest.Config, namespace string, objects []*unstructured.Unstructured, done func(*unstructured.Unstructured)) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	discoverer, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discoverer))
	ordered := slices.Clone(objects)
	slices.SortStableFunc(ordered, func(a, b *unstructured.Unstructured) int {
		return first[a.GetKind()] - first[b.GetKind()]
	})
	for _, object := range ordered {
		taken, err := patiently(ctx, func() (*unstructured.Unstructured, error) {
			return one(ctx, client, mapper, namespace, object)
		})
		if err != nil {
			return fmt.Errorf("apply %s %s: %w", object.GetKind(), object.GetName(), err)
		}
		if done != nil {
			done(taken)
		}
	}
	return nil
}

// one applies one object.
func one(ctx context.Context, client dynamic.Interface, mapper *restmapper.DeferredDiscoveryRESTMapper, namespace string, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	gvk := object.GroupVersionKind()
	mapping, err := mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if meta.IsNoMatchError(err) {
		mapper.Reset()
	}
	if err != nil {
		return nil, err
	}
	var resource dynamic.ResourceInterface = client.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		if object.GetNamespace() != "" {
			namespace = object.GetNamespace()
		}
		object = object.DeepCopy()
		object.SetNamespace(namespace)
		resource = client.Resource(mapping.Resource).Namespace(namespace)
	}
	return resource.Apply(ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: "apply", Force: true})
}

// patiently repeats what fails only because something else is not there yet.
func patiently(ctx context.Context, try func() (*unstructured.Unstructured, error)) (*unstructured.Unstructured, error) {
	end := time.Now().Add(patience)
	for {
		taken, err := try()
		if err == nil || !early(err) || time.Now().After(end) {
			return taken, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// early says whether an error may go away when something else arrives: the kind is
// unknown or not served yet, or the namespace is missing.
func early(err error) bool {
	return meta.IsNoMatchError(err) || errors.IsNotFound(err) || errors.IsServiceUnavailable(err)
}
