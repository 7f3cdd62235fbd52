package tree

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/explain"
	"kstatus.dev/kube/connection"
	"kstatus.dev/status"
)

// queryAny is a query for the parts of an object whose kind does not determine
// the kinds of its parts.
const queryAny explain.QueryType = "parts of any kind"

// maxSimilarKinds is the number of kinds near the kind of an owner that are
// searched for its parts, in addition to commonKinds.
const maxSimilarKinds = 12

// commonKinds are the kinds that controllers of custom kinds create most often,
// apart from objects of their own group and of similar groups.
var commonKinds = []status.Kind{
	{Group: "apps", Kind: "Deployment"}, {Group: "apps", Kind: "StatefulSet"}, {Group: "apps", Kind: "DaemonSet"},
	{Group: "apps", Kind: "ReplicaSet"}, {Group: "batch", Kind: "Job"}, {Kind: "Pod"}, {Kind: "PersistentVolumeClaim"},
	{Kind: "Service"}, {Kind: "Secret"}, {Kind: "ConfigMap"},
}

// skippedKinds are not searched for parts: they change frequently, or belong to
// the cluster itself.
var skippedKinds = map[status.Kind]bool{
	{Kind: "Event"}: true, {Group: "events.k8s.io", Kind: "Event"}: true, {Group: "coordination.k8s.io", Kind: "Lease"}: true,
	{Kind: "ComponentStatus"}: true, {Kind: "Endpoints"}: true, {Group: "metrics.k8s.io", Kind: "PodMetrics"}: true, {Group: "metrics.k8s.io", Kind: "NodeMetrics"}: true,
}

// kubernetesGroups are groups of Kubernetes itself whose names look like those
// of custom kinds.
var kubernetesGroups = []string{
	"admissionregistration", "apiextensions", "apiregistration", "authentication", "authorization", "certificates", "coordination",
	"discovery", "events", "flowcontrol.apiserver", "internal.apiserver", "metrics", "networking", "node", "rbac.authorization",
	"resource", "scheduling", "storage", "storagemigration",
}

// isCustomGroup reports whether a group does not belong to Kubernetes itself.
func isCustomGroup(group string) bool {
	name, ours := strings.CutSuffix(group, ".k8s.io")
	return strings.Contains(group, ".") && !(ours && slices.Contains(kubernetesGroups, name))
}

// anyPartQueries returns a query for each relevant object whose parts may be of
// any kind.
func (c *collection) anyPartQueries() (all []explain.Query) {
	for _, t := range c.facts.Objects {
		ok := t.Result.Status == status.CurrentStatus && t.Result.Failure == ""
		if t.Object == nil || !c.allParts && (ok || len(explain.PartKinds(t.ID.Kind)) > 0) {
			continue
		}
		if c.mayHaveAnyParts(t.ID.Kind) {
			all = append(all, explain.Query{Type: queryAny, ID: t.ID})
		}
	}
	return all
}

// mayHaveAnyParts reports whether objects of a kind may have created objects of
// any kind.
func (r Reader) mayHaveAnyParts(kind status.Kind) bool {
	return isCustomGroup(kind.Group) || r.SearchAllKinds && !metadataKinds[kind]
}

// LikelyParts returns the mappings of kinds in which Collect searches for parts
// of objects of a kind. The kinds of [explain.PartKinds] are not included. It returns
// none for kinds of Kubernetes itself, unless SearchAllKinds is set.
func (r Reader) LikelyParts(ctx context.Context, of *meta.RESTMapping) ([]*meta.RESTMapping, error) {
	s := scope{mapping: of}
	if !r.mayHaveAnyParts(s.kind()) {
		return nil, nil
	}
	r, err := r.withConfig()
	if err != nil {
		return nil, err
	}
	r = r.withDefaults(nil)
	server, err := newClient(r)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	kinds, err := newCollection(r, server, nil).servedKinds(ctx)
	at := listKey{kind: s.kind()}
	if s.namespaced() {
		at.namespace = "any" // only whether it has a namespace matters
	}
	all, _ := candidates(kinds, at, r.SearchAllKinds)
	return all, err
}

// planAny returns the searches for parts of any kind: lists of metadata with
// the UIDs of the owners.
func (c *collection) planAny(ctx context.Context, queries []explain.Query) (all []listing) {
	if len(queries) == 0 {
		return nil
	}
	kinds, err := c.servedKinds(ctx)
	if err != nil {
		c.addGap("parts of "+queries[0].ID.String(), "cannot look up kinds: "+readErrorOf(err, "get", "/apis").text)
	}
	var owners groups[listKey, status.ID]
	for _, q := range queries {
		owners.add(listKey{q.ID.Kind, q.ID.Namespace}, q.ID)
	}
	for _, key := range owners.keys {
		all = append(all, c.listPartsOfAnyKind(kinds, key, owners.values[key])...)
	}
	return all
}

// listPartsOfAnyKind returns the searches for the parts of objects of one kind,
// in all likely kinds.
func (c *collection) listPartsOfAnyKind(kinds []*meta.RESTMapping, at listKey, owners []status.ID) (all []listing) {
	uids := map[types.UID]bool{}
	for _, id := range owners {
		uids[types.UID(c.uid(id))] = true
	}
	delete(uids, "")
	worth, left := candidates(kinds, at, c.SearchAllKinds)
	for _, m := range worth {
		if (scope{mapping: m}).kind() == secretKind && !c.allParts {
			continue // Secrets have no status, so as parts they explain nothing
		}
		s := scope{mapping: m, namespace: at.namespace, metadataOnly: true}
		all = append(all, c.listAnyParts(s, uids))
	}
	if left > 0 {
		c.addGap("parts of "+owners[0].String(), fmt.Sprintf("%d kinds of its project were not searched", left))
	}
	if c.requested[owners[0]] && at.namespace == "" {
		c.addGap("parts of "+owners[0].String(), "only cluster-scoped kinds were searched")
	}
	return all
}

// listAnyParts searches the metadata of a kind for objects that belong to some
// owners. If their status needs more than the metadata, it requests the whole
// objects.
func (c *collection) listAnyParts(s scope, uids map[types.UID]bool) listing {
	return listing{scope: s, handle: func(objects []object, err error) []request {
		if err != nil {
			c.addFailure(err, "list", s.resource(), s.String())
			return nil
		}
		for _, o := range objects {
			switch {
			case !o.ownedBy(uids):
			case metadataKinds[s.kind()]:
				c.addObject(s, status.ID{}, o)
			default:
				c.ownedQueries = append(c.ownedQueries, explain.Query{Type: explain.QueryObject, ID: c.id(s, o.GetNamespace(), o.GetName())})
			}
		}
		return nil
	}}
}

// candidates returns the kinds of possible parts of an object: a limited number
// of kinds near its own, nearest first, and commonKinds. A namespaced object
// has no parts outside of its namespace. For a cluster-scoped object, it
// returns all cluster-scoped kinds.
func candidates(kinds []*meta.RESTMapping, owner listKey, deep bool) (all []*meta.RESTMapping, left int) {
	var similar, others []*meta.RESTMapping
	for _, m := range kinds {
		kind := scope{mapping: m}.kind()
		switch {
		case skippedKinds[kind] || scope{mapping: m}.namespaced() != (owner.namespace != ""):
		case similarity(kind.Group, owner.kind.Group) > 0 && (deep || mayBePart(kind)):
			similar = append(similar, m)
		case deep || slices.Contains(commonKinds, kind):
			others = append(others, m)
		}
	}
	slices.SortStableFunc(similar, func(a, b *meta.RESTMapping) int {
		return similarity(b.GroupVersionKind.Group, owner.kind.Group) - similarity(a.GroupVersionKind.Group, owner.kind.Group)
	})
	if !deep && len(similar) > maxSimilarKinds {
		similar, left = similar[:maxSimilarKinds], len(similar)-maxSimilarKinds
	}
	return append(similar, others...), left
}

// mayBePart reports whether a controller may create objects of a kind as parts.
// Templates for other objects are not parts.
func mayBePart(kind status.Kind) bool {
	return !strings.HasSuffix(kind.Kind, "Template") && !strings.HasSuffix(kind.Kind, "Class")
}

// similarity returns the number of trailing words that two group names share,
// plus one if they are equal. It is zero if the groups belong to different
// projects, or if one belongs to Kubernetes itself.
func similarity(a, b string) int {
	if !isCustomGroup(a) || !isCustomGroup(b) {
		return 0
	}
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	n := 0
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	least := 2 // a domain
	if strings.HasSuffix(a, "k8s.io") {
		least = 3 // the domain of many projects
	}
	switch {
	case a == b:
		return n + 1
	case n < least:
		return 0
	}
	return n
}

// servedKinds returns the mappings of all kinds that can be listed, in the
// order of discovery. It sends requests once.
func (c *collection) servedKinds(ctx context.Context) ([]*meta.RESTMapping, error) {
	if c.allKinds != nil {
		return c.allKinds, nil
	}
	ctx, cancel := c.withTimeout(ctx)
	defer cancel()
	c.requestCount += 2 // one for the core group and one for all others
	lists, err := connection.PreferredResources(ctx, c.client.kinds)
	for _, l := range lists {
		gv, e := schema.ParseGroupVersion(l.GroupVersion)
		if e != nil {
			continue // the other parts of the response are about other groups
		}
		for _, r := range l.APIResources {
			if m := mappingFor(gv, r); m != nil {
				c.allKinds = append(c.allKinds, m)
			}
		}
	}
	if len(c.allKinds) > 0 {
		return c.allKinds, nil // groups whose server does not answer have nothing to list
	}
	return nil, err
}

// mappingFor returns the mapping of a resource; nil if it cannot be listed.
func mappingFor(gv schema.GroupVersion, r metav1.APIResource) *meta.RESTMapping {
	if r.Group != "" {
		gv.Group = r.Group
	}
	if r.Version != "" {
		gv.Version = r.Version
	}
	if !slices.Contains(r.Verbs, "list") || strings.Contains(r.Name, "/") {
		return nil
	}
	m := &meta.RESTMapping{Resource: gv.WithResource(r.Name), GroupVersionKind: gv.WithKind(r.Kind), Scope: meta.RESTScopeRoot}
	if r.Namespaced {
		m.Scope = meta.RESTScopeNamespace
	}
	return m
}

// uid returns the UID of an object, or an empty UID if it was not read.
func (c *collection) uid(id status.ID) string {
	i, known := c.objectIndex[id]
	if !known {
		return ""
	}
	return string((&unstructured.Unstructured{Object: c.facts.Objects[i].Object}).GetUID())
}
