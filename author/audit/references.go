package audit

import (
	"cmp"
	"iter"
	"strings"
)

// An owner is an entry of metadata.ownerReferences.
type owner struct{ group, kind, name string }

func owners(v *Version) iter.Seq[owner] {
	list, _ := object(v.Object, "metadata")["ownerReferences"].([]any)
	return func(yield func(owner) bool) {
		for _, item := range list {
			ref, _ := item.(map[string]any)
			if !yield(owner{groupOf(ref), text(ref, "kind"), text(ref, "name")}) {
				return
			}
		}
	}
}

// groupOf returns the group of the reference's apiVersion.
func groupOf(ref map[string]any) string {
	group, _, grouped := strings.Cut(text(ref, "apiVersion"), "/")
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
	return p.Other(group, kind, cmp.Or(text(ref, "namespace"), namespace), name)
}

func target(ref map[string]any) (group, kind, name string) {
	return cmp.Or(text(ref, "apiGroup"), groupOf(ref)), text(ref, "kind"), text(ref, "name")
}
