package tree_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"

	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/source"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
)

// A Reader without Config connects with the configuration of its Client.
func TestReaderWithClientOnly(t *testing.T) {
	server := wiretest.New(t, resources...)
	server.Put(&unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "p", "namespace": "shop", "uid": "1"},
	}})
	pods := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}})
	pods.Add(schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, meta.RESTScopeNamespace)
	client, err := source.NewClient(server.Config(), source.Options{Mapper: pods})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	id := status.ID{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "p"}
	facts, err := tree.Reader{Client: client, Mapper: pods}.Collect(t.Context(), []status.ID{id})
	if err != nil {
		t.Fatal(err)
	}
	if len(facts.Objects) != 1 || facts.Objects[0].Object == nil {
		t.Errorf("the Pod is not in the facts: %+v", facts)
	}
}

// A Reader that has no configuration at all returns an error that names the field.
func TestReaderWithoutConfig(t *testing.T) {
	objects := fake.NewSimpleDynamicClient(runtime.NewScheme())
	for name, r := range map[string]tree.Reader{
		"zero":                {},
		"clients of a caller": {Client: source.NewClientFor(source.Interfaces{Dynamic: objects}, source.Options{})},
	} {
		_, err := r.Collect(t.Context(), []status.ID{{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "p"}})
		if err == nil || !strings.Contains(err.Error(), "tree.Reader: want Config") {
			t.Errorf("%s: Collect returns %v", name, err)
		}
		widgets, err := mapper().RESTMapping(schema.GroupKind{Group: "example.com", Kind: "Widget"}, "v1")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.LikelyParts(t.Context(), widgets); err == nil {
			t.Errorf("%s: LikelyParts returns no error", name)
		}
	}
}
