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
		broken = append(broken, f.Object.Kind.Kind)
	}
	if !slices.Equal(broken, []string{"Lamp"}) {
		t.Errorf("after a gap in what is known of Doors, findings are of %v, want Lamp", broken)
	}
}

// After the restore of a backup, versions are lower than before, and are checked. Without one, a
// lower version is late.
func TestRestoredVersions(t *testing.T) {
	for _, row := range []struct {
		it       string
		gap      Write
		versions int
		findings int
	}{
		{"checks what follows the restore of a backup", Write{Type: WriteGap, Restored: true}, 4, 1},
		{"checks what follows the restore of another kind", Write{Type: WriteGap, Restored: true, Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Door"}}, 2, 0},
		{"ignores late versions after another gap", Write{Type: WriteGap}, 2, 0},
	} {
		t.Run(row.it, func(t *testing.T) {
			a := New(Options{Rules: []*Rule{observedBackward}})
			a.Add(Write{Type: WriteModified, Object: lampAt("Lamp", "99", 3)})
			a.Add(Write{Type: WriteModified, Object: lampAt("Lamp", "100", 3)})
			a.Add(row.gap)
			a.Add(Write{Type: WriteModified, Object: lampAt("Lamp", "50", 2), Existing: true})
			a.Add(Write{Type: WriteModified, Object: lampAt("Lamp", "51", 1)})
			r := a.Report()
			if r.Coverage.Versions != row.versions || len(r.Findings) != row.findings {
				t.Errorf("%d versions are checked with %d findings, want %d and %d", r.Coverage.Versions, len(r.Findings), row.versions, row.findings)
			}
		})
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
	a := New(Options{Rules: []*Rule{observedBackward}, OnFinding: func(f Finding) { reported = append(reported, f.Object.Kind.Kind) },
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
