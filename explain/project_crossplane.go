package explain

import (
	"cmp"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/status"
)

// compositeRefs are what a composite resource or a claim of Crossplane is made
// of. Crossplane notes what it composes before it makes it, so that may be missing.
func compositeRefs(n *node) (all []Ref) {
	for _, spec := range [...]string{"spec.", "spec.crossplane."} {
		for item := range n.Each(spec + "resourceRefs") {
			at := section{fields.Section{Map: map[string]any{"ref": item.Map}, Path: item.Path}, n}
			if r, ok := at.reference("ref"); ok {
				r.Path, r.Optional = item.Path+"name", true
				all = append(all, r)
			}
		}
		if r, ok := n.reference(spec + "resourceRef"); ok {
			all = append(all, r)
		}
		if name := n.Text(spec + "compositionRef.name"); name != "" {
			all = append(all, Ref{Path: spec + "compositionRef.name", ID: n.refer(status.Kind{Group: "apiextensions.crossplane.io", Kind: "Composition"}, "", name)})
		}
	}
	return all
}

// managedRefs are the configuration of the provider that works on a managed
// resource, whose group is that of the provider's family.
func managedRefs(n *node) []Ref {
	at := n.Under("spec.providerConfigRef")
	name := at.Text("name")
	if name == "" || !n.Has("spec.forProvider") {
		return nil
	}
	group := n.ID.Group
	if rest, family, ok := strings.Cut(group, "."); ok && rest != "" && strings.Count(family, ".") >= 2 {
		group = family
	}
	id := ID{n.ID.Cluster, group, cmp.Or(at.Text("kind"), "ProviderConfig"), "", name}
	if strings.HasSuffix(n.ID.Group, ".m.upbound.io") || strings.HasSuffix(n.ID.Group, ".m.crossplane.io") {
		if id.Kind == "ProviderConfig" {
			id.Namespace = n.ID.Namespace
		}
	}
	return []Ref{{Path: at.Path + "name", ID: id, Guessed: true}}
}

// customRefs are the references of a kind that is not known by itself.
func customRefs(n *node) []Ref {
	if builtinGroup(n.ID.Group) || !strings.Contains(n.ID.Group, ".") {
		return nil
	}
	return slices.Concat(compositeRefs(n), managedRefs(n), shapedRefs(n), missedRefs(n))
}
