package rbac

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/explain"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/status"
)

// explaining is what explanations read in a namespace besides the parts of objects:
// events, logs, and objects that they refer to.
var explaining = []kubesource.Permission{
	{Resource: "events", Verbs: []string{"list"}},
	{Resource: "pods/log", Verbs: []string{"get"}},
	{Resource: "configmaps", Verbs: []string{"get", "list"}},
	{Resource: "persistentvolumeclaims", Verbs: []string{"get", "list"}},
	{Resource: "pods", Verbs: []string{"get", "list"}},
	{Resource: "resourcequotas", Verbs: []string{"get", "list"}},
	{Resource: "serviceaccounts", Verbs: []string{"get", "list"}},
	{Resource: "services", Verbs: []string{"get", "list"}},
	{Group: "discovery.k8s.io", Resource: "endpointslices", Verbs: []string{"get", "list"}},
}

// explanationNeeds returns the permissions that explaining objects needs in their
// namespaces, besides those that judging them needs.
func explanationNeeds(mapper meta.RESTMapper, needs []kubesource.Permission, all []selection.Object) (more []kubesource.Permission) {
	var places []string
	for _, n := range needs {
		if n.Purpose == kubesource.PurposeObjects && !slices.Contains(places, n.Namespace) {
			places = append(places, n.Namespace)
		}
	}
	made := slices.Clone(explaining)
	for _, kind := range partsOf(all) {
		m, err := mapper.RESTMapping(schema.GroupKind{Group: kind.Group, Kind: kind.Kind})
		if err != nil {
			continue // a kind that is not served has no objects
		}
		need := kubesource.Permission{Group: m.Resource.Group, Resource: m.Resource.Resource, Verbs: []string{"get", "list"}}
		if !slices.ContainsFunc(made, func(n kubesource.Permission) bool { return n.Group == need.Group && n.Resource == need.Resource }) {
			made = append(made, need)
		}
	}
	slices.SortFunc(made, func(a, b kubesource.Permission) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), slices.Compare(a.Verbs, b.Verbs), cmp.Compare(a.Resource, b.Resource))
	})
	for _, place := range places {
		for _, n := range made {
			n.Purpose, n.Namespace = explanations, place
			more = append(more, n)
		}
	}
	return more
}

// partsOf returns the kinds of the parts of objects, and of the parts of those.
func partsOf(all []selection.Object) (kinds []status.Kind) {
	var next []status.Kind
	for _, o := range all {
		next = append(next, o.Target.Kind)
	}
	seen := map[status.Kind]bool{}
	for len(next) > 0 {
		kind := next[0]
		next = next[1:]
		if seen[kind] {
			continue
		}
		seen[kind] = true
		parts := explain.PartKinds(kind)
		kinds, next = append(kinds, parts...), append(next, parts...)
	}
	return kinds
}
