// Installer applies the manifests of a file and waits until the cluster has done what they request.
// If that fails, it prints the cause.
//
//	installer -f FILE [-n NAMESPACE] [-timeout 5m]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/explain"
	"kstatus.dev/kube/source"
	"kstatus.dev/kube/tree"
	"kstatus.dev/kube/wait"
	"kstatus.dev/status"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "installer:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	file := flag.String("f", "", "file with the manifests, as YAML or JSON")
	namespace := flag.String("n", "", "namespace of objects that name none; empty means that of the kubeconfig")
	timeout := flag.Duration("timeout", 5*time.Minute, "timeout of the whole installation")
	flag.Parse()
	objects, err := read(*file)
	if err != nil {
		return err
	}
	kubeconfig := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(), nil)
	config, err := kubeconfig.ClientConfig()
	if err != nil {
		return err
	}
	if *namespace == "" {
		if *namespace, _, err = kubeconfig.Namespace(); err != nil {
			return err
		}
	}
	in, err := newInstaller(config, *namespace)
	if err != nil {
		return err
	}
	installing, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	err = in.install(installing, objects)
	if unfinished, ok := errors.AsType[*wait.Unfinished](err); ok && ctx.Err() == nil {
		in.explain(ctx, unfinished)
	}
	return err
}

// An installer applies objects to a cluster and waits for them.
type installer struct {
	config    *rest.Config
	namespace string
	objects   dynamic.Interface
	mapper    *restmapper.DeferredDiscoveryRESTMapper
	client    *source.Client
	defined   map[schema.GroupKind]bool // the kinds of the definitions that were applied
}

func newInstaller(config *rest.Config, namespace string) (*installer, error) {
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	kinds, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	client, err := source.NewClient(config, source.Options{})
	if err != nil {
		return nil, err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(kinds))
	return &installer{config, namespace, objects, mapper, client, map[schema.GroupKind]bool{}}, nil
}

// install applies the objects that others depend on, waits for them, and then does the same
// with the others.
func (in *installer) install(ctx context.Context, objects []*unstructured.Unstructured) error {
	var first, rest []*unstructured.Unstructured
	for _, obj := range objects {
		switch obj.GetKind() {
		case "Namespace", "CustomResourceDefinition":
			first = append(first, obj)
			group, _, _ := unstructured.NestedString(obj.Object, "spec", "group")
			kind, _, _ := unstructured.NestedString(obj.Object, "spec", "names", "kind")
			in.defined[schema.GroupKind{Group: group, Kind: kind}] = true
		default:
			rest = append(rest, obj)
		}
	}
	for _, batch := range [][]*unstructured.Unstructured{first, rest} {
		var applied []runtime.Object
		for _, obj := range batch {
			result, err := in.apply(ctx, obj)
			if err != nil {
				return fmt.Errorf("apply %s %s: %w", obj.GetKind(), obj.GetName(), err)
			}
			applied = append(applied, result)
		}
		if err := in.wait(ctx, applied); err != nil {
			return err
		}
		in.mapper.Reset() // a definition may have added kinds
	}
	return nil
}

// apply returns the object as the API server returns it. With its generation, a wait recognizes
// an outdated status.
func (in *installer) apply(ctx context.Context, obj *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	kind := obj.GroupVersionKind()
	mapping, err := in.mapping(ctx, kind)
	if err != nil {
		return nil, err
	}
	var client dynamic.ResourceInterface = in.objects.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		namespace := obj.GetNamespace()
		if namespace == "" {
			namespace = in.namespace
		}
		client = in.objects.Resource(mapping.Resource).Namespace(namespace)
	}
	return client.Apply(ctx, obj.GetName(), obj, metav1.ApplyOptions{FieldManager: "installer", Force: true})
}

// mapping returns the mapping of a kind. The API server lists a new kind a moment after its definition
// is established, so it looks again for the kinds of the applied definitions.
func (in *installer) mapping(ctx context.Context, kind schema.GroupVersionKind) (*meta.RESTMapping, error) {
	for {
		mapping, err := in.mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if !meta.IsNoMatchError(err) || !in.defined[kind.GroupKind()] {
			return mapping, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(200 * time.Millisecond):
		}
		in.mapper.Reset()
	}
}

// wait prints every change of status until all objects are Current.
func (in *installer) wait(ctx context.Context, objects []runtime.Object) error {
	if len(objects) == 0 {
		return nil
	}
	resolver := wait.Resolver{Client: in.client}
	for e, err := range resolver.WaitForStatusOfObjects(ctx, objects...) {
		if err != nil {
			return err
		}
		fmt.Printf("%s %s: %s\n", e.Target, e.Result.Status, e.Message())
	}
	return nil
}

// explain prints why objects are not Current.
func (in *installer) explain(ctx context.Context, unfinished *wait.Unfinished) {
	var ids []status.ID
	for _, u := range unfinished.Board.Unmet() {
		ids = append(ids, u.Target.ID())
	}
	facts, err := tree.Reader{Config: in.config, Client: in.client, Logs: true}.Collect(ctx, ids)
	if err != nil {
		fmt.Fprintln(os.Stderr, "installer:", err)
		return
	}
	fmt.Fprint(os.Stderr, explain.Explain(facts, ids...).Text(facts.Now))
}

// read returns the objects of a file.
func read(name string) (objects []*unstructured.Unstructured, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	decoder := yaml.NewYAMLOrJSONDecoder(file, 4096)
	for {
		obj := &unstructured.Unstructured{}
		if err := decoder.Decode(&obj.Object); errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(obj.Object) > 0 {
			objects = append(objects, obj)
		}
	}
}
