package lint_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"kstatus.dev/author/lint"
)

// hostile are values that no definition should have, at any place.
var hostile = []any{
	nil, true, "", "x", "True", float64(-1), float64(3), 1e300, []any{}, []any{nil, float64(3), "type", map[string]any{}}, map[string]any{},
	map[string]any{"type": "array", "items": []any{}}, map[string]any{"type": "object", "default": map[string]any{"observedGeneration": float64(-1)}},
	map[string]any{"type": "string", "format": "date-time", "default": true, "nullable": true},
}

// checkHostileDefinition verifies that checks, fixes and verdicts neither panic nor fail, that
// fixing ends, and that a second run changes nothing.
func checkHostileDefinition(t *testing.T, crd map[string]any, unsafe bool) {
	t.Helper()
	b := lint.Bundle{Objects: []map[string]any{crd, {"apiVersion": "example.com/v1", "kind": "Lamp", "status": crd["spec"]}}}
	o := lint.Options{Validator: schemas{}, Foreign: unsafe}
	fixed, err := lint.ApplyFixes(b, 0, unsafe, o)
	edits, after := fixed.Edits(), fixed.Bundle
	if err != nil {
		t.Fatal(err)
	}
	if again, err := lint.ApplyFixes(after, 0, unsafe, o); err != nil || len(again.Findings) > 0 {
		t.Fatalf("after %v a second repair made %v, error %v", edits, again, err)
	}
	for _, c := range b.CRDs() {
		types, _ := o.DeclaredConditions(b, c)
		for _, v := range c.Versions {
			lint.ToolVerdicts(v, types...)
		}
	}
}

// replaceEach replaces each value in turn, calls try, and restores the value.
func replaceEach(at any, with any, try func(path string)) {
	switch node := at.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(node)) {
			was := node[k]
			node[k] = with
			try(k)
			node[k] = was
			replaceEach(was, with, func(path string) { try(k + "/" + path) })
		}
	case []any:
		for i, was := range node {
			node[i] = with
			try("item")
			node[i] = was
			replaceEach(was, with, func(path string) { try("item/" + path) })
		}
	}
}

func TestAnyValueAnywhere(t *testing.T) {
	for i, value := range hostile {
		t.Run(fmt.Sprintf("%v", value), func(t *testing.T) {
			crd := base(t)
			replaceEach(crd, value, func(path string) {
				defer func() {
					if p := recover(); p != nil {
						t.Fatalf("%s is %v: panic: %v", path, value, p)
					}
				}()
				checkHostileDefinition(t, crd, i%2 == 0)
			})
		})
	}
}

// FuzzLint makes a random definition, and then puts hostile values at places that the bytes
// select.
func FuzzLint(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, []byte{byte(seed), 3, 1, 4, 1, 5, 9, 2, 6}, seed%2 == 0)
	}
	f.Add(uint64(6), []byte("878"), false) // a required field that is true by default
	f.Fuzz(func(t *testing.T, seed uint64, places []byte, unsafe bool) {
		b := random(t, rand.New(rand.NewPCG(seed, 2)))
		for len(places) > 1 && len(places) < 200 {
			value := withoutDefault(hostile[int(places[0])%len(hostile)])
			places = put(b.Objects[0], value, places[1:])
		}
		checkHostileDefinition(t, b.Objects[0], unsafe)
	})
}

// put sets a value at a place that the bytes select, and returns the remaining bytes.
func put(at any, value any, places []byte) []byte {
	for len(places) > 0 {
		choice, last := int(places[0]), len(places) == 1 || places[0] >= 200
		places = places[1:]
		switch node := at.(type) {
		case map[string]any:
			keys := slices.Sorted(maps.Keys(node))
			if len(keys) == 0 {
				return places
			}
			key := keys[choice%len(keys)]
			if last {
				node[key] = value
				return places
			}
			at = node[key]
		case []any:
			if len(node) == 0 {
				return places
			}
			if last {
				node[choice%len(node)] = value
				return places
			}
			at = node[choice%len(node)]
		default:
			return places
		}
	}
	return places
}

// withoutDefault copies a value, so that it can be put into a copy of itself.
func withoutDefault(v any) any {
	switch v := v.(type) {
	case map[string]any:
		all := map[string]any{}
		for k, item := range v {
			all[k] = withoutDefault(item)
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i, item := range v {
			all[i] = withoutDefault(item)
		}
		return all
	}
	return v
}
