package management

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/secretfield"
	"kstatus.dev/status"
)

// A Reference is a reference by name in the spec of an object.
type Reference struct {
	Path      string // such as spec.identityRef
	status.ID        // its Group is empty if the object does not say it
	// Credentials is true if the field is about an identity, credentials or a Secret. The object
	// cannot be used without what it names.
	Credentials bool
	// Object is the object with that name, and nil if the graph has none.
	Object *Object
}

// GroupKind returns the group and kind of the reference.
func (r Reference) GroupKind() schema.GroupKind {
	return schema.GroupKind(r.Kind)
}

// References returns the references by name in the spec of an object, sorted by path:
//
//   - objects with the fields kind and name, such as spec.identityRef and spec.poolRef
//   - objects with a name but no kind, in a field about a Secret, an identity or credentials,
//     such as spec.files[].contentFrom.secret: they name Secrets
//   - texts in a field whose name ends with secretName, such as spec.bootstrap.dataSecretName,
//     and in a field secretRef: they name Secrets
//
// Without a namespace, a reference is to the namespace of the object.
func References(o *Object) (all []Reference) {
	w := walk{namespace: o.GetNamespace()}
	w.fields("spec", decoded.Map(o.Object, "spec"), 0)
	slices.SortFunc(w.found, func(a, b Reference) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Name, b.Name))
	})
	return w.found
}

// maxDepth limits how deep references are searched, since objects may be hostile.
const maxDepth = 20

// maxReferences limits the references of one object.
const maxReferences = 1000

// A walk collects the references of an object.
type walk struct {
	namespace string
	found     []Reference
}

func (w *walk) fields(path string, fields map[string]any, depth int) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		w.value(path+"."+name, name, fields[name], depth)
	}
}

func (w *walk) value(path, name string, value any, depth int) {
	if len(w.found) >= maxReferences || depth > maxDepth {
		return
	}
	switch v := value.(type) {
	case string:
		if v != "" && secretfield.IsName(name) {
			w.add(Reference{Path: path, ID: IDOf(Secret, "", v), Credentials: true})
		}
	case map[string]any:
		if r, is := referenceOf(path, name, v); is {
			w.add(r)
			return
		}
		w.fields(path, v, depth+1)
	case []any:
		for _, item := range v {
			w.value(path+"[]", name, item, depth+1)
		}
	}
}

func (w *walk) add(r Reference) {
	r.Namespace = cmp.Or(r.Namespace, w.namespace)
	w.found = append(w.found, r)
}

// referenceOf returns the reference that a field is, if it is one.
func referenceOf(path, name string, fields map[string]any) (r Reference, is bool) {
	text := func(name string) string {
		s, _ := fields[name].(string)
		return s
	}
	version, _, grouped := strings.Cut(text("apiVersion"), "/")
	if !grouped {
		version = ""
	}
	kind := schema.GroupKind{Group: cmp.Or(text("apiGroup"), version), Kind: text("kind")}
	r = Reference{Path: path, ID: IDOf(kind, text("namespace"), text("name")), Credentials: secretfield.IsReference(name)}
	switch {
	case r.Name == "":
		return r, false
	case kind.Kind == "" && r.Credentials:
		r.Kind.Kind = Secret.Kind // CAPO's identityRef has a name only
		return r, true
	case kind.Kind == "":
		return r, false
	}
	return r, true
}
