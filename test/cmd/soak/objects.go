package main

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/observe"
	"kstatus.dev/test/lib/manifest"
)

// The namespaces: one that stays, and one that is deleted and recreated.
const (
	stableNamespace  = "soak"
	deletedNamespace = "soak-passing"
)

// A kindSpec is one kind of the objects, and their number.
type kindSpec struct {
	resource  schema.GroupVersionResource
	kind      string
	namespace string
	many      int
	spec      func() map[string]any // fields in addition to the metadata
}

var (
	deployments  = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	statefulSets = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}
	jobs         = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
	configMaps   = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	namespaces   = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	gadgets      = schema.GroupVersionResource{Group: "soak.example.com", Version: "v1", Resource: "gadgets"}
	widgets      = schema.GroupVersionResource{Group: "soak.example.com", Version: "v1", Resource: "widgets"}
	definitions  = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

// prefixes are the prefixes of their keys in etcd.
var prefixes = []string{
	"/registry/deployments/" + stableNamespace, "/registry/statefulsets/" + stableNamespace, "/registry/jobs/" + stableNamespace,
	"/registry/configmaps/" + stableNamespace, "/registry/namespaces/" + stableNamespace, "/registry/soak.example.com/",
}

var kindSpecs = []kindSpec{
	{namespaces, "Namespace", "", 1, nil},
	{deployments, "Deployment", stableNamespace, 40, func() map[string]any { return workload(2) }},
	{statefulSets, "StatefulSet", stableNamespace, 4, func() map[string]any { return workload(2) }},
	{jobs, "Job", stableNamespace, 12, nil}, // created by work
	{configMaps, "ConfigMap", stableNamespace, 100, nil},
	{gadgets, "Gadget", stableNamespace, 30, func() map[string]any { return map[string]any{"spec": map[string]any{"step": int64(0)}} }},
	{widgets, "Widget", stableNamespace, 10, nil},
	{configMaps, "ConfigMap", deletedNamespace, 3, nil},
	{deployments, "Deployment", deletedNamespace, 2, func() map[string]any { return workload(1) }},
}

// A testObject is one object that may exist.
type testObject struct {
	family *kindSpec
	name   string
}

// testObjects returns all of them.
func testObjects() (all []*testObject) {
	for i := range kindSpecs {
		f := &kindSpecs[i]
		for n := range f.many {
			name := fmt.Sprintf("%s-%d", f.resource.Resource, n)
			if f.kind == "Namespace" {
				name = deletedNamespace
			}
			all = append(all, &testObject{f, name})
		}
	}
	return all
}

func (t *testObject) target() observe.Target {
	return manifest.Target(t.family.resource.Group, t.family.kind, t.family.namespace, t.name)
}

func (t *testObject) at(client dynamic.Interface) dynamic.ResourceInterface {
	return client.Resource(t.family.resource).Namespace(t.family.namespace)
}

// create creates the thing, with fields in addition to the metadata.
func (t *testObject) create(ctx context.Context, client dynamic.Interface, body map[string]any) error {
	obj := &unstructured.Unstructured{Object: map[string]any{}}
	for k, v := range body {
		obj.Object[k] = v
	}
	if spec, ok := body["spec"].(map[string]any); ok && spec["template"] != nil && t.family.kind != "Job" {
		labels := map[string]any{"app": t.name}
		spec["selector"] = map[string]any{"matchLabels": labels}
		spec["template"].(map[string]any)["metadata"] = map[string]any{"labels": labels}
	}
	obj.SetGroupVersionKind(t.family.resource.GroupVersion().WithKind(t.family.kind))
	obj.SetName(t.name)
	_, err := t.at(client).Create(ctx, obj, metav1.CreateOptions{})
	return err
}

// makes creates the thing as its family defines it.
func (t *testObject) make(ctx context.Context, client dynamic.Interface) error {
	var body map[string]any
	if t.family.spec != nil {
		body = t.family.spec()
	}
	return t.create(ctx, client, body)
}

// workload returns the spec of an object that creates Pods.
func workload(replicas int64) map[string]any {
	return map[string]any{"spec": map[string]any{
		"replicas": replicas,
		"template": map[string]any{"spec": map[string]any{
			"terminationGracePeriodSeconds": int64(0),
			"containers":                    []any{map[string]any{"name": "c", "image": "registry.example.com/c"}},
		}},
	}}
}

// task returns the spec of a Job.
func task(seconds, ttl int64) map[string]any {
	return map[string]any{"spec": map[string]any{
		"ttlSecondsAfterFinished": ttl,
		"template": map[string]any{"spec": map[string]any{
			"restartPolicy": "Never",
			"containers": []any{map[string]any{"name": "c", "image": "registry.example.com/c",
				"command": []any{"sleep", fmt.Sprint(seconds)}}},
		}},
	}}
}

// fill creates the namespace and its initial objects.
func (s *soakRun) fill(ctx context.Context) error {
	for _, name := range []string{stableNamespace, deletedNamespace} {
		space := &testObject{&kindSpecs[0], name}
		if err := space.make(ctx, s.objects); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("make namespace %s: %w", name, err)
		}
	}
	for _, t := range s.objectList {
		if t.family.resource == jobs || t.family.kind == "Namespace" {
			continue
		}
		if err := t.make(ctx, s.objects); err != nil {
			return fmt.Errorf("make %s: %w", t.target(), err)
		}
	}
	return nil
}

// definitionText defines a kind with a slow controller, and one that is removed and added
// again.
func definitionText() string {
	const simple = "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}}"
	return manifest.Definition(gadgets.Group, "Gadget", manifest.V1("spec: {type: object, properties: {step: {type: integer}}}, status: "+manifest.Promises)) +
		"---\n" + manifest.Definition(widgets.Group, "Widget", simple)
}
