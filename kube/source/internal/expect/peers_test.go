package expect

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/status/schema"
)

func TestPeersOf(t *testing.T) {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	object := func(name string, age time.Duration, state map[string]any, subresource any) unstructured.Unstructured {
		u := unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Widget", "status": state,
			"metadata": map[string]any{"name": name, "namespace": "shop", "managedFields": []any{map[string]any{"manager": "m", "subresource": subresource}}},
		}}
		u.SetCreationTimestamp(metav1.NewTime(noon.Add(-age)))
		return u
	}
	observed := object("observed", time.Hour, map[string]any{"observedGeneration": int64(1)}, "status")
	written := object("written", time.Hour, map[string]any{"phase": "Ready"}, "status")
	young := object("young", time.Minute, nil, "")
	bare := object("bare", time.Hour, nil, "")
	defaulted := object("defaulted", time.Hour, map[string]any{"observedGeneration": int64(-1)}, "")
	rows := []struct {
		it   string
		all  []unstructured.Unstructured
		want schema.Peers
	}{
		{"is unknown without objects", nil, schema.Peers{}},
		{"is unknown with young objects", []unstructured.Unstructured{young}, schema.Peers{}},
		{"expects the fields of one object", []unstructured.Unstructured{young, observed}, schema.Peers{Status: schema.TristateYes, ObservedGeneration: schema.TristateYes, Example: "Widget shop/observed"}},
		{"expects only a status if no object has more", []unstructured.Unstructured{written, young}, schema.Peers{Status: schema.TristateYes, ObservedGeneration: schema.TristateNo, Example: "Widget shop/written"}},
		{"expects nothing if an old object has nothing", []unstructured.Unstructured{bare, young}, schema.Peers{Status: schema.TristateNo}},
		{"does not count defaults", []unstructured.Unstructured{defaulted}, schema.Peers{Status: schema.TristateNo}},
		{"is unknown if old objects differ", []unstructured.Unstructured{observed, bare, written}, schema.Peers{}},
		{"names an object with all fields", []unstructured.Unstructured{object("young too", time.Minute, map[string]any{"phase": "x"}, "status"), observed},
			schema.Peers{Status: schema.TristateYes, ObservedGeneration: schema.TristateYes, Example: "Widget shop/observed"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			if have := peersOf(row.all, noon); have != row.want {
				t.Errorf("have %+v, want %+v", have, row.want)
			}
		})
	}
}
