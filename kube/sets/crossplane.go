package sets

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// composite reads the resources of a composite resource, which are under
// spec.crossplane since Crossplane 2, or the composite resource of a claim. A
// reference without a name is to an object that does not exist yet.
func composite(_ context.Context, f *finder, u *unstructured.Unstructured) ([]observe.Target, error) {
	var refs []status.ID
	add := func(entry map[string]any) {
		r := refOf(decoded.Text(entry, "apiVersion"), decoded.Text(entry, "kind"), decoded.Text(entry, "namespace"), decoded.Text(entry, "name"))
		if r.Kind.Kind != "" && r.Name != "" {
			refs = append(refs, r)
		}
	}
	for _, path := range []string{"spec.crossplane.resourceRefs", "spec.resourceRefs"} {
		entries, err := entriesAt(u, path)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			add(entry)
		}
	}
	one := decoded.At(u.Object, "spec", "resourceRef")
	if entry, ok := one.(map[string]any); ok {
		add(entry)
	} else if one != nil {
		return nil, fmt.Errorf("spec.resourceRef: want an object, have %s", typeName(one))
	}
	return f.targets(refs, u.GetNamespace()), nil
}
