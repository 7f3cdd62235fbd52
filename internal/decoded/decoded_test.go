package decoded_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"kstatus.dev/internal/decoded"
)

var root = map[string]any{
	"spec":  map[string]any{"replicas": 3.0, "paused": true, "name": "web", "null": nil, "list": []any{map[string]any{"name": "a"}, "b", nil}},
	"empty": map[string]any{},
	"text":  "x",
	"null":  nil,
	"metadata": map[string]any{"annotations": map[string]any{"example.com/a.b": "dots"}, "generation": json.Number("9007199254740993"),
		"": map[string]any{"": "nameless"}},
}

func TestAt(t *testing.T) {
	for _, row := range []struct {
		it   string
		path []string
		want any
	}{
		{"returns the root for an empty path", nil, root},
		{"returns a field of the root", []string{"text"}, "x"},
		{"returns a field of a map", []string{"spec", "name"}, "web"},
		{"takes a name with dots as one name", []string{"metadata", "annotations", "example.com/a.b"}, "dots"},
		{"takes an empty name as a name", []string{"metadata", "", ""}, "nameless"},
		{"has no missing field", []string{"spec", "missing"}, nil},
		{"has no field of a missing parent", []string{"missing", "name"}, nil},
		{"has no null", []string{"spec", "null"}, nil},
		{"has no field of null", []string{"null", "name"}, nil},
		{"has no field of a text", []string{"text", "name"}, nil},
		{"has no field of a list", []string{"spec", "list", "name"}, nil},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := decoded.At(root, row.path...); !reflect.DeepEqual(have, row.want) {
				t.Errorf("it is %v, want %v", have, row.want)
			}
			if have := decoded.At(nil, append([]string{"spec"}, row.path...)...); have != nil {
				t.Errorf("without an object it is %v, want nil", have)
			}
		})
	}
}

func TestLookup(t *testing.T) {
	for _, row := range []struct {
		it, path string
		want     any
		parent   any // the parent that is not a map
		at       string
	}{
		{it: "returns a field of the root", path: "text", want: "x"},
		{it: "returns a field of a map", path: "spec.name", want: "web"},
		{it: "returns null as absent", path: "spec.null"},
		{it: "has no missing field", path: "spec.missing"},
		{it: "has no field of a missing parent", path: "missing.name.first"},
		{it: "has no field of null", path: "null.name"},
		{it: "splits at each dot", path: "metadata.annotations.example.com/a.b"},
		{it: "takes an empty name as a name", path: "metadata..", want: "nameless"},
		{it: "returns the parent that is a text", path: "text.name.first", parent: "x", at: "text"},
		{it: "returns the parent that is a number", path: "spec.replicas.ready", parent: 3.0, at: "spec.replicas"},
		{it: "takes an empty path as an empty name", path: ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			have, end := decoded.Lookup(root, row.path)
			if row.parent != nil {
				if !reflect.DeepEqual(have, row.parent) || row.path[:end] != row.at {
					t.Errorf("the parent is %v at %q, want %v at %q", have, row.path[:end], row.parent, row.at)
				}
			} else if !reflect.DeepEqual(have, row.want) || end != len(row.path) {
				t.Errorf("it is %v up to %q, want %v", have, row.path[:end], row.want)
			}
			if have := decoded.AtPath(root, row.path); !reflect.DeepEqual(have, row.want) {
				t.Errorf("AtPath is %v, want %v", have, row.want)
			}
		})
	}
}

// A parent without a name is malformed like any other.
func TestLookupOfAMalformedParentWithoutAName(t *testing.T) {
	object := map[string]any{"": "x"}
	if have, end := decoded.Lookup(object, ".a"); have != "x" || end != 0 {
		t.Errorf("it is %v up to %d, want the parent x up to 0", have, end)
	}
	if have := decoded.AtPath(object, ".a"); have != nil {
		t.Errorf("AtPath is %v, want nil", have)
	}
}

func TestAtSteps(t *testing.T) {
	for _, row := range []struct {
		it     string
		path   []any
		want   any
		exists bool
	}{
		{"returns the root for an empty path", nil, root, true},
		{"returns a field of an item", []any{"spec", "list", 0, "name"}, "a", true},
		{"returns an item that is null", []any{"spec", "list", 2}, nil, true},
		{"returns a field that is null", []any{"spec", "null"}, nil, true},
		{"has no item after the last", []any{"spec", "list", 3}, nil, false},
		{"has no item before the first", []any{"spec", "list", -1}, nil, false},
		{"has no item of a map", []any{"spec", 0}, nil, false},
		{"has no field of a list", []any{"spec", "list", "name"}, nil, false},
		{"has no field of null", []any{"null", "name"}, nil, false},
		{"has no missing field", []any{"missing"}, nil, false},
		{"has no value for a step of another type", []any{"spec", 0.0}, nil, false},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have, exists := decoded.AtSteps(root, row.path...); !reflect.DeepEqual(have, row.want) || exists != row.exists {
				t.Errorf("it is %v, %t; want %v, %t", have, exists, row.want, row.exists)
			}
		})
	}
}

// A field of another type reads as the zero value.
func TestTypes(t *testing.T) {
	for _, name := range []string{"replicas", "paused", "name", "null", "list", "missing"} {
		t.Run(name, func(t *testing.T) {
			if have, want := decoded.Text(root, "spec", name) != "", name == "name"; have != want {
				t.Errorf("Text: have %t, want %t", have, want)
			}
			if have, want := decoded.Bool(root, "spec", name), name == "paused"; have != want {
				t.Errorf("Bool: have %t, want %t", have, want)
			}
			if have, want := decoded.List(root, "spec", name) != nil, name == "list"; have != want {
				t.Errorf("List: have %t, want %t", have, want)
			}
			if decoded.Map(root, "spec", name) != nil {
				t.Error("Map: have a map, want none")
			}
			if n, exists := decoded.Int(root, "spec", name); exists != (name == "replicas") || exists && n != 3 {
				t.Errorf("Int: have %d, %t", n, exists)
			}
		})
	}
	if decoded.Map(root, "empty") == nil {
		t.Error("an empty map does not exist")
	}
	if n, exists := decoded.Int(root, "metadata", "generation"); n != 9007199254740993 || !exists {
		t.Errorf("a large integer is %d, %t: it was converted to a float", n, exists)
	}
}

func TestMaps(t *testing.T) {
	var have []any
	for i, m := range decoded.Maps(root, "spec", "list") {
		have = append(have, i, m["name"])
	}
	if want := []any{0, "a", 1, nil, 2, nil}; !reflect.DeepEqual(have, want) {
		t.Errorf("the items are %v, want %v", have, want)
	}
	for i := range decoded.Maps(root, "spec", "list") {
		if i > 0 {
			t.Error("it goes on after a break")
		}
		break
	}
	for range decoded.Maps(root, "spec", "name") {
		t.Error("a text has items")
	}
}
