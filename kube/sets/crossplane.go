package sets

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
)

// composite reads the resources of a composite resource, which are under
// spec.crossplane since Crossplane 2, or the composite resource of a claim. A
// reference without a name is to an object that does not exist yet.
func composite(_ context.Context, f *finder, u *unstructured.Unstructured) ([]observe.Target, error) {
	var refs []ref
	add := func(entry map[string]any) {
		r := refOf(stringAt(entry, "apiVersion"), stringAt(entry, "kind"), stringAt(entry, "namespace"), stringAt(entry, "name"))
		if r.kind.Kind != "" && r.name != "" {
			refs = append(refs, r)
		}
	}
	for _, path := range [][]string{{"spec", "crossplane", "resourceRefs"}, {"spec", "resourceRefs"}} {
		entries, err := entriesAt(u, path...)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			add(entry)
		}
	}
	one, _, err := unstructured.NestedFieldNoCopy(u.Object, "spec", "resourceRef")
	if entry, ok := one.(map[string]any); ok {
		add(entry)
	} else if err != nil || one != nil {
		return nil, fmt.Errorf("spec.resourceRef: want an object, have %s", typeName(one))
	}
	return f.targets(refs, u.GetNamespace()), nil
}
