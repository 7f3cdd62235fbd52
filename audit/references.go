package audit

import (
	"cmp"
	"strings"
)

// An owner is one of metadata.ownerReferences.
type owner struct{ group, kind, name string }

func owners(v *Version) (all []owner) {
	list, _ := object(v.Object, "metadata")["ownerReferences"].([]any)
	for _, item := range list {
		ref, _ := item.(map[string]any)
		group, _, grouped := strings.Cut(text(ref, "apiVersion"), "/")
		if !grouped {
			group = ""
		}
		all = append(all, owner{group, text(ref, "kind"), text(ref, "name")})
	}
	return all
}

// referred returns the object of a reference of Cluster API, in the form of either
// contract; nil if it was not seen.
func referred(l *Look, ref map[string]any, namespace string) *Version {
	group, kind, name := target(ref)
	if name == "" {
		return nil
	}
	return l.Other(group, kind, cmp.Or(text(ref, "namespace"), namespace), name)
}

func target(ref map[string]any) (group, kind, name string) {
	group, grouped := text(ref, "apiGroup"), false
	if group == "" {
		if group, _, grouped = strings.Cut(text(ref, "apiVersion"), "/"); !grouped {
			group = ""
		}
	}
	return group, text(ref, "kind"), text(ref, "name")
}
