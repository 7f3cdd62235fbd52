package census

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	peer "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/author/lint"
)

// The levels of fixing.
const (
	Before = "before"
	Safe   = "safe"   // after --fix
	Unsafe = "unsafe" // after --fix --unsafe
)

// A Proof is how the API server and the kstatus of fluxcd/cli-utils handle a definition at a
// level.
type Proof struct {
	Name    string
	Level   string
	Refused string            // why the API server does not accept the definition; empty if it does
	Fresh   map[string]string // by version: the status of a new object
}

var crds = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// Prove installs definitions in an API server. It installs each definition as it is, to see
// whether the API server accepts it. For the object, it installs a copy whose schema contains
// only the status, so that an object with just a name is valid. The copy has no conversion
// webhook, because none runs. Each level has its own group, so that levels do not conflict.
func Prove(ctx context.Context, config *rest.Config, levels map[string][]map[string]any) ([]Proof, error) {
	config = rest.CopyConfig(config)
	config.QPS, config.Burst = 200, 400
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	var all []Proof
	for _, level := range []string{Before, Safe, Unsafe} {
		for _, o := range levels[level] {
			all = append(all, Proof{Name: (&unstructured.Unstructured{Object: o}).GetName(), Level: level})
		}
	}
	errs := make([]error, len(all))
	var group sync.WaitGroup
	slots := make(chan struct{}, 6)
	at := 0
	for _, level := range []string{Before, Safe, Unsafe} {
		for _, o := range levels[level] {
			p, err := &all[at], &errs[at]
			group.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				*err = p.prove(ctx, client, o)
			})
			at++
		}
	}
	group.Wait()
	return all, errors.Join(errs...)
}

func (p *Proof) prove(ctx context.Context, client dynamic.Interface, definition map[string]any) error {
	whole := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(definition)}
	_, err := client.Resource(crds).Create(ctx, whole, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	switch {
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
		p.Refused = err.Error()
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	reduced := p.statusOnly(definition)
	c := lint.Bundle{Objects: []map[string]any{reduced}}.CRDs()[0]
	if !slices.ContainsFunc(c.Versions, isJudged) {
		return nil
	}
	if _, err := client.Resource(crds).Create(ctx, &unstructured.Unstructured{Object: reduced}, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("%s: install it with its status alone: %w", p.Name, err)
	}
	err = p.judgeObject(ctx, client, c)
	return errors.Join(err, client.Resource(crds).Delete(ctx, c.Name, metav1.DeleteOptions{}))
}

// statusOnly returns a copy whose schema contains only the status.
func (p *Proof) statusOnly(definition map[string]any) map[string]any {
	o := runtime.DeepCopyJSON(definition)
	spec, _ := o["spec"].(map[string]any)
	group, _ := spec["group"].(string)
	spec["group"] = p.Level + "." + group
	delete(spec, "conversion")
	delete(o, "status")
	meta, _ := o["metadata"].(map[string]any)
	plural, _, _ := strings.Cut(p.Name, ".")
	meta["name"] = plural + "." + p.Level + "." + group
	versions, _ := spec["versions"].([]any)
	for _, item := range versions {
		v, _ := item.(map[string]any)
		whole, _, _ := unstructured.NestedMap(v, "schema", "openAPIV3Schema", "properties")
		kept := map[string]any{"spec": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}}
		if whole["status"] != nil {
			kept["status"] = whole["status"]
		}
		v["schema"] = map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "properties": kept}}
		delete(v, "selectableFields")
		subresources, _ := v["subresources"].(map[string]any)
		delete(subresources, "scale")
	}
	return o
}

func isJudged(v lint.Version) bool { return v.Served && v.HasStatus() }

// judgeObject creates an object, and judges it in each version.
func (p *Proof) judgeObject(ctx context.Context, client dynamic.Interface, c lint.CRD) error {
	p.Fresh = map[string]string{}
	made := false
	for _, v := range c.Versions {
		if !isJudged(v) {
			continue
		}
		var resource dynamic.ResourceInterface = client.Resource(schema.GroupVersionResource{Group: c.Group, Version: v.Name, Resource: c.Plural})
		if c.Scope == "Namespaced" {
			resource = resource.(dynamic.NamespaceableResourceInterface).Namespace("default")
		}
		o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": c.Group + "/" + v.Name, "kind": c.Kind, "metadata": map[string]any{"name": "fresh"}}}
		err := retryUnserved(ctx, func() (err error) {
			if made {
				o, err = resource.Get(ctx, "fresh", metav1.GetOptions{})
				return err
			}
			fresh, err := resource.Create(ctx, o, metav1.CreateOptions{})
			if err == nil {
				o, made = fresh, true
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("%s %s: %w", c.Name, v.Name, err)
		}
		res, err := peer.Compute(o)
		if err != nil {
			return fmt.Errorf("%s %s: %w", c.Name, v.Name, err)
		}
		p.Fresh[v.Name] = string(res.Status)
	}
	return nil
}

// retryUnserved retries while a kind is not served yet.
func retryUnserved(ctx context.Context, try func() error) error {
	const patience = 2 * time.Minute
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := try()
		if err == nil || !apierrors.IsNotFound(err) && !apierrors.IsServiceUnavailable(err) && !apierrors.IsTooManyRequests(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}
