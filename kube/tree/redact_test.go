package tree_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/internal/planted"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
)

// What is read of objects with secrets holds none of them, unless they are to be kept.
func TestFactsHoldNoSecrets(t *testing.T) {
	widgets := wiretest.Resource{Group: "example.com", Version: "v1", Kind: "Widget", Name: "widgets"}
	server := wiretest.New(t, widgets)
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Group: "example.com", Version: "v1"}})
	mapper.Add(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}, meta.RESTScopeNamespace)
	var ids []status.ID
	var plants []planted.Plant
	for i, p := range planted.Plants() {
		if p.Object["kind"] == "Widget" && i%4 == 0 {
			u := &unstructured.Unstructured{Object: p.Object}
			server.Put(u)
			ids, plants = append(ids, status.ID{Kind: status.Kind{Group: "example.com", Kind: "Widget"}, Namespace: "shop", Name: u.GetName()}), append(plants, p)
		}
	}
	for _, keep := range []bool{false, true} {
		facts, err := tree.Reader{Config: server.Config(), Mapper: mapper, KeepSecrets: keep, MaxRequests: 1000}.Collect(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, p := range plants {
			if p.FoundIn(fmt.Sprint(*facts)) {
				found++
			}
		}
		if len(facts.Objects) < len(ids) || keep && found < 50 || !keep && found > 0 {
			t.Errorf("keep is %t: %d of %d secrets are in %d objects", keep, found, len(plants), len(facts.Objects))
		}
	}
}
