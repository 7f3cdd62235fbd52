package audit

import (
	"cmp"
	"iter"
	"strings"

	"kstatus.dev/internal/decoded"
)

// An owner is an entry of metadata.ownerReferences.
type owner struct{ group, kind, name string }

func owners(v *Version) iter.Seq[owner] {
	return func(yield func(owner) bool) {
		for _, ref := range decoded.Maps(v.Object, "metadata", "ownerReferences") {
			if !yield(owner{groupOf(ref), decoded.Text(ref, "kind"), decoded.Text(ref, "name")}) {
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
