package audit

import (
	"cmp"
	"iter"
	"strings"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// owners yields the entries of metadata.ownerReferences, in the namespace of the object.
func owners(v *Version) iter.Seq[status.ID] {
	return func(yield func(status.ID) bool) {
		for _, ref := range decoded.Maps(v.Object, "metadata", "ownerReferences") {
			kind := status.Kind{Group: groupOf(ref), Kind: decoded.Text(ref, "kind")}
			if !yield(status.ID{Kind: kind, Namespace: v.ID.Namespace, Name: decoded.Text(ref, "name")}) {
				return
			}
		}
	}
}

// groupOf returns the group of the reference's apiVersion.
func groupOf(ref map[string]any) string {
	group, _, grouped := strings.Cut(decoded.Text(ref, "apiVersion"), "/")
	if !grouped {
		return ""
	}
	return group
}

// referred resolves a reference of Cluster API, in the form of either contract.
// It returns nil if the object was not seen.
func referred(p *Pass, ref map[string]any, namespace string) *Version {
	group, kind, name := target(ref)
	if name == "" {
		return nil
	}
	return p.Other(group, kind, cmp.Or(decoded.Text(ref, "namespace"), namespace), name)
}

func target(ref map[string]any) (group, kind, name string) {
	return cmp.Or(decoded.Text(ref, "apiGroup"), groupOf(ref)), decoded.Text(ref, "kind"), decoded.Text(ref, "name")
}
