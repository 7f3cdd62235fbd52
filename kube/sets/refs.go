package sets

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// refOf returns the ID of a reference with an apiVersion; the version is ignored.
func refOf(apiVersion, kind, namespace, name string) status.ID {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group = ""
	}
	return status.ID{Kind: status.Kind{Group: group, Kind: kind}, Namespace: namespace, Name: name}
}

// target resolves a reference. An empty namespace means home. A cluster-scoped
// object has no namespace, whatever the reference says. It is not known whether
// an unknown kind has one.
func (f *finder) target(ref status.ID, home string) observe.Target {
	t := observe.TargetOf(ref)
	mapping, err := f.mapping(ref.Kind)
	switch {
	case err != nil:
		if t.Namespace == "" && home != f.Namespace {
			t.Namespace = home
		}
	case mapping.Scope.Name() != meta.RESTScopeNameNamespace:
		t.Namespace = ""
	case t.Namespace == "":
		t.Namespace = home
	}
	return t
}

// targets resolves references. Invalid names stay in the result, because the
// reader of the objects reports them.
func (f *finder) targets(refs []status.ID, home string) []observe.Target {
	all := make([]observe.Target, len(refs))
	for i, r := range refs {
		all[i] = f.target(r, home)
	}
	return all
}

// mapping returns the mapping of a kind.
func (f *finder) mapping(kind status.Kind) (*meta.RESTMapping, error) {
	return f.Mapper.RESTMapping(schema.GroupKind(kind))
}

// entriesAt returns the objects of the list at a dotted path; none if there is no list.
func entriesAt(u *unstructured.Unstructured, path string) (all []map[string]any, err error) {
	value, end := decoded.Lookup(u.Object, path)
	if end < len(path) {
		return nil, fmt.Errorf("%s: want a list, but a parent is not an object", path)
	}
	if value == nil {
		return nil, nil
	}
	list, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("%s: want a list, have %s", path, typeName(value))
	}
	for i, each := range list {
		entry, ok := each.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s[%d]: want an object, have %s", path, i, typeName(each))
		}
		all = append(all, entry)
	}
	return all, nil
}

// typeName returns the JSON type of a value.
func typeName(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "true or false"
	case float64, int64, json.Number:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}

// nameOf names an object for messages.
func nameOf(u *unstructured.Unstructured) string {
	return status.ID{Kind: status.Kind(u.GroupVersionKind().GroupKind()), Namespace: u.GetNamespace(), Name: u.GetName()}.String()
}
