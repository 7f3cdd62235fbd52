package rbac

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/permission"
	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/kube/tree"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// getAndList are the verbs for objects that are got by name, or found in a list.
var getAndList = []string{"get", "list"}

// explanationPermissions is what explanations read in a namespace, in addition to the parts of
// objects: events, logs, and referenced objects.
var explanationPermissions = []kubesource.Permission{
	{Resource: "events", Verbs: []string{"list"}},
	{Resource: "pods/log", Verbs: []string{"get"}},
	{Resource: "configmaps", Verbs: getAndList},
	{Resource: "persistentvolumeclaims", Verbs: getAndList},
	{Resource: "pods", Verbs: getAndList},
	{Resource: "resourcequotas", Verbs: getAndList},
	{Resource: permission.SecretsResource, Verbs: getAndList},
	{Resource: "serviceaccounts", Verbs: getAndList},
	{Resource: "services", Verbs: getAndList},
	{Group: "discovery.k8s.io", Resource: "endpointslices", Verbs: getAndList},
	{Group: "policy", Resource: "poddisruptionbudgets", Verbs: getAndList},
}

// optionalKinds are kinds that not every cluster serves and that explanations follow: devices,
// snapshots, and the objects that create Secrets.
var optionalKinds = append(explain.SecretProducers(), status.Kind{Group: "resource.k8s.io", Kind: "ResourceClaim"}, status.Kind{Group: "resource.k8s.io", Kind: "ResourceClaimTemplate"},
	status.Kind{Group: "resource.k8s.io", Kind: "DeviceClass"}, status.Kind{Group: "resource.k8s.io", Kind: "ResourceSlice"}, status.Kind{Group: "snapshot.storage.k8s.io", Kind: "VolumeSnapshot"})

// optionalPermissions returns the permissions to read the optional kinds that the cluster serves,
// in a namespace or in all.
func optionalPermissions(c *connection.Cluster, place string) (more []kubesource.Permission) {
	for _, kind := range optionalKinds {
		m, err := c.Mapper.RESTMapping(schema.GroupKind(kind))
		if err != nil {
			continue // it is not served
		}
		n := kubesource.Permission{Namespace: place, Group: kind.Group, Resource: m.Resource.Resource, Verbs: getAndList}
		if m.Scope.Name() != meta.RESTScopeNameNamespace {
			n.Namespace = ""
		}
		more = append(more, n)
	}
	return more
}

// serviceExplanationPermissions is what explanations of a Service or an Ingress read in addition:
// the possible endpoints and backends.
var serviceExplanationPermissions = []kubesource.Permission{
	{Group: "apps", Resource: "deployments", Verbs: getAndList},
	{Group: "apps", Resource: "statefulsets", Verbs: getAndList},
}

// clusterExplanationPermissions is what explanations read from the whole cluster.
var clusterExplanationPermissions = []kubesource.Permission{
	{Resource: "nodes", Verbs: getAndList},
	{Resource: "persistentvolumes", Verbs: getAndList},
	{Group: "networking.k8s.io", Resource: "ingressclasses", Verbs: getAndList},
	{Group: "storage.k8s.io", Resource: "storageclasses", Verbs: getAndList},
}

// explanationNeeds returns the permissions for explanations or trees of targets, without the
// permissions to judge the targets. Some may be for all Secrets of a namespace.
func (r *command) explanationNeeds(ctx context.Context, c *connection.Cluster, targets []observe.Target) ([]kubesource.Permission, error) {
	parts, err := r.partNeeds(ctx, c, targets)
	more := slices.Clone(parts)
	if r.explain {
		more = append(more, explanationNeedsIn(c, targets)...)
	}
	for i := range more {
		more[i].Purpose = explanations
	}
	order := func(a, b kubesource.Permission) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group), slices.Compare(a.Verbs, b.Verbs),
			cmp.Compare(a.Resource, b.Resource), slices.Compare(a.Names, b.Names))
	}
	slices.SortFunc(more, order)
	return slices.CompactFunc(more, func(a, b kubesource.Permission) bool { return order(a, b) == 0 }), err
}

// explanationNeedsIn returns the permissions to read the objects that targets refer to, and the
// events about targets.
func explanationNeedsIn(c *connection.Cluster, targets []observe.Target) (more []kubesource.Permission) {
	var places, absent []string
	for _, t := range targets {
		m, err := c.Mapper.RESTMapping(schema.GroupKind(t.Kind))
		if err != nil {
			absent = append(absent, text.Plural(strings.ToLower(t.Kind.Kind))+"."+t.Kind.Group)
			continue
		}
		place := placeOf(c, m, t)
		places = append(places, place)
		if slices.Contains([]status.Kind{{Kind: "Service"}, {Group: "networking.k8s.io", Kind: "Ingress"}}, t.Kind) {
			for _, n := range serviceExplanationPermissions {
				n.Namespace = place
				more = append(more, n)
			}
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	for _, place := range places {
		for _, n := range explanationPermissions {
			n.Namespace = place
			more = append(more, n)
		}
		more = append(more, optionalPermissions(c, place)...)
		if place == "" { // events about cluster-scoped objects are in the namespace default
			more = append(more, kubesource.Permission{Namespace: metav1.NamespaceDefault, Resource: "events", Verbs: []string{"list"}})
		}
	}
	if len(places) > 0 {
		more = append(more, clusterExplanationPermissions...)
	}
	if places = slices.DeleteFunc(places, func(place string) bool { return place == "" }); len(places) > 0 {
		more = append(more, kubesource.Permission{Resource: "namespaces", Names: places, Verbs: []string{"get"}})
	}
	if slices.Sort(absent); len(absent) > 0 {
		more = append(more, kubesource.Permission{Group: "apiextensions.k8s.io", Resource: permission.DefinitionsResource, Names: slices.Compact(absent), Verbs: []string{"get"}})
	}
	return more
}

// caveatPermissions is what the caveats of objects of a kind need, in their namespace.
var caveatPermissions = map[status.Kind][]kubesource.Permission{
	{Kind: "Service"}: {
		{Resource: "services", Verbs: getAndList}, {Resource: "pods", Verbs: []string{"list"}},
		{Group: "discovery.k8s.io", Resource: "endpointslices", Verbs: []string{"list"}},
	},
	{Group: "networking.k8s.io", Kind: "Ingress"}: {
		{Resource: "services", Verbs: getAndList}, {Group: "networking.k8s.io", Resource: "ingresses", Verbs: getAndList},
	},
	{Group: "batch", Kind: "CronJob"}: {
		{Group: "batch", Resource: "cronjobs", Verbs: getAndList}, {Group: "batch", Resource: "jobs", Verbs: []string{"list"}},
	},
}

// caveatNeeds returns the permissions to read the caveats of Current targets.
func caveatNeeds(c *connection.Cluster, targets []observe.Target) (more []kubesource.Permission) {
	for _, t := range targets {
		m, err := c.Mapper.RESTMapping(schema.GroupKind(t.Kind))
		if err != nil {
			continue
		}
		for _, n := range caveatPermissions[t.Kind] {
			n.Namespace, n.Purpose = placeOf(c, m, t), explanations
			more = append(more, n)
		}
		if t.Kind.Kind == "Ingress" {
			more = append(more, kubesource.Permission{Group: "networking.k8s.io", Resource: "ingressclasses", Verbs: getAndList, Purpose: explanations})
		}
	}
	return more
}

// placeOf returns the namespace of a target. It is empty for all namespaces, and for
// cluster-scoped objects.
func placeOf(c *connection.Cluster, m *meta.RESTMapping, t observe.Target) string {
	switch {
	case m.Scope.Name() != meta.RESTScopeNameNamespace:
		return ""
	case t.Namespace == "" && !t.IsSelection():
		return c.Namespace
	}
	return t.Namespace
}

// A placedKind is a kind in a namespace, or in all namespaces.
type placedKind struct {
	kind  status.Kind
	place string
}

// partNeeds returns the permissions to read the parts of targets, and the parts of these parts.
func (r *command) partNeeds(ctx context.Context, c *connection.Cluster, targets []observe.Target) (more []kubesource.Permission, err error) {
	reader := tree.Reader{Config: c.Config, Mapper: c.Mapper, SearchAllKinds: r.line.Deep}
	add := func(m *meta.RESTMapping, place string) {
		if m.Scope.Name() != meta.RESTScopeNameNamespace {
			place = ""
		}
		more = append(more, kubesource.Permission{Namespace: place, Group: m.Resource.Group, Resource: m.Resource.Resource, Verbs: getAndList})
	}
	seen := map[placedKind]bool{}
	var addPart func(kind status.Kind, m *meta.RESTMapping, place string) error
	addPart = func(kind status.Kind, m *meta.RESTMapping, place string) error {
		at := placedKind{kind, place}
		if seen[at] {
			return nil
		}
		seen[at] = true
		for _, part := range explain.PartKinds(kind) {
			m, err := c.Mapper.RESTMapping(schema.GroupKind(part))
			if err != nil {
				continue // a kind that is not served has no objects
			}
			add(m, place)
			if err := addPart(part, m, place); err != nil {
				return err
			}
		}
		likely, err := reader.LikelyParts(ctx, m)
		for _, m := range likely {
			add(m, place)
		}
		return err
	}
	for _, t := range targets {
		m, err := c.Mapper.RESTMapping(schema.GroupKind(t.Kind))
		if err != nil {
			continue // another function reports it
		}
		if err := addPart(t.Kind, m, placeOf(c, m, t)); err != nil {
			return more, err
		}
	}
	return more, nil
}
