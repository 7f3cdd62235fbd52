package lint_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"sync"
	"testing"

	"kstatus.dev/author/lint"
)

// readBase reads the definition without findings, once.
var readBase = sync.OnceValues(func() (crd map[string]any, err error) {
	data, err := os.ReadFile("testdata/base.json")
	if err == nil {
		err = json.Unmarshal(data, &crd)
	}
	return crd, err
})

// base returns a copy of that definition.
func base(t testing.TB) map[string]any {
	t.Helper()
	crd, err := readBase()
	if err != nil {
		t.Fatal(err)
	}
	return withoutDefault(crd).(map[string]any)
}

func statusOf(crd map[string]any, version int) map[string]any {
	at, _ := crd["spec"].(map[string]any)["versions"].([]any)[version].(map[string]any)
	for _, key := range []string{"schema", "openAPIV3Schema", "properties", "status"} {
		at, _ = at[key].(map[string]any)
	}
	return at
}

// A schemaChange makes the schema of a status worse or unusual.
type schemaChange func(r *rand.Rand, status map[string]any)

func deleteAt(path ...string) schemaChange {
	return func(_ *rand.Rand, at map[string]any) {
		for _, key := range path[:len(path)-1] {
			at, _ = at[key].(map[string]any)
		}
		delete(at, path[len(path)-1])
	}
}

func setAt(value any, path ...string) schemaChange {
	return func(_ *rand.Rand, at map[string]any) {
		for _, key := range path[:len(path)-1] {
			at, _ = at[key].(map[string]any)
		}
		if at != nil {
			at[path[len(path)-1]] = value
		}
	}
}

var schemaChanges = []schemaChange{
	deleteAt("default"), deleteAt("properties", "observedGeneration"), deleteAt("properties", "observedGeneration", "default"),
	deleteAt("properties", "conditions"), deleteAt("properties"), deleteAt("properties", "conditions", "maxItems"),
	deleteAt("properties", "conditions", "x-kubernetes-list-type"), deleteAt("properties", "conditions", "items", "required"),
	deleteAt("properties", "conditions", "items", "properties", "reason"), deleteAt("properties", "conditions", "items", "properties", "observedGeneration"),
	deleteAt("properties", "conditions", "items", "properties", "status", "enum"), deleteAt("properties", "conditions", "items", "properties", "type"),
	deleteAt("properties", "conditions", "items"),
	setAt(float64(1), "properties", "observedGeneration", "minimum"), setAt(true, "properties", "observedGeneration", "exclusiveMinimum"),
	setAt("string", "properties", "observedGeneration", "type"), setAt(float64(0), "properties", "observedGeneration", "default"),
	setAt(float64(3), "properties", "observedGeneration", "default"), setAt("soon", "properties", "observedGeneration", "default"),
	setAt([]any{"ready"}, "required"), setAt([]any{"observedGeneration"}, "required"),
	setAt(map[string]any{"type": "boolean"}, "properties", "ready"), setAt(map[string]any{"type": "boolean", "default": true}, "properties", "ready"),
	setAt(map[string]any{"observedGeneration": float64(-1)}, "default"), setAt(map[string]any{"ready": true}, "default"),
	setAt(map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}, "default"),
	setAt(map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "Unknown"}}}, "default"),
	setAt(true, "x-kubernetes-preserve-unknown-fields"), setAt("odd", "default"), setAt([]any{}, "properties"),
	setAt(true, "properties", "conditions", "items", "properties", "status", "nullable"),
	setAt("object", "properties", "conditions", "type"),
	setAt([]any{map[string]any{"rule": "self >= 0"}}, "properties", "observedGeneration", "x-kubernetes-validations"),
}

// random returns a bundle with a definition of one to three versions with some changes of its
// schema.
func random(t testing.TB, r *rand.Rand) lint.Bundle {
	crd := base(t)
	spec := crd["spec"].(map[string]any)
	var versions []any
	for i := range 1 + r.IntN(3) {
		v := base(t)["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)
		v["name"], v["storage"], v["served"] = []string{"v1", "v1beta1", "v1alpha1"}[i], i == 0, r.IntN(5) > 0
		if r.IntN(4) == 0 {
			delete(v, "additionalPrinterColumns")
		}
		versions = append(versions, v)
	}
	spec["versions"] = versions
	if r.IntN(2) == 0 {
		spec["conversion"] = map[string]any{"strategy": "Webhook"}
	}
	for range r.IntN(6) {
		which := r.IntN(len(versions))
		if r.IntN(2) == 0 { // the same in all versions
			one := schemaChanges[r.IntN(len(schemaChanges))]
			for i := range versions {
				one(r, statusOf(crd, i))
			}
			continue
		}
		schemaChanges[r.IntN(len(schemaChanges))](r, statusOf(crd, which))
	}
	return lint.Bundle{Objects: []map[string]any{crd}}
}

// seeds is the number of random definitions that are fixed.
const seeds = 150

func TestFixesOfRandomDefinitions(t *testing.T) {
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			b := random(t, r)
			o := lint.Options{Foreign: r.IntN(2) == 0}
			if r.IntN(3) == 0 {
				o.Conditions = map[string][]string{"Lamp.example.com": {"Available", "Ready"}}
			}
			for _, unsafe := range []bool{false, true} {
				if err := checkFixes(b, unsafe, o); err != nil {
					text, _ := json.Marshal(b.Objects[0])
					t.Fatalf("unsafe %v: %v\n%s", unsafe, err, text)
				}
			}
		})
	}
}

// checkFixes verifies the properties of fixing: it ends with the same result each time, a
// second run changes nothing, and it makes no default invalid. Safe fixes keep every accepted
// object valid.
func checkFixes(b lint.Bundle, unsafe bool, o lint.Options) error {
	before := lint.Run(b, o)
	if !reflect.DeepEqual(before, lint.Run(b, o)) {
		return fmt.Errorf("two runs found different things")
	}
	fixed, err := lint.ApplyFixes(b, 0, unsafe, o)
	edits, after := fixed.Edits(), fixed.Bundle
	if err != nil {
		return err
	}
	if twice, _ := lint.ApplyFixes(b, 0, unsafe, o); !reflect.DeepEqual(edits, twice.Edits()) {
		return fmt.Errorf("two repairs made different edits")
	}
	if again, err := lint.ApplyFixes(after, 0, unsafe, o); err != nil || len(again.Findings) > 0 {
		return fmt.Errorf("a second repair made %v, error %v", again, err)
	}
	for _, f := range lint.Run(after, o) {
		if f.Check == "valid-defaults" {
			return fmt.Errorf("after the repair %s: %s", f.Path, f.Message)
		}
		if f.Check == "served-versions" && !unsafe && !hasFinding(before, "served-versions", "legacy-version", "valid-defaults", "positive-default") {
			return fmt.Errorf("a safe repair made versions differ: %s: %s", f.Version, f.Message)
		}
	}
	if !unsafe && !hasFinding(before, "valid-defaults") { // otherwise the API server has never accepted the definition
		return acceptsAsBefore(b, after)
	}
	return nil
}

// TestFixesOfManyVersions compares incremental fixing, which checks again only the changed
// versions, with the same checks as foreign ones, which run on all versions again.
func TestFixesOfManyVersions(t *testing.T) {
	foreign := make([]*lint.Check, len(lint.Checks))
	for i, c := range lint.Checks {
		same := *c
		foreign[i] = &same
	}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		b := random(t, r)
		spec := b.Objects[0]["spec"].(map[string]any)
		versions := spec["versions"].([]any)
		for range 3 {
			versions = append(versions, random(t, r).Objects[0]["spec"].(map[string]any)["versions"].([]any)...)
		}
		for i, v := range versions {
			v.(map[string]any)["name"], v.(map[string]any)["storage"] = fmt.Sprintf("v%d%s", i+1, []string{"", "beta1", "alpha1"}[r.IntN(3)]), i == 0
		}
		spec["versions"] = versions
		for _, o := range []lint.Options{{}, {Foreign: true}, {Validator: rejectingValidator{text: `"maxItems":32`}}} {
			unsafe := r.IntN(2) == 0
			once, err := lint.ApplyFixes(b, 0, unsafe, o)
			o.Checks = foreign
			each, want := lint.ApplyFixes(b, 0, unsafe, o)
			if !reflect.DeepEqual(once.Edits(), each.Edits()) || fmt.Sprint(err) != fmt.Sprint(want) {
				t.Fatalf("seed %d: made %d edits, error %v; want %d, %v", seed, len(once.Edits()), err, len(each.Edits()), want)
			}
		}
	}
}

func hasFinding(found []lint.Finding, checks ...string) bool {
	return slices.ContainsFunc(found, func(f lint.Finding) bool { return slices.Contains(checks, f.Check) })
}

// statuses are values of statuses.
var statuses = []any{
	nil, map[string]any{}, map[string]any{"ready": true}, map[string]any{"observedGeneration": float64(7)}, map[string]any{"observedGeneration": "7"},
	map[string]any{"ready": false, "observedGeneration": float64(2), "conditions": []any{map[string]any{"type": "Ready", "status": "True", "reason": "", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}}},
	map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "maybe"}, map[string]any{"type": "Ready"}}},
}

func acceptsAsBefore(before, after lint.Bundle) error {
	was, is := before.CRDs()[0], after.CRDs()[0]
	for i, v := range was.Versions {
		for _, status := range statuses {
			o := map[string]any{}
			if status != nil {
				o["status"] = status
			}
			stored := pruned(v.Schema, o)
			old := v.Schema.Refusal(v.Schema.WithDefaults(stored))
			now := is.Versions[i].Schema.Refusal(is.Versions[i].Schema.WithDefaults(stored))
			if old == "" && now != "" {
				return fmt.Errorf("a safe repair refuses %v in %s: %s", status, v.Name, now)
			}
		}
	}
	return nil
}

// pruned returns a value without unknown fields, as the API server stores it.
func pruned(s lint.Schema, value any) any {
	v, ok := value.(map[string]any)
	if !ok {
		return value
	}
	kept := map[string]any{}
	for name, child := range v {
		if below := s.Property(name); below.Exists() {
			kept[name] = pruned(below, child)
		} else if s.Node["x-kubernetes-preserve-unknown-fields"] == true {
			kept[name] = child
		}
	}
	return kept
}
