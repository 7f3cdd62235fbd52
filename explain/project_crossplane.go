package explain

import (
	"cmp"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// compositeRefs returns the resources that a composite resource or a claim of Crossplane
// is composed of. Crossplane records them before it creates them, so they may be missing.
func compositeRefs(o *object) (all []objectRef) {
	for _, spec := range [...]string{"spec.", "spec.crossplane."} {
		for item := range o.Each(spec + "resourceRefs") {
			at := section{fields.Section{Map: map[string]any{"ref": item.Map}, Path: item.Path}, o}
			if r, ok := at.reference("ref"); ok {
				r.Path, r.Optional = item.Path+"name", true
				all = append(all, r)
			}
		}
		if r, ok := o.reference(spec + "resourceRef"); ok {
			all = append(all, r)
		}
		if name := o.Text(spec + "compositionRef.name"); name != "" {
			all = append(all, objectRef{Path: spec + "compositionRef.name", ID: o.refer(status.Kind{Group: "apiextensions.crossplane.io", Kind: "Composition"}, "", name)})
		}
	}
	return all
}

// managedRefs returns the ProviderConfig of a managed resource, whose API group belongs
// to the provider's family.
func managedRefs(o *object) []objectRef {
	at := o.Under("spec.providerConfigRef")
	name := at.Text("name")
	if name == "" || !o.Has("spec.forProvider") {
		return nil
	}
	group := o.ID.Group
	if rest, family, ok := strings.Cut(group, "."); ok && rest != "" && strings.Count(family, ".") >= 2 {
		group = family
	}
	id := o.refer(status.Kind{Group: group, Kind: cmp.Or(at.Text("kind"), "ProviderConfig")}, "", name)
	if strings.HasSuffix(o.ID.Group, ".m.upbound.io") || strings.HasSuffix(o.ID.Group, ".m.crossplane.io") {
		if id.Kind.Kind == "ProviderConfig" {
			id.Namespace = o.ID.Namespace
		}
	}
	return []objectRef{{Path: at.Path + "name", ID: id, Guessed: true}}
}

// customRefs returns the references of a kind without a row in refsOf.
func customRefs(o *object) []objectRef {
	if reference.IsBuiltinGroup(o.ID.Group) || !strings.Contains(o.ID.Group, ".") {
		return nil
	}
	return slices.Concat(compositeRefs(o), managedRefs(o), genericRefs(o), missingRefs(o), mentionedRefs(o))
}
