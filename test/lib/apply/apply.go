// Package apply applies manifests to a cluster with server-side apply, in an order in which the
// server accepts them. Tests and demonstrations use it on machines without kubectl.
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

// patience is how long an object waits for its requirements: its namespace, or the CRD of its
// kind from the same run.
const patience = 20 * time.Second

// kindOrder ranks the kinds that others need. All others come after them, in the given order.
var kindOrder = map[string]int{"Namespace": -3, "CustomResourceDefinition": -2, "ServiceAccount": -1}

// To applies objects with the field manager "apply". Objects without the namespace that their
// kind needs go to namespace. To calls done, unless nil, for each object that the API server
// has accepted. It stops at the first rejected object.
func To(ctx context.Context, config *rest.Config, namespace string, objects []*unstructured.Unstructured, done func(*unstructured.Unstructured)) error {
	s, err := connect(config, namespace)
	if err != nil {
		return err
	}
	for _, object := range sortByKind(objects) {
		taken, err := retryMissing(ctx, func() (*unstructured.Unstructured, error) { return s.apply(ctx, object) })
		if err != nil {
			return fmt.Errorf("apply %s %s: %w", object.GetKind(), object.GetName(), err)
		}
		if done != nil {
			done(taken)
		}
	}
	return nil
}

// Delete deletes objects, in the reverse order of their dependencies. It ignores missing
// objects and kinds, and does not wait for the end of the deletions.
func Delete(ctx context.Context, config *rest.Config, namespace string, objects []*unstructured.Unstructured, done func(*unstructured.Unstructured)) error {
	s, err := connect(config, namespace)
	if err != nil {
		return err
	}
	for _, object := range slices.Backward(sortByKind(objects)) {
		resource, object, err := s.resource(object)
		if err == nil {
			err = resource.Delete(ctx, object.GetName(), metav1.DeleteOptions{})
		}
		if err != nil && !errors.IsNotFound(err) && !meta.IsNoMatchError(err) {
			return fmt.Errorf("delete %s %s: %w", object.GetKind(), object.GetName(), err)
		}
		if err == nil && done != nil {
			done(object)
		}
	}
	return nil
}

// sortByKind sorts objects so that the API server can accept them in turn.
func sortByKind(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	sorted := slices.Clone(objects)
	slices.SortStableFunc(sorted, func(a, b *unstructured.Unstructured) int {
		return kindOrder[a.GetKind()] - kindOrder[b.GetKind()]
	})
	return sorted
}

// server is the API of a cluster, with a default namespace.
type server struct {
	client    dynamic.Interface
	mapper    *restmapper.DeferredDiscoveryRESTMapper
	namespace string
}

func connect(config *rest.Config, namespace string) (server, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return server{}, err
	}
	discoverer, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return server{}, err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discoverer))
	return server{client, mapper, namespace}, nil
}

// resource returns the client for the kind of an object, and a copy of the object. The copy has
// the default namespace if it needs one.
func (s server) resource(object *unstructured.Unstructured) (dynamic.ResourceInterface, *unstructured.Unstructured, error) {
	gvk := object.GroupVersionKind()
	mapping, err := s.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if meta.IsNoMatchError(err) {
		s.mapper.Reset()
	}
	if err != nil {
		return nil, object, err
	}
	if mapping.Scope.Name() != meta.RESTScopeNameNamespace {
		return s.client.Resource(mapping.Resource), object, nil
	}
	object = object.DeepCopy()
	if object.GetNamespace() == "" {
		object.SetNamespace(s.namespace)
	}
	return s.client.Resource(mapping.Resource).Namespace(object.GetNamespace()), object, nil
}

func (s server) apply(ctx context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	resource, object, err := s.resource(object)
	if err != nil {
		return nil, err
	}
	return resource.Apply(ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: "apply", Force: true})
}

// retryMissing retries a request that fails only because another object does not exist yet.
func retryMissing(ctx context.Context, try func() (*unstructured.Unstructured, error)) (*unstructured.Unstructured, error) {
	end := time.Now().Add(patience)
	for {
		taken, err := try()
		if err == nil || !isTooEarly(err) || time.Now().After(end) {
			return taken, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// isTooEarly reports whether an error may disappear when another object is created: the kind is
// unknown or not served yet, or the namespace is missing.
func isTooEarly(err error) bool {
	return meta.IsNoMatchError(err) || errors.IsNotFound(err) || errors.IsServiceUnavailable(err)
}
