package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/yaml"

	"kstatus.dev/test/lib/apply"
)

// An applyArgs is the parsed arguments of apply and remove: [-in CONTEXT] [-to FILE] [-k] PATH.
type applyArgs struct {
	namespace string
	to        string
	objects   []*unstructured.Unstructured
}

func (s *stage) parseApplyArgs(abs func(string) string, args []string) (d applyArgs, err error) {
	d.namespace = s.namespace
	read := apply.File
	for len(args) > 1 {
		switch args[0] {
		case "-in":
			d.namespace = s.contexts[args[1]]
			args = args[1:]
		case "-to":
			d.to = abs(args[1])
			args = args[1:]
		case "-k":
			read = apply.Kustomization
		}
		args = args[1:]
	}
	if len(args) != 1 || d.namespace == "" {
		return d, errors.New("want [-in CONTEXT] [-to FILE] [-k] PATH")
	}
	d.objects, err = read(abs(args[0]))
	return d, err
}

func (s *stage) apply(abs func(string) string, args []string) error {
	d, err := s.parseApplyArgs(abs, args)
	if err != nil {
		return err
	}
	list := &unstructured.UnstructuredList{Object: map[string]any{"apiVersion": "v1", "kind": "List"}}
	taken := func(u *unstructured.Unstructured) { list.Items = append(list.Items, *u) }
	if err := apply.To(context.Background(), s.cluster.Config(), d.namespace, d.objects, taken); err != nil || d.to == "" {
		return err
	}
	text, err := yaml.Marshal(list.UnstructuredContent())
	if err != nil {
		return err
	}
	return os.WriteFile(d.to, text, 0o600)
}

func (s *stage) remove(abs func(string) string, args []string) error {
	d, err := s.parseApplyArgs(abs, args)
	if err != nil {
		return err
	}
	return apply.Delete(context.Background(), s.cluster.Config(), d.namespace, d.objects, nil)
}

// report writes the status of objects, as their controller would.
func (s *stage) report(abs func(string) string, args []string) error {
	d, err := s.parseApplyArgs(abs, args)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(s.cluster.Config())
	if err != nil {
		return err
	}
	known, err := discovery.NewDiscoveryClientForConfig(s.cluster.Config())
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known))
	for _, o := range d.objects {
		kind := o.GroupVersionKind()
		mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			return err
		}
		to := client.Resource(mapping.Resource).Namespace(d.namespace)
		if _, err := to.ApplyStatus(context.Background(), o.GetName(), o, metav1.ApplyOptions{FieldManager: "controller", Force: true}); err != nil {
			return fmt.Errorf("report the status of %s %s: %w", o.GetKind(), o.GetName(), err)
		}
	}
	return nil
}
