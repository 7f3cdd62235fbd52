package audit

import (
	"slices"
	"testing"
)

// lampAt returns a version of an object.
func lampAt(kind, version string, observed float64) map[string]any {
	return map[string]any{"apiVersion": "example.com/v1", "kind": kind,
		"metadata": map[string]any{"name": "a", "namespace": "shop", "uid": kind, "resourceVersion": version, "generation": 9.0},
		"status":   map[string]any{"observedGeneration": observed}}
}

func TestGapIsOfItsKindOnly(t *testing.T) {
	a := New(Options{Rules: []*Rule{observedBackward}})
	for _, kind := range []string{"Lamp", "Door"} {
		a.Add(Write{Type: WriteModified, Object: lampAt(kind, "1", 3)})
	}
	a.Add(Write{Type: WriteGap, Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Door"}})
	for _, kind := range []string{"Lamp", "Door"} {
		a.Add(Write{Type: WriteModified, Object: lampAt(kind, "2", 2)})
	}
	var broken []string
	for _, f := range a.Findings() {
		broken = append(broken, f.Object.Kind)
	}
	if !slices.Equal(broken, []string{"Lamp"}) {
		t.Errorf("after a gap in what is known of Doors, findings are of %v, want Lamp", broken)
	}
}

func TestRelatedObjectsAreNotAudited(t *testing.T) {
	a := New(Options{Rules: []*Rule{observedBackward}})
	a.Add(Write{Type: WriteModified, Related: true, Object: lampAt("Lamp", "1", 3)})
	a.Add(Write{Type: WriteModified, Related: true, Object: lampAt("Lamp", "2", 2)})
	if all := a.Findings(); len(all) > 0 {
		t.Errorf("%s breaks %s, though it is there for others only", all[0].Object, all[0].Rule)
	}
}

func TestOnFinding(t *testing.T) {
	var reported []string
	a := New(Options{Rules: []*Rule{observedBackward}, OnFinding: func(f Finding) { reported = append(reported, f.Object.Kind) },
		Suppress: []Suppression{{Kind: "Door", Reason: "known"}}})
	for i, observed := range []float64{3, 2, 1} {
		for _, kind := range []string{"Lamp", "Door"} {
			a.Add(Write{Type: WriteModified, Object: lampAt(kind, []string{"1", "2", "3"}[i], observed)})
		}
	}
	a.Report()
	if !slices.Equal(reported, []string{"Lamp"}) {
		t.Errorf("findings are about %v, want the Lamp once, and of no Door, which is suppressed", reported)
	}
}
