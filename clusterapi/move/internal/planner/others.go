package planner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/crash"
)

// An otherResource is a resource whose objects do not belong to Cluster API.
type otherResource struct {
	schema.GroupVersionResource
	kind       string
	namespaced bool
}

// An other is an object of such a resource.
type other struct {
	otherResource
	namespace, name string
	uid             types.UID
	owners          []types.UID
	label           string // for moves; empty if it has none
}

// key returns the name of the object for people.
func (o other) key() string {
	return plan.Key(management.IDOf(schema.GroupKind{Group: o.Group, Kind: o.kind}, o.namespace, o.name))
}

// readOthers lists the metadata of all other objects in the namespaces of the scope. It finds those
// that objects of Cluster API own. If the scope has whole namespaces, it also finds those with a
// label for moves, and reads the objects of their kinds.
func (s *source) readOthers(ctx context.Context, c *management.Client) error {
	resources, err := s.otherResources(ctx, c)
	if err != nil {
		return err
	}
	all, err := s.listOthers(ctx, c, resources)
	if err != nil {
		return err
	}
	owned := map[types.UID][]other{}
	for _, o := range all {
		for _, owner := range o.owners {
			owned[owner] = append(owned[owner], o)
		}
	}
	moved, err := s.readLabeled(ctx, c, all, owned)
	if err != nil {
		return err
	}
	s.dependents = map[types.UID][]other{}
	for owner, others := range owned {
		s.dependents[owner] = slices.DeleteFunc(others, func(o other) bool { return moved[o.GroupResource()] })
	}
	return nil
}

// listOthers lists the metadata of the objects of resources.
func (s *source) listOthers(ctx context.Context, c *management.Client, resources []otherResource) (all []other, err error) {
	type list struct {
		otherResource
		namespace string
		found     []other
		err       error
	}
	var lists []*list
	for _, r := range resources {
		if !r.namespaced || len(s.scope.Namespaces) == 0 {
			lists = append(lists, &list{otherResource: r})
			continue
		}
		for _, namespace := range s.scope.Namespaces {
			lists = append(lists, &list{otherResource: r, namespace: namespace})
		}
	}
	crash.Each(len(lists), 10, func(i int) {
		l := lists[i]
		l.err = c.EachMetadata(ctx, l.GroupVersionResource, l.namespace, func(m *metav1.PartialObjectMetadata) {
			o := other{otherResource: l.otherResource, namespace: m.Namespace, name: m.Name, uid: m.UID, label: moveLabel(m.Labels)}
			for _, owner := range m.OwnerReferences {
				if l.namespaced { // nothing that moves can own the others
					o.owners = append(o.owners, owner.UID)
				}
			}
			if o.label != "" || len(o.owners) > 0 {
				l.found = append(l.found, o)
			}
		})
	})
	var unknown []string // cluster-scoped resources
	for _, l := range lists {
		if r := l.GroupResource(); apierrors.IsForbidden(l.err) && !slices.Contains(s.forbidden, r) {
			s.forbidden = append(s.forbidden, r)
		}
		switch {
		case !l.namespaced && (apierrors.IsForbidden(l.err) || apierrors.IsNotAcceptable(l.err)):
			unknown = append(unknown, l.GroupResource().String())
		case apierrors.IsForbidden(l.err):
			message := l.GroupResource().String() + " may not be listed, so it is unknown whether moved objects own some"
			if s.scope.IsWhole() {
				message += ", and whether some have the label " + management.MoveLabel
			}
			s.unlisted = true
			s.addUnknown("dependents", message)
		case apierrors.IsNotFound(l.err) || apierrors.IsMethodNotSupported(l.err) || apierrors.IsServiceUnavailable(l.err):
			// An aggregated API that does not answer has no objects that can be owned.
		case l.err != nil:
			return nil, fmt.Errorf("list %s: %w", l.GroupResource(), l.err)
		}
		all = append(all, l.found...)
	}
	if len(unknown) > 0 {
		s.addUnknown(labeledCheck, strings.Join(unknown, ", ")+" may not be listed, so it is unknown whether some have the label "+management.MoveLabel)
	}
	return all, nil
}

func (s *source) addUnknown(check, message string) {
	s.problems = append(s.problems, plan.Problem{Check: check, Severity: severity.Warning, Message: message})
}

// moveLabel returns the label for moves in labels, and an empty text if they have none.
func moveLabel(labels map[string]string) string {
	for _, name := range []string{management.MoveHierarchyLabel, management.MoveLabel} {
		if _, has := labels[name]; has {
			return name
		}
	}
	return ""
}

// readLabeled reads the custom resources among objects with a label for moves, and those that they
// own, with all objects of their kinds. It returns these kinds. Other labeled objects are refused.
func (s *source) readLabeled(ctx context.Context, c *management.Client, all []other, owned map[types.UID][]other) (moved map[schema.GroupResource]bool, err error) {
	moved = map[schema.GroupResource]bool{}
	asked := map[schema.GroupResource]bool{}
	var kinds []*management.Kind
	seen := map[types.UID]bool{}
	todo := slices.DeleteFunc(slices.Clone(all), func(o other) bool { return o.label == "" || !s.scope.IsWhole() })
	for len(todo) > 0 {
		o := todo[0]
		todo = todo[1:]
		if r := o.GroupResource(); !asked[r] {
			asked[r] = true
			if !o.namespaced || management.IsInventory(o.Group) {
				continue
			}
			k, err := c.Kind(ctx, r)
			if err != nil {
				return nil, err
			}
			if k != nil {
				kinds, moved[r] = append(kinds, k), true
			}
		}
		if o.label == management.MoveHierarchyLabel && !seen[o.uid] {
			seen[o.uid] = true
			for _, below := range owned[o.uid] {
				below.label = o.label
				todo = append(todo, below)
			}
		}
	}
	for _, o := range all {
		if o.label != "" && s.scope.IsWhole() && !moved[o.GroupResource()] {
			s.refused = append(s.refused, o)
		}
	}
	slices.SortFunc(kinds, func(a, b *management.Kind) int { return cmp.Compare(a.Definition, b.Definition) })
	s.kinds = append(s.kinds, kinds...)
	return moved, s.readCustom(ctx, c, kinds)
}

// notListed are resources whose objects are not looked at: events, and what a move creates or
// compares by itself.
var notListed = []schema.GroupResource{
	{Resource: "events"}, {Group: "events.k8s.io", Resource: "events"}, {Resource: "namespaces"}, management.Definitions.GroupResource(),
}

// otherResources returns the resources that are not of Cluster API. Cluster-scoped ones matter only
// for labels.
func (s *source) otherResources(ctx context.Context, c *management.Client) (all []otherResource, err error) {
	known := map[schema.GroupResource]bool{}
	for _, r := range notListed {
		known[r] = true
	}
	for _, k := range s.kinds {
		known[k.GroupVersionResource().GroupResource()] = true
	}
	lists, err := c.PreferredResources(ctx)
	if lists == nil && err != nil {
		return nil, fmt.Errorf("read the kinds of the source: %w", err)
	}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue // it has no name to request it by
		}
		for _, r := range list.APIResources {
			if (r.Namespaced || s.scope.IsWhole()) && slices.Contains(r.Verbs, "list") && !known[schema.GroupResource{Group: gv.Group, Resource: r.Name}] {
				all = append(all, otherResource{gv.WithResource(r.Name), r.Kind, r.Namespaced})
			}
		}
	}
	return all, nil
}
