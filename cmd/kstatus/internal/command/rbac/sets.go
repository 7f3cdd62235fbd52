package rbac

import (
	"slices"

	"kstatus.dev/kube/sets"
	kubesource "kstatus.dev/kube/source"
)

// purposeSets is the purpose of permissions for the search for sets.
const purposeSets kubesource.Purpose = "sets"

// withReads adds the requests of the search for sets that needs do not cover.
func withReads(needs []kubesource.Permission, reads []sets.Permission) []kubesource.Permission {
	var more []kubesource.Permission
	for _, r := range reads {
		purpose := purposeSets
		if r.Optional {
			purpose = deletions
		}
		covered := func(n kubesource.Permission) bool { return covers(n, r) }
		if slices.ContainsFunc(needs, covered) || slices.ContainsFunc(more, covered) {
			continue
		}
		i := slices.IndexFunc(more, func(n kubesource.Permission) bool {
			return n.Purpose == purpose && n.Group == r.Group && n.Resource == r.Resource && n.Namespace == r.Namespace && (len(n.Names) == 0) == (r.Name == "")
		})
		if i < 0 {
			i = len(more)
			more = append(more, kubesource.Permission{Purpose: purpose, Namespace: r.Namespace, Group: r.Group, Resource: r.Resource})
		}
		if n := &more[i]; r.Name != "" && !slices.Contains(n.Names, r.Name) {
			n.Names = append(n.Names, r.Name)
		}
		if n := &more[i]; !slices.Contains(n.Verbs, r.Verb) {
			n.Verbs = append(n.Verbs, r.Verb)
			slices.Sort(n.Verbs)
		}
	}
	return append(needs, more...)
}

// covers reports whether a need includes the permission of a request. Needs that only
// explanations have do not count.
func covers(n kubesource.Permission, r sets.Permission) bool {
	return n.Purpose != explanations && n.Group == r.Group && n.Resource == r.Resource && (n.Namespace == r.Namespace || n.Namespace == "") &&
		slices.Contains(n.Verbs, r.Verb) && (len(n.Names) == 0 || slices.Contains(n.Names, r.Name))
}
