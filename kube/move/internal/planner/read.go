// Package planner computes the plan of a move from the objects of the source.
package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/guard"
	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/move/plan"
	"kstatus.dev/severity"
)

// An Inventory is a plan with the objects that it is about.
type Inventory struct {
	Plan    *plan.Plan
	Kinds   []*clusterapi.Kind
	Objects map[*plan.Item]*clusterapi.Object

	byUID map[string]*clusterapi.Object
}

// A source is what is known about the source.
type source struct {
	scope    plan.Scope
	selector labels.Selector
	kinds    []*clusterapi.Kind
	objects  []*clusterapi.Object
	// partial is true if the objects of other namespaces may not be listed.
	partial bool
	// dependents are objects of other kinds, by the UID of their owner.
	dependents map[types.UID][]dependent
	problems   []plan.Problem
}

// A dependent is an object whose kind does not belong to Cluster API.
type dependent struct {
	group, kind, resource, namespace, name string
}

// Read reads the source and computes the plan.
func Read(ctx context.Context, c *clusterapi.Client, scope plan.Scope) (*Inventory, error) {
	s := &source{scope: scope, dependents: map[types.UID][]dependent{}}
	var err error
	if s.selector, err = labels.Parse(scope.Selector); err != nil {
		return nil, fmt.Errorf("selector %q: %w", scope.Selector, err)
	}
	if s.kinds, err = c.Kinds(ctx); err != nil {
		return nil, err
	}
	if clusterapi.Find(s.kinds, clusterapi.Cluster) == nil {
		return nil, errors.New("the source has no definition clusters.cluster.x-k8s.io: want a management cluster of Cluster API")
	}
	if err := s.readObjects(ctx, c); err != nil {
		return nil, err
	}
	if err := s.readCredentials(ctx, c); err != nil {
		return nil, err
	}
	if err := s.readDependents(ctx, c); err != nil {
		return nil, err
	}
	return s.plan(), nil
}

// readObjects lists the objects of Cluster API in all namespaces, to know what they share, and
// Secrets and ConfigMaps in the namespaces of the scope. Without the permission for all
// namespaces, it lists those of the scope.
func (s *source) readObjects(ctx context.Context, c *clusterapi.Client) error {
	var custom, builtIn []*clusterapi.Kind
	for _, k := range s.kinds {
		if k.MetadataOnly() {
			builtIn = append(builtIn, k)
		} else {
			custom = append(custom, k)
		}
	}
	objects, err := c.Read(ctx, custom)
	if apierrors.IsForbidden(firstOf(err)) && len(s.scope.Namespaces) > 0 {
		s.partial = true
		s.problems = append(s.problems, plan.Problem{
			Check: "other-namespaces", Severity: severity.Warning,
			Message: "objects of other namespaces may not be listed, so it is unknown whether they share objects of the move",
		})
		objects, err = c.Read(ctx, custom, s.scope.Namespaces...)
	}
	if err != nil {
		return err
	}
	values, err := c.Read(ctx, builtIn, s.scope.Namespaces...)
	s.objects = append(objects, values...)
	return err
}

// firstOf returns the first of joined errors.
func firstOf(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && len(joined.Unwrap()) > 0 {
		return joined.Unwrap()[0]
	}
	return err
}

// readCredentials reads the Secrets outside of the scope that objects refer to, such as those of
// cluster-scoped identities.
func (s *source) readCredentials(ctx context.Context, c *clusterapi.Client) error {
	secrets := clusterapi.Find(s.kinds, clusterapi.Secret)
	asked := map[clusterapi.Key]bool{}
	for _, o := range clusterapi.NewGraph(s.objects).Objects {
		for _, r := range o.References {
			key := clusterapi.Key{GroupKind: clusterapi.Secret, Namespace: r.Namespace, Name: r.Name}
			if r.Object != nil || r.GroupKind() != clusterapi.Secret || r.Namespace == "" || s.inScope(r.Namespace) || asked[key] {
				continue
			}
			asked[key] = true
			secret, err := c.Get(ctx, secrets, r.Namespace, r.Name)
			_, isInvalid := errors.AsType[*guard.NameError](err)
			switch {
			case isInvalid: // no object has that name
			case apierrors.IsForbidden(err):
				s.problems = append(s.problems, plan.Problem{
					Check: "credentials", Severity: severity.Warning, Object: nameOf(o),
					Message: fmt.Sprintf("%s names Secret %s/%s, which may not be read", r.Path, r.Namespace, r.Name),
				})
			case err != nil:
				return fmt.Errorf("read Secret %s/%s: %w", r.Namespace, r.Name, err)
			case secret != nil:
				s.objects = append(s.objects, secret)
			}
		}
	}
	return nil
}

// readDependents lists the metadata of all other objects in the namespaces of the scope, to find
// those that objects of Cluster API own.
func (s *source) readDependents(ctx context.Context, c *clusterapi.Client) error {
	resources, err := s.otherResources(c)
	if err != nil {
		return err
	}
	namespaces := s.scope.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	found, errs := make([][]dependent, len(resources)*len(namespaces)), make([]error, len(resources)*len(namespaces))
	owners := make([][]types.UID, len(found))
	clusterapi.Each(len(found), 10, func(i int) {
		r, namespace := resources[i/len(namespaces)], namespaces[i%len(namespaces)]
		errs[i] = c.EachMetadata(ctx, r.GroupVersionResource, namespace, func(m *metav1.PartialObjectMetadata) {
			for _, owner := range m.OwnerReferences {
				found[i] = append(found[i], dependent{r.Group, r.kind, r.Resource, m.Namespace, m.Name})
				owners[i] = append(owners[i], owner.UID)
			}
		})
	})
	for i := range found {
		switch r := resources[i/len(namespaces)]; {
		case apierrors.IsForbidden(errs[i]):
			s.problems = append(s.problems, plan.Problem{
				Check: "dependents", Severity: severity.Warning,
				Message: fmt.Sprintf("%s may not be listed, so it is unknown whether moved objects own some", r.GroupResource()),
			})
		case apierrors.IsNotFound(errs[i]) || apierrors.IsMethodNotSupported(errs[i]) || apierrors.IsServiceUnavailable(errs[i]):
			// An aggregated API that does not answer has no objects that can be owned.
		case errs[i] != nil:
			return fmt.Errorf("list %s: %w", r.GroupResource(), errs[i])
		}
		for j, d := range found[i] {
			s.dependents[owners[i][j]] = append(s.dependents[owners[i][j]], d)
		}
	}
	return nil
}

// An otherResource is a resource whose objects do not belong to Cluster API.
type otherResource struct {
	schema.GroupVersionResource
	kind string
}

// otherResources returns the namespaced resources that are not of Cluster API.
func (s *source) otherResources(c *clusterapi.Client) (all []otherResource, err error) {
	known := map[schema.GroupResource]bool{{Resource: "events"}: true, {Group: "events.k8s.io", Resource: "events"}: true}
	for _, k := range s.kinds {
		known[k.GroupVersionResource().GroupResource()] = true
	}
	lists, err := c.Discovery.ServerPreferredResources()
	if lists == nil && err != nil {
		return nil, fmt.Errorf("read the kinds of the source: %w", err)
	}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue // it has no name to request it by
		}
		for _, r := range list.APIResources {
			if r.Namespaced && slices.Contains(r.Verbs, "list") && !known[schema.GroupResource{Group: gv.Group, Resource: r.Name}] {
				all = append(all, otherResource{gv.WithResource(r.Name), r.Kind})
			}
		}
	}
	return all, nil
}

// inScope reports whether a namespace is in the scope.
func (s *source) inScope(namespace string) bool {
	return len(s.scope.Namespaces) == 0 || slices.Contains(s.scope.Namespaces, namespace)
}

func nameOf(o *clusterapi.Object) string {
	return (&plan.Item{Group: o.Kind.Group, Kind: o.Kind.Kind, Namespace: o.GetNamespace(), Name: o.GetName()}).Key()
}

// Find returns the object of an item, also of an item of another plan, and nil if it is gone.
func (inv *Inventory) Find(i *plan.Item) *clusterapi.Object {
	if inv == nil {
		return nil
	}
	if o := inv.Objects[i]; o != nil {
		return o
	}
	return inv.byUID[i.UID]
}
