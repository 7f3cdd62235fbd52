package expect

import (
	"fmt"
	"runtime"
	"testing"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// definition returns the definition of a kind of example.com, v1, whose status has these
// fields.
func definition(kind string, fields ...string) status.Map {
	properties := map[string]any{}
	for _, f := range fields {
		properties[f] = map[string]any{"type": "integer", "description": fmt.Sprintf("%01000d", 0)}
	}
	schema := map[string]any{"type": "object", "properties": map[string]any{"status": map[string]any{"type": "object", "properties": properties}}}
	return status.Map{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "x.example.com"},
		"spec": map[string]any{"group": "example.com", "names": map[string]any{"kind": kind}, "versions": []any{
			map[string]any{"name": "v1", "served": true, "subresources": map[string]any{"status": map[string]any{}}, "schema": map[string]any{"openAPIV3Schema": schema}},
		}},
	}
}

// The result from other objects counts until the definition contradicts it.
func TestPeersBelongToDefinition(t *testing.T) {
	of := status.Kind{Group: "example.com", Kind: "Widget"}
	k := new(Kinds)
	k.AddDefinition(definition("Widget", "phase"))
	k.setPeers(of, schema.Peers{Status: schema.TristateYes, Example: "Widget a"})
	k.AddDefinition(definition("Widget", "phase"))
	if have := k.Of("example.com/v1", "Widget"); have.Peers.Status != schema.TristateYes || !k.hasPeers(of) {
		t.Errorf("after the same definition: have %+v, want what others show", have)
	}
	k.AddDefinition(definition("Widget", "phase", "observedGeneration"))
	if have := k.Of("example.com/v1", "Widget"); have.Peers != (schema.Peers{}) || k.hasPeers(of) {
		t.Errorf("after another definition: have %+v, want nothing of others", have)
	}
}

func TestReported(t *testing.T) {
	k := new(Kinds)
	k.AddDefinition(definition("Widget", "observedGeneration"))
	k.AddDefinition(definition("Phased", "phase"))
	k.AddDefinition(definition("Static"))
	rows := []struct {
		it, kind    string
		subresource any // of the only write
		state       map[string]any
		want        bool
	}{
		{"is reported with a generation", "Widget", "status", map[string]any{"observedGeneration": int64(1)}, true},
		{"is not reported without the declared generation", "Widget", "status", map[string]any{"conditions": []any{}}, false},
		{"is not reported with a default", "Widget", "", map[string]any{"observedGeneration": int64(-1)}, false},
		{"is not reported without a write of the status", "Phased", "", nil, false},
		{"is reported with a write of the status", "Phased", "status", map[string]any{"phase": "x"}, true},
		{"is reported if its kind has no status", "Static", "", nil, true},
		{"is reported if nothing is known of its kind", "Strange", "", nil, true},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			o := status.Map{"apiVersion": "example.com/v1", "kind": row.kind, "status": row.state,
				"metadata": map[string]any{"managedFields": []any{map[string]any{"manager": "m", "subresource": row.subresource}}}}
			if have := k.Reported(o); have != row.want {
				t.Errorf("have %t", have)
			}
		})
	}
}

// The memory for a kind is less than 2 KiB, however large its definition is.
func TestMemoryPerKind(t *testing.T) {
	const many = 2000
	k := new(Kinds)
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	for i := range many {
		k.AddDefinition(definition(fmt.Sprintf("Kind%d", i), "observedGeneration", "conditions", "phase"))
	}
	per := (heap() - before) / many
	t.Logf("%d bytes per kind", per)
	if per > 2048 {
		t.Errorf("of a kind %d bytes are kept, more than 2048", per)
	}
	runtime.KeepAlive(k)
}
