package clusterreader_test

import (
	"context"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin/pkg/kstatus/polling/clusterreader"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/object"
)

var deployments = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}

// requests is a client that records its requests. Each object exists. Each list has one object.
type requests struct {
	client.Reader
	all []string
}

func (r *requests) Get(_ context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	r.all = append(r.all, "get "+obj.GetObjectKind().GroupVersionKind().Kind)
	obj.SetNamespace(key.Namespace)
	obj.SetName(key.Name)
	return unstructured.SetNestedField(obj.(*unstructured.Unstructured).Object, map[string]any{"matchLabels": map[string]any{"app": "web"}}, "spec", "selector")
}

func (r *requests) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	kind := list.GetObjectKind().GroupVersionKind()
	r.all = append(r.all, "list "+kind.Kind)
	u := unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"namespace": "shop", "name": "web-1", "labels": map[string]any{"app": "web"}}}}
	u.SetGroupVersionKind(kind)
	list.(*unstructured.UnstructuredList).Items = []unstructured.Unstructured{u}
	return nil
}

// A brokenMapper does not respond for Pods.
type brokenMapper struct{ meta.RESTMapper }

func (m brokenMapper) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	if kind.Kind == "Pod" {
		return nil, apierrors.NewServiceUnavailable("discovery is not available")
	}
	return m.RESTMapper.RESTMapping(kind, versions...)
}

func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper([]schema.GroupVersion{deployments.GroupVersion(), {Version: "v1"}})
	for _, kind := range []schema.GroupVersionKind{deployments, deployments.GroupVersion().WithKind("ReplicaSet"), {Version: "v1", Kind: "Pod"}} {
		m.Add(kind, meta.RESTScopeNamespace)
	}
	return m
}

// The direct reader passes on what it has not planned, before a round and after one that failed.
func TestDirectReaderListsWhatItHasNotPlanned(t *testing.T) {
	web := object.ObjMetadataSet{{Namespace: "shop", Name: "web", GroupKind: deployments.GroupKind()}}
	for _, row := range []struct {
		it     string
		mapper meta.RESTMapper
		ids    object.ObjMetadataSet
		sync   bool
		want   string
	}{
		{"has no target", mapper(), nil, true, "list ReplicaSet"},
		{"has not read a round", mapper(), web, false, "list ReplicaSet"},
		{"could not read a round", brokenMapper{mapper()}, web, true, "get Deployment, list ReplicaSet, list ReplicaSet"},
		{"has read a round", mapper(), web, true, "get Deployment, list ReplicaSet, list Pod"},
	} {
		t.Run(row.it, func(t *testing.T) {
			var client requests
			r, err := clusterreader.NewDirectClusterReader(&client, row.mapper, row.ids)
			if err != nil {
				t.Fatal(err)
			}
			if row.sync {
				if err := r.Sync(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			list(t, r, "shop")
			if have := strings.Join(client.all, ", "); have != row.want {
				t.Errorf("requests %s, want %s", have, row.want)
			}
		})
	}
}

func list(t *testing.T, r engine.ClusterReader, namespace string) {
	t.Helper()
	selector, err := labels.Parse("app=web")
	if err != nil {
		t.Fatal(err)
	}
	var found unstructured.UnstructuredList
	found.SetGroupVersionKind(deployments.GroupVersion().WithKind("ReplicaSet"))
	if err := r.ListNamespaceScoped(t.Context(), &found, namespace, selector); err != nil || len(found.Items) != 1 {
		t.Errorf("%d ReplicaSets, error %v, want one", len(found.Items), err)
	}
}
