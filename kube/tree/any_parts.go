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
	"kstatus.dev/kube/internal/connection"
	"kstatus.dev/status"
)

// wishAny is a wish for the parts of an object of a kind of which it is not known
// what it makes.
const wishAny explain.QueryType = "parts of any kind"

// maxNearKinds is the number of kinds near the kind of an owner that are searched for
// its parts, in addition to commonKinds.
const maxNearKinds = 12

// The kinds that controllers of custom kinds create most often, apart from objects of
// their own group and of groups near it.
var commonKinds = []status.Kind{
	{Group: "apps", Kind: "Deployment"}, {Group: "apps", Kind: "StatefulSet"}, {Group: "apps", Kind: "DaemonSet"},
	{Group: "apps", Kind: "ReplicaSet"}, {Group: "batch", Kind: "Job"}, {Kind: "Pod"}, {Kind: "PersistentVolumeClaim"},
	{Kind: "Service"}, {Kind: "Secret"}, {Kind: "ConfigMap"},
}

// Kinds that are not searched for parts: they change all the time, or belong to the
// cluster alone.
var skippedKinds = map[status.Kind]bool{
	{Kind: "Event"}: true, {Group: "events.k8s.io", Kind: "Event"}: true, {Group: "coordination.k8s.io", Kind: "Lease"}: true,
	{Kind: "ComponentStatus"}: true, {Kind: "Endpoints"}: true, {Group: "metrics.k8s.io", Kind: "PodMetrics"}: true, {Group: "metrics.k8s.io", Kind: "NodeMetrics"}: true,
}

// The groups of Kubernetes itself whose names look like those of custom kinds.
var kubernetesGroups = []string{
	"admissionregistration", "apiextensions", "apiregistration", "authentication", "authorization", "certificates", "coordination",
	"discovery", "events", "flowcontrol.apiserver", "internal.apiserver", "metrics", "networking", "node", "rbac.authorization",
	"resource", "scheduling", "storage", "storagemigration",
}

// isCustomGroup reports whether a group is not one of Kubernetes itself.
func isCustomGroup(group string) bool {
	name, ours := strings.CutSuffix(group, ".k8s.io")
	return strings.Contains(group, ".") && !(ours && slices.Contains(kubernetesGroups, name))
}

// anyPartWishes returns a wish for each object whose parts may be of any kind and
// matter.
func (c *collection) anyPartWishes() (all []explain.Query) {
	for _, t := range c.facts.Objects {
		there := t.Result.Status == status.CurrentStatus && t.Result.Failure == ""
		if t.Object == nil || !c.allParts && (there || len(explain.PartKinds(t.ID.GroupKind())) > 0) {
			continue
		}
		if c.mayHaveAnyParts(t.ID.GroupKind()) {
			all = append(all, explain.Query{Type: wishAny, ID: t.ID})
		}
	}
	return all
}

// mayHaveAnyParts reports whether objects of a kind may have made others of any kind.
func (r Reader) mayHaveAnyParts(kind status.Kind) bool {
	return isCustomGroup(kind.Group) || r.SearchAllKinds && !metadataKinds[kind]
}

// LikelyParts returns how the kinds are served among which parts of objects of a kind are
// looked for, apart from those of [explain.PartKinds]: none unless the kind is a custom one,
// or all kinds are to be searched.
func (r Reader) LikelyParts(ctx context.Context, of *meta.RESTMapping) ([]*meta.RESTMapping, error) {
	s := scope{mapping: of}
	if !r.mayHaveAnyParts(s.kind()) {
		return nil, nil
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
		at.namespace = "any" // all that matters is that it has one
	}
	all, _ := candidates(kinds, at, r.SearchAllKinds)
	return all, err
}

// planAny returns what to look for as parts of objects of any kind: lists of
// metadata in which their UIDs are looked for.
func (c *collection) planAny(ctx context.Context, wishes []explain.Query) (all []listing) {
	if len(wishes) == 0 {
		return nil
	}
	kinds, err := c.servedKinds(ctx)
	if err != nil {
		c.addGap("parts of "+wishes[0].ID.String(), "kinds cannot be looked up: "+readErrorOf(err, "get", "/apis").text)
	}
	var owners groups[listKey, explain.ID]
	for _, w := range wishes {
		owners.add(listKey{w.ID.GroupKind(), w.ID.Namespace}, w.ID)
	}
	for _, key := range owners.keys {
		all = append(all, c.listPartsOfAnyKind(kinds, key, owners.values[key])...)
	}
	return all
}

// listPartsOfAnyKind is the parts of objects of one kind, among all kinds that are worth
// looking through.
func (c *collection) listPartsOfAnyKind(kinds []*meta.RESTMapping, at listKey, owners []explain.ID) (all []listing) {
	uids := map[types.UID]bool{}
	for _, id := range owners {
		uids[types.UID(c.uid(id))] = true
	}
	delete(uids, "")
	worth, left := candidates(kinds, at, c.SearchAllKinds)
	for _, m := range worth {
		if (scope{mapping: m}).kind() == secretKind && !c.allParts {
			continue // Secrets have no status, and explain nothing by being parts
		}
		s := scope{mapping: m, namespace: at.namespace, metadataOnly: true}
		all = append(all, c.listAnyParts(s, uids))
	}
	if left > 0 {
		c.addGap("parts of "+owners[0].String(), fmt.Sprintf("%d kinds of its project have not been looked through", left))
	}
	if c.requested[owners[0]] && at.namespace == "" {
		c.addGap("parts of "+owners[0].String(), "only those that are in no namespace have been looked for")
	}
	return all
}

// listAnyParts lists the metadata of a kind for objects with one of some owners. If
// their status needs more than the metadata, it requests the whole objects.
func (c *collection) listAnyParts(s scope, uids map[types.UID]bool) listing {
	return listing{s, func(objects []object, err error) []request {
		if err != nil {
			c.addFailure(err, "list", s.resource(), s.String())
			return nil
		}
		for _, o := range objects {
			switch {
			case !o.ownedBy(uids):
			case metadataKinds[s.kind()]:
				c.addObject(s, explain.ID{}, o)
			default:
				c.ownedWishes = append(c.ownedWishes, explain.Query{Type: explain.QueryObject, ID: c.id(s, o.GetNamespace(), o.GetName())})
			}
		}
		return nil
	}}
}

// candidates returns the kinds that an object may have made parts of: those near
// its own, nearest first, as far as they are not too many, and what is usual. What is in
// a namespace has made nothing outside of it; of what is in none, all that is in
// no namespace is returned.
func candidates(kinds []*meta.RESTMapping, owner listKey, deep bool) (all []*meta.RESTMapping, left int) {
	var near, others []*meta.RESTMapping
	for _, m := range kinds {
		kind := scope{mapping: m}.kind()
		switch {
		case skippedKinds[kind] || scope{mapping: m}.namespaced() != (owner.namespace != ""):
		case nearness(kind.Group, owner.kind.Group) > 0 && (deep || mayBePart(kind)):
			near = append(near, m)
		case deep || slices.Contains(commonKinds, kind):
			others = append(others, m)
		}
	}
	slices.SortStableFunc(near, func(a, b *meta.RESTMapping) int {
		return nearness(b.GroupVersionKind.Group, owner.kind.Group) - nearness(a.GroupVersionKind.Group, owner.kind.Group)
	})
	if !deep && len(near) > maxNearKinds {
		near, left = near[:maxNearKinds], len(near)-maxNearKinds
	}
	return append(near, others...), left
}

// mayBePart reports whether objects of a kind may have been made by a controller to get
// something done: those that others are made from have not.
func mayBePart(kind status.Kind) bool {
	return !strings.HasSuffix(kind.Kind, "Template") && !strings.HasSuffix(kind.Kind, "Class")
}

// nearness returns how near two groups are to each other: how many of the last
// words of their names they share, and one more if they are the same. It is zero
// if they are not of one project, or if one is of Kubernetes itself.
func nearness(a, b string) int {
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
		least = 3 // which is that of many projects
	}
	switch {
	case a == b:
		return n + 1
	case n < least:
		return 0
	}
	return n
}

// servedKinds returns how all kinds are served that can be listed, in the order of
// discovery. It sends requests once.
func (c *collection) servedKinds(ctx context.Context) ([]*meta.RESTMapping, error) {
	if c.allKinds != nil {
		return c.allKinds, nil
	}
	ctx, cancel := c.withTimeout(ctx)
	defer cancel()
	c.requestCount += 2 // for the core group and for all others
	lists, err := connection.PreferredResources(ctx, c.client.kinds)
	for _, l := range lists {
		gv, e := schema.ParseGroupVersion(l.GroupVersion)
		if e != nil {
			continue // no other part of the answer is about it
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

// mappingFor returns how a resource is served; nil if it cannot be listed.
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

// uid returns the UID of a thing, empty if it has no object.
func (c *collection) uid(id explain.ID) string {
	i, known := c.thingIndex[id]
	if !known {
		return ""
	}
	return string((&unstructured.Unstructured{Object: c.facts.Objects[i].Object}).GetUID())
}
