package explain

import (
	"slices"
	"strings"

	"kstatus.dev/status"
)

// SimilarKind returns the kind that a guessed one means. It is the kind of that name in the group,
// whatever its case. Otherwise it is the only kind of the group that ends in the name. So the Class
// in a field classRef means DatabaseClass. Without one, it is the only kind of that name in all
// groups.
func SimilarKind(guess status.Kind, served []status.Kind) (kind status.Kind, ok bool) {
	name := strings.ToLower(guess.Kind)
	var exact, ending, elsewhere []status.Kind
	for _, k := range served {
		lower := strings.ToLower(k.Kind)
		switch {
		case k.Group == guess.Group && lower == name:
			exact = append(exact, k)
		case k.Group == guess.Group && len(name) > 2 && strings.HasSuffix(lower, name):
			ending = append(ending, k)
		case k.Kind == guess.Kind:
			elsewhere = append(elsewhere, k)
		}
	}
	for _, all := range [][]status.Kind{exact, ending, elsewhere} {
		if len(all) > 0 {
			return all[0], !slices.ContainsFunc(all, func(k status.Kind) bool { return k != all[0] })
		}
	}
	return status.Kind{}, false
}

// referent returns the object that a reference names, or nil if it is unknown.
func (x *index) referent(ref objectRef) *object {
	if !ref.isSimilar {
		return x.findListed(ref.ID)
	}
	if x.sameName == nil {
		x.sameName = map[status.ID][]*object{}
		for _, o := range x.all {
			at := status.ID{Cluster: o.ID.Cluster, Namespace: o.ID.Namespace, Name: o.ID.Name}
			x.sameName[at] = append(x.sameName[at], o)
		}
	}
	at := status.ID{Cluster: ref.ID.Cluster, Namespace: ref.ID.Namespace, Name: ref.ID.Name}
	candidates := x.sameName[at]
	if at.Namespace = ""; ref.ID.Namespace != "" {
		candidates = slices.Concat(candidates, x.sameName[at])
	}
	var kinds []status.Kind
	for _, o := range candidates {
		kinds = append(kinds, o.ID.Kind)
	}
	kind, ok := SimilarKind(ref.ID.Kind, kinds)
	if !ok {
		return nil
	}
	return candidates[slices.Index(kinds, kind)]
}
