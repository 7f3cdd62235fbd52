package helm

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"helm.sh/helm/v4/pkg/kube"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/resource"

	"kstatus.dev/kube/wiretest"
)

// deployment is a Deployment that is Current.
func deployment(generation int64, image string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"namespace": "shop", "name": "web", "uid": "d", "generation": generation},
		"spec": map[string]any{"replicas": int64(1), "template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "app", "image": image}}}}},
		"status": map[string]any{"observedGeneration": generation, "replicas": int64(1), "updatedReplicas": int64(1), "readyReplicas": int64(1), "availableReplicas": int64(1),
			"conditions": []any{map[string]any{"type": "Available", "status": "True"}}},
	}}
}

// A wait for what Helm has written fails if another program runs instead.
func TestReplacedObjects(t *testing.T) {
	for _, row := range []struct {
		it      string
		written *unstructured.Unstructured
		want    string // part of the error; empty: success
	}{
		{"accepts what was written", deployment(3, "web:1"), ""},
		{"accepts a later generation with the same template", deployment(2, "web:1"), ""},
		{"fails if another image runs", deployment(2, "web:2"), "another change has replaced generation 2, which was applied, by generation 3"},
		{"compares nothing with a manifest", deployment(0, "web:2"), ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := wiretest.New(t, wiretest.Resource{Group: "apps", Version: "v1", Kind: "Deployment", Name: "deployments"})
				server.Put(deployment(3, "web:1"))
				w := &waiter{client: Wrap(kube.New(genericclioptions.NewConfigFlags(true))), config: server.Config()}
				info := &resource.Info{Namespace: "shop", Name: "web", Object: row.written, Mapping: &meta.RESTMapping{
					Resource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, Scope: meta.RESTScopeNamespace,
					GroupVersionKind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}}}
				err := w.Wait(kube.ResourceList{info}, time.Minute)
				if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
					t.Errorf("have %v, want %q", err, row.want)
				}
			})
		})
	}
}
