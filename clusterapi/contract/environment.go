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
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/kube/connection"
)

// environment is the environment of the scenarios: a namespace of a cluster,
// and a stream of all changes in it.
type environment struct {
	provider      Provider
	dynamic       dynamic.Interface
	mapper        meta.RESTMapper
	namespace     string
	ownsNamespace bool // close deletes the namespace
	stream        *stream
}

var (
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	coreKind   = schema.GroupVersion{Group: "cluster.x-k8s.io", Version: "v1beta2"}
)

func newEnvironment(ctx context.Context, config *rest.Config, p Provider) (*environment, error) {
	server, err := connection.New(config, func(c *rest.Config) { c.UserAgent = "kstatus-contract" })
	if err != nil {
		return nil, err
	}
	env := &environment{
		provider: p, dynamic: server.Objects, namespace: p.Namespace,
		mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(server.Discovery)),
	}
	if err := env.open(ctx); err != nil {
		return nil, errors.Join(err, env.close(ctx))
	}
	return env, nil
}

// open creates the namespace and the objects' prerequisites, and starts the
// watches.
func (env *environment) open(ctx context.Context) error {
	if env.namespace == "" {
		created := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"generateName": "kstatus-contract-"},
		}}
		created, err := env.dynamic.Resource(namespaces).Create(ctx, created, metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("contract: create a namespace: %w", err)
		}
		env.namespace, env.ownsNamespace = created.GetName(), true
	}
	for _, obj := range env.provider.ExtraObjects {
		if _, err := env.create(ctx, obj); err != nil {
			return err
		}
	}
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	env.stream = &stream{stop: stop, versions: map[string][]*unstructured.Unstructured{}, gone: map[string]bool{}}
	kinds := []schema.GroupVersionKind{coreKind.WithKind("Cluster"), env.provider.InfraCluster.GroupVersionKind()}
	if env.provider.InfraMachine != nil {
		kinds = append(kinds, env.provider.InfraMachine.GroupVersionKind())
	}
	for _, kind := range kinds {
		resource, err := env.resource(kind)
		if err != nil {
			return err
		}
		if err := env.stream.follow(ctx, following, kind, resource); err != nil {
			return err
		}
	}
	return nil
}

// close ends the stream. It deletes the namespace if open has created it.
func (env *environment) close(ctx context.Context) error {
	if env.stream != nil {
		env.stream.close()
	}
	if !env.ownsNamespace {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return env.dynamic.Resource(namespaces).Delete(ctx, env.namespace, metav1.DeleteOptions{})
}

// resource returns the client for a kind, in the namespace if the kind is
// namespaced.
func (env *environment) resource(kind schema.GroupVersionKind) (dynamic.ResourceInterface, error) {
	mapping, err := env.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, fmt.Errorf("contract: kind %s: %w", kind, err)
	}
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return env.dynamic.Resource(mapping.Resource), nil
	}
	return env.dynamic.Resource(mapping.Resource).Namespace(env.namespace), nil
}

// create creates an object in the namespace.
func (env *environment) create(ctx context.Context, obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	resource, err := env.resource(obj.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	obj = obj.DeepCopy()
	obj.SetNamespace(env.namespace) // the server ignores it for cluster-scoped kinds
	created, err := resource.Create(ctx, obj, metav1.CreateOptions{FieldManager: manager})
	if err != nil {
		return nil, fmt.Errorf("create %s %s: %w", obj.GetKind(), obj.GetName(), err)
	}
	return created, nil
}

// manager is the field manager of this package.
const manager = "kstatus-contract"
