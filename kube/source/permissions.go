package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/source/internal/evictions"
	"kstatus.dev/kube/source/internal/expect"
	"kstatus.dev/kube/source/internal/parts"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A Permission is a permission that is needed to read targets.
type Permission struct {
	Purpose   Purpose
	Namespace string // empty: in the whole cluster
	Group     string
	Resource  string   // such as deployments
	Names     []string // the names of the objects, sorted; empty: all
	Verbs     []string
}

// A Purpose says what a Permission is for.
type Purpose string

// The purposes.
const (
	PurposeObjects     Purpose = "objects"     // the targets themselves; without it they have no verdict
	PurposeParts       Purpose = "parts"       // the objects that their controllers create; without it a verdict explains less
	PurposeDefinitions Purpose = "definitions" // other objects that verdicts depend on, such as the schemas of custom kinds; without it a missing status may not be noticed
)

// Permissions returns the least permissions with which c reads the targets in the preferred way.
// The error names kinds that are not served, and targets whose namespace does not fit their
// kind; the result covers all others.
func (c *Cluster) Permissions(ctx context.Context, targets ...observe.Target) ([]Permission, error) {
	s, err := c.connect()
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", c.Config.Host, err)
	}
	defer s.close()
	tracked := parts.New(ctx, parts.Config{Endpoints: s.endpoints})
	all := needs{}
	named := map[*meta.RESTMapping]map[string]map[string]bool{}
	failed := map[string]error{}
	for _, t := range targets {
		mapping, namespace, err := s.locate(ctx, t)
		if err != nil {
			failed[err.Error()] = err
			continue
		}
		all.definitions(s, t.Kind, mapping, namespace)
		if tracked.Tracks(t.Kind) {
			all.parts(t.Kind, namespace)
		}
		if t.IsSelection() {
			all.add(need{PurposeObjects, namespace, mapping.Resource.GroupResource()}, "")
			continue
		}
		if named[mapping] == nil {
			named[mapping] = map[string]map[string]bool{}
		}
		if named[mapping][namespace] == nil {
			named[mapping][namespace] = map[string]bool{}
		}
		named[mapping][namespace][t.Name] = true
	}
	for mapping, places := range named {
		all.objects(s, mapping, places)
	}
	var errs []error
	for _, text := range slices.Sorted(maps.Keys(failed)) {
		errs = append(errs, failed[text])
	}
	return all.sorted(), errors.Join(errs...)
}

// locate returns how a target is served, and in which namespace it is.
func (s *session) locate(ctx context.Context, t observe.Target) (*meta.RESTMapping, string, error) {
	mapping, err := s.Discovery.Find(ctx, t.Kind)
	if err != nil {
		return nil, "", fmt.Errorf("look up %s: %w", t.Kind, err)
	}
	switch namespaced := mapping.Scope.Name() == meta.RESTScopeNameNamespace; {
	case !namespaced && t.Namespace != "":
		return nil, "", fmt.Errorf("%s has no namespace, and %s is named", t.Kind, t.Namespace)
	case !namespaced, t.Namespace != "", t.IsSelection():
		return mapping, t.Namespace, nil
	case s.namespace == "":
		return nil, "", fmt.Errorf("%s is namespaced, and no namespace is named", t.Kind)
	}
	return mapping, s.namespace, nil
}

// A need is a Permission without its names and verbs.
type need struct {
	use       Purpose
	namespace string
	resource  schema.GroupResource
}

// needs are the names that each need is for; nil for all.
type needs map[need]map[string]bool

func (n needs) add(what need, name string) {
	names, known := n[what]
	switch {
	case name == "":
		n[what] = nil
	case !known:
		n[what] = map[string]bool{name: true}
	case names != nil:
		names[name] = true
	}
}

// objects adds the permissions to read targets of a kind, given their names by namespace.
func (n needs) objects(s *session, m *meta.RESTMapping, places map[string]map[string]bool) {
	resource, kind := m.Resource.GroupResource(), expect.KindOf(m)
	if isClusterWide(m, len(places)) {
		n.add(need{PurposeObjects, "", resource}, "")
		return
	}
	total := 0
	for _, names := range places {
		total += len(names)
	}
	for namespace, names := range places {
		for name := range names {
			if !s.byName(kind, len(names), total) {
				name = ""
			}
			n.add(need{PurposeObjects, namespace, resource}, name)
		}
	}
}

// definitions adds the permissions to judge objects of a kind.
func (n needs) definitions(s *session, kind status.Kind, m *meta.RESTMapping, namespace string) {
	_, ruled := s.schemas.builtin[kind]
	switch {
	case evictions.Concerns(kind):
		n.add(need{PurposeDefinitions, namespace, schema.GroupResource{Resource: "events"}}, "")
	case kind == claimKind:
		n.add(need{PurposeDefinitions, "", storageClassResource.GroupResource()}, "")
	case !ruled:
		n.add(need{PurposeDefinitions, "", expect.Definitions.GroupResource()}, m.Resource.GroupResource().String())
		n.add(need{PurposeDefinitions, "", m.Resource.GroupResource()}, "")
	case parentLists[kind] != "":
		n.add(need{PurposeDefinitions, "", m.Resource.GroupResource()}, "") // of other objects
	}
}

// parts adds the permissions to read the parts of objects of a kind.
func (n needs) parts(kind status.Kind, namespace string) {
	for _, resource := range parts.ResourcesOf(kind) {
		n.add(need{PurposeParts, namespace, resource}, "")
	}
}

// verbs returns the verbs of a need for so many names, 0 for all.
func (n need) verbs(names int) []string {
	switch {
	case n.use == PurposeObjects && names > maxSingleWatches:
		return []string{"get"}
	case n.use == PurposeObjects:
		return []string{"get", "list", "watch"}
	case n.use == PurposeParts:
		return []string{"list", "watch"}
	case n.resource == expect.Definitions.GroupResource():
		return []string{"get"}
	}
	return []string{"list"}
}

// sorted returns the needs in order, without those that the targets have anyway.
func (n needs) sorted() []Permission {
	var all []Permission
	for what, names := range n {
		whole, known := n[need{PurposeObjects, what.namespace, what.resource}]
		if what.use != PurposeObjects && known && whole == nil {
			continue
		}
		all = append(all, Permission{
			Purpose: what.use, Namespace: what.namespace, Group: what.resource.Group, Resource: what.resource.Resource,
			Names: slices.Sorted(maps.Keys(names)), Verbs: what.verbs(len(names)),
		})
	}
	slices.SortFunc(all, func(a, b Permission) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Purpose, b.Purpose), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource))
	})
	return all
}
