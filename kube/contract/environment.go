package contract

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// environment is where scenarios are played: a namespace of a cluster, and a stream of what happens there.
type environment struct {
	provider      Provider
	dynamic       dynamic.Interface
	mapper        meta.RESTMapper
	namespace     string
	ownsNamespace bool // the namespace is
	stream        *stream
}

var (
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	coreKind   = schema.GroupVersion{Group: "cluster.x-k8s.io", Version: "v1beta2"}
)

func newEnvironment(ctx context.Context, config *rest.Config, p Provider) (*environment, error) {
	config = rest.CopyConfig(config)
	config.UserAgent, config.QPS = "kstatus-contract", -1
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	discoverer, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	st := &environment{
		provider: p, dynamic: client, namespace: p.Namespace,
		mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discoverer)),
	}
	if err := st.open(ctx); err != nil {
		return nil, errors.Join(err, st.close(ctx))
	}
	return st, nil
}

// open makes the namespace and what objects need, and begins to watch.
func (st *environment) open(ctx context.Context) error {
	if st.namespace == "" {
		made := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"generateName": "kstatus-contract-"},
		}}
		made, err := st.dynamic.Resource(namespaces).Create(ctx, made, metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("contract: a namespace: %w", err)
		}
		st.namespace, st.ownsNamespace = made.GetName(), true
	}
	for _, obj := range st.provider.Also {
		if _, err := st.create(ctx, obj); err != nil {
			return err
		}
	}
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	st.stream = &stream{stop: stop, versions: map[string][]*unstructured.Unstructured{}, gone: map[string]bool{}}
	kinds := []schema.GroupVersionKind{coreKind.WithKind("Cluster"), st.provider.InfraCluster.GroupVersionKind()}
	if st.provider.InfraMachine != nil {
		kinds = append(kinds, st.provider.InfraMachine.GroupVersionKind())
	}
	for _, kind := range kinds {
		resource, err := st.resource(kind)
		if err != nil {
			return err
		}
		if err := st.stream.follow(following, kind.Kind, resource); err != nil {
			return err
		}
	}
	return nil
}

// close ends the stream and removes the namespace, if it is ours.
func (st *environment) close(ctx context.Context) error {
	if st.stream != nil {
		st.stream.close()
	}
	if !st.ownsNamespace {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return st.dynamic.Resource(namespaces).Delete(ctx, st.namespace, metav1.DeleteOptions{})
}

// resource is where objects of a kind are: in the namespace, if they are in any.
func (st *environment) resource(kind schema.GroupVersionKind) (dynamic.ResourceInterface, error) {
	mapping, err := st.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, fmt.Errorf("contract: kind %s: %w", kind, err)
	}
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return st.dynamic.Resource(mapping.Resource), nil
	}
	return st.dynamic.Resource(mapping.Resource).Namespace(st.namespace), nil
}

// create makes an object as it is given, in the namespace.
func (st *environment) create(ctx context.Context, obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	resource, err := st.resource(obj.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	obj = obj.DeepCopy()
	obj.SetNamespace(st.namespace) // the server ignores it where there is none
	made, err := resource.Create(ctx, obj, metav1.CreateOptions{FieldManager: manager})
	if err != nil {
		return nil, fmt.Errorf("create %s %s: %w", obj.GetKind(), obj.GetName(), err)
	}
	return made, nil
}

// manager is the name that fields written by this package belong to.
const manager = "kstatus-contract"
