package content

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/decoded"
)

// A Difference is a field in which the copy of an object is not as requested. It has no values,
// since they may be secret.
type Difference struct {
	Path string
	Kind string // missing, changed or added
}

// String returns the difference in words.
func (d Difference) String() string { return d.Path + " is " + d.Kind }

// Text returns differences in words, at most three of them.
func Text(all []Difference) string {
	const most = 3
	var texts []string
	for _, d := range all[:min(len(all), most)] {
		texts = append(texts, d.String())
	}
	if len(all) > most {
		texts = append(texts, fmt.Sprintf("and %d others", len(all)-most))
	}
	return strings.Join(texts, ", ")
}

// A Schema is a part of an OpenAPI schema of a definition. The zero Schema has no defaults.
type Schema map[string]any

// SchemaOf returns the schema of a version of a definition.
func SchemaOf(definition *unstructured.Unstructured, version string) Schema {
	for _, v := range decoded.Maps(definition.Object, "spec", "versions") {
		if v["name"] == version {
			return decoded.Map(v, "schema", "openAPIV3Schema")
		}
	}
	return nil
}

// property returns the schema of a field.
func (s Schema) property(name string) Schema {
	if p := decoded.Map(s, "properties", name); p != nil {
		return p
	}
	return decoded.Map(s, "additionalProperties")
}

// items returns the schema of the items of a list.
func (s Schema) items() Schema { return decoded.Map(s, "items") }

// isDefault reports whether a value is what the server sets if the field is missing.
func (s Schema) isDefault(value any) bool {
	byDefault, declared := s["default"]
	if !declared {
		return false
	}
	fields, isMap := value.(map[string]any)
	defaults, areFields := byDefault.(map[string]any)
	if !isMap || !areFields {
		return isEqual(value, byDefault)
	}
	for name, v := range fields {
		d, set := defaults[name]
		if !(set && isEqual(v, d)) && !s.property(name).isDefault(v) {
			return false
		}
	}
	return true
}

// Compare returns how the copy of an object differs from the requested one. It ignores the defaults
// that the schema declares, the status, additional finalizers, and what servers set. The result is
// sorted by path.
func Compare(want, have *unstructured.Unstructured, s Schema) []Difference {
	c := &comparison{}
	w, h := Portable(want), Portable(have)
	for _, field := range []string{"labels", "annotations"} {
		c.fields("metadata."+field+".", decoded.Map(w.Object, "metadata", field), decoded.Map(h.Object, "metadata", field), nil)
	}
	for _, finalizer := range w.GetFinalizers() {
		if !slices.Contains(h.GetFinalizers(), finalizer) {
			c.add("metadata.finalizers", "missing")
		}
	}
	c.compareOwners(w, h)
	for _, o := range []map[string]any{w.Object, h.Object} {
		delete(o, "metadata")
	}
	c.fields("", w.Object, h.Object, s)
	slices.SortFunc(c.found, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return c.found
}

// CompareForeign compares a wanted object with one that the move has not created, except for their
// owners.
func CompareForeign(want, have *unstructured.Unstructured, s Schema) []Difference {
	want, have = WithoutMarks(want), WithoutMarks(have)
	want.SetOwnerReferences(nil)
	have.SetOwnerReferences(nil)
	return Compare(want, have, s)
}

// A comparison collects differences.
type comparison struct{ found []Difference }

func (c *comparison) add(path, kind string) { c.found = append(c.found, Difference{path, kind}) }

func (c *comparison) compareOwners(want, have *unstructured.Unstructured) {
	added, wanted := map[string]bool{}, map[string]bool{}
	for _, r := range have.GetOwnerReferences() {
		added[ownerText(r.UID, r.Controller, r.BlockOwnerDeletion)] = true
	}
	for _, r := range want.GetOwnerReferences() {
		key := ownerText(r.UID, r.Controller, r.BlockOwnerDeletion)
		if !added[key] && !wanted[key] {
			c.add("metadata.ownerReferences of "+r.Kind+" "+r.Name, "missing")
		}
		wanted[key] = true // it may be there twice
		delete(added, key)
	}
	if len(added) > 0 {
		c.add("metadata.ownerReferences", "added")
	}
}

func ownerText(uid any, flags ...*bool) string {
	text := fmt.Sprint(uid)
	for _, f := range flags {
		text += fmt.Sprint(f != nil && *f)
	}
	return text
}

func (c *comparison) compare(path string, want, have any, s Schema) {
	wantFields, isMap := want.(map[string]any)
	haveFields, areFields := have.(map[string]any)
	wantItems, isList := want.([]any)
	haveItems, areItems := have.([]any)
	switch {
	case want == nil && have == nil:
	case want == nil:
		if !s.isDefault(have) {
			c.add(path, "added")
		}
	case have == nil:
		c.add(path, "missing")
	case isMap && areFields:
		c.fields(path+".", wantFields, haveFields, s)
	case isList && areItems && len(wantItems) == len(haveItems):
		for i := range wantItems {
			c.compare(fmt.Sprintf("%s[%d]", path, i), wantItems[i], haveItems[i], s.items())
		}
	case !isEqual(want, have):
		c.add(path, "changed")
	}
}

// fields compares fields. The prefix of their paths is empty or ends with a dot.
func (c *comparison) fields(prefix string, want, have map[string]any, s Schema) {
	for name, w := range want {
		c.compare(prefix+name, w, have[name], s.property(name))
	}
	for name, h := range have {
		if _, both := want[name]; !both {
			c.compare(prefix+name, nil, h, s.property(name))
		}
	}
}

// isEqual compares values of JSON. Numbers are equal whatever type they were decoded as.
func isEqual(a, b any) bool {
	if i, isInt := a.(int64); isInt {
		if j, areInts := b.(int64); areInts {
			return i == j // floating-point numbers cannot tell large ones apart
		}
	}
	x, isNumber := number(a)
	y, areNumbers := number(b)
	return isNumber && areNumbers && x == y || reflect.DeepEqual(a, b)
}

func number(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
