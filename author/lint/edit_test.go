package lint_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"kstatus.dev/author/lint"
)

func TestApply(t *testing.T) {
	const before = `{"a": {"b": [1, {"c": 2}]}, "d": {"e": 3}}`
	for _, c := range []struct {
		it   string
		edit lint.Edit
		want string // empty: it fails
	}{
		{"adds a field", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"d", "f"}, Value: 4.0}, `{"a": {"b": [1, {"c": 2}]}, "d": {"e": 3, "f": 4}}`},
		{"replaces a field by adding it", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"d"}, Value: nil}, `{"a": {"b": [1, {"c": 2}]}, "d": null}`},
		{"inserts an item", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"a", "b", 0}, Value: 0.0}, `{"a": {"b": [0, 1, {"c": 2}]}, "d": {"e": 3}}`},
		{"appends an item", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"a", "b", "-"}, Value: 0.0}, `{"a": {"b": [1, {"c": 2}, 0]}, "d": {"e": 3}}`},
		{"appends an item by its number", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"a", "b", 2}, Value: 0.0}, `{"a": {"b": [1, {"c": 2}, 0]}, "d": {"e": 3}}`},
		{"replaces below a list", lint.Edit{Op: lint.OpReplace, Path: lint.Path{"a", "b", 1, "c"}, Value: "x"}, `{"a": {"b": [1, {"c": "x"}]}, "d": {"e": 3}}`},
		{"replaces an item", lint.Edit{Op: lint.OpReplace, Path: lint.Path{"a", "b", 0}, Value: "x"}, `{"a": {"b": ["x", {"c": 2}]}, "d": {"e": 3}}`},
		{"removes a field", lint.Edit{Op: lint.OpRemove, Path: lint.Path{"a"}}, `{"d": {"e": 3}}`},
		{"removes an item", lint.Edit{Op: lint.OpRemove, Path: lint.Path{"a", "b", 0}}, `{"a": {"b": [{"c": 2}]}, "d": {"e": 3}}`},
		{"cannot replace what is not there", lint.Edit{Op: lint.OpReplace, Path: lint.Path{"d", "f"}, Value: 1.0}, ""},
		{"cannot remove what is not there", lint.Edit{Op: lint.OpRemove, Path: lint.Path{"a", "b", 2}}, ""},
		{"cannot add below what is not there", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"x", "y"}, Value: 1.0}, ""},
		{"cannot take a list for an object", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"a", "b", "c"}, Value: 1.0}, ""},
		{"cannot take an object for a list", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"a", 0}, Value: 1.0}, ""},
		{"cannot go below a number", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"d", "e", "f"}, Value: 1.0}, ""},
		{"cannot take a negative index", lint.Edit{Op: lint.OpAdd, Path: lint.Path{"a", "b", -1}, Value: 1.0}, ""},
		{"cannot change the whole", lint.Edit{Op: lint.OpRemove}, ""},
	} {
		t.Run(c.it, func(t *testing.T) {
			given, untouched := decoded(t, before), decoded(t, before)
			have, err := lint.Apply(given, c.edit)
			if !reflect.DeepEqual(given, untouched) {
				t.Errorf("the object given has changed: %v", given)
			}
			switch {
			case c.want == "" && err == nil:
				t.Errorf("no error, and %v", have)
			case c.want != "" && err != nil:
				t.Errorf("%v", err)
			case c.want != "" && !reflect.DeepEqual(have, decoded(t, c.want)):
				t.Errorf("have %v, want %s", have, c.want)
			}
		})
	}
}

func decoded(t *testing.T, text string) (o map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestPath(t *testing.T) {
	p := lint.Path{"spec", "versions", 0, "a b", "c/d~e", ""}
	if have, want := p.String(), `spec.versions[0]["a b"]["c/d~e"][""]`; have != want {
		t.Errorf("the path reads %s, want %s", have, want)
	}
	if have, want := p.Pointer(), "/spec/versions/0/a b/c~1d~0e/"; have != want {
		t.Errorf("the pointer is %s, want %s", have, want)
	}
	longer := p.With("x")
	if len(p) != 6 || len(longer) != 7 {
		t.Errorf("lengthened, the path has %d steps and was left with %d; want 7 and 6", len(longer), len(p))
	}
}
