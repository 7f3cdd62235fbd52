// Package planner computes the plan of a move from the objects of the source.
package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/guard"
	"kstatus.dev/status"
)

// An Inventory is a plan with the objects that it is about.
type Inventory struct {
	Plan    *plan.Plan
	Kinds   []*management.Kind
	Objects map[*plan.Item]*management.Object
	// Unlisted are other resources that may not be listed, so their labels are unknown.
	Unlisted []schema.GroupResource

	byUID    map[string]*management.Object
	owners   map[types.UID]bool // of any object
	unlisted bool               // some objects may not be listed, so they may have other owners
}

// OwnsNothing reports whether nothing in the source belongs to the object of an item.
func (inv *Inventory) OwnsNothing(i *plan.Item) bool {
	return inv != nil && !inv.unlisted && !inv.owners[types.UID(i.UID)]
}

// A source is what is known about the source.
type source struct {
	scope    plan.Scope
	selector labels.Selector
	kinds    []*management.Kind
	objects  []*management.Object
	// partial is true if the objects of other namespaces may not be listed.
	partial bool
	// dependents are objects of other kinds, by the UID of their owner.
	dependents map[types.UID][]other
	unlisted   bool // some of them may not be listed
	forbidden  []schema.GroupResource
	// refused are objects of other kinds with a label for moves that cannot be moved.
	refused  []other
	problems []plan.Problem
}

// Read reads the source and computes the plan.
func Read(ctx context.Context, c *management.Client, scope plan.Scope) (*Inventory, error) {
	s := &source{scope: scope}
	var err error
	if s.selector, err = labels.Parse(scope.Selector); err != nil {
		return nil, fmt.Errorf("selector %q: %w", scope.Selector, err)
	}
	if s.kinds, err = c.Kinds(ctx); err != nil {
		return nil, err
	}
	if management.Find(s.kinds, management.Cluster) == nil {
		return nil, errors.New("the source has no definition clusters.cluster.x-k8s.io: want a management cluster of Cluster API")
	}
	for _, read := range []func(context.Context, *management.Client) error{s.readObjects, s.readOthers, s.readCredentials} {
		if err := read(ctx, c); err != nil {
			return nil, err
		}
	}
	return s.plan(), nil
}

// readObjects lists the objects of Cluster API in all namespaces, to know what they share, and
// Secrets and ConfigMaps in the namespaces of the scope. Without the permission for all
// namespaces, it lists those of the scope.
func (s *source) readObjects(ctx context.Context, c *management.Client) error {
	var custom, builtIn []*management.Kind
	for _, k := range s.kinds {
		if k.MetadataOnly() {
			builtIn = append(builtIn, k)
		} else {
			custom = append(custom, k)
		}
	}
	if err := s.readCustom(ctx, c, custom); err != nil {
		return err
	}
	values, err := c.Read(ctx, builtIn, s.scope.Namespaces...)
	s.objects = append(s.objects, values...)
	return err
}

// readCustom lists custom resources in all namespaces, or in those of the scope.
func (s *source) readCustom(ctx context.Context, c *management.Client, kinds []*management.Kind) error {
	objects, err := c.Read(ctx, kinds)
	if apierrors.IsForbidden(firstOf(err)) && len(s.scope.Namespaces) > 0 {
		if !s.partial {
			s.problems = append(s.problems, plan.Problem{
				Check: "other-namespaces", Severity: severity.Warning,
				Message: "objects of other namespaces may not be listed, so it is unknown whether they share objects of the move",
			})
		}
		s.partial = true
		objects, err = c.Read(ctx, kinds, s.scope.Namespaces...)
	}
	s.objects = append(s.objects, objects...)
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
func (s *source) readCredentials(ctx context.Context, c *management.Client) error {
	secrets := management.Find(s.kinds, management.Secret)
	asked := map[status.ID]bool{}
	for _, o := range management.NewGraph(s.objects).Objects {
		for _, r := range o.References {
			if r.Object != nil || r.GroupKind() != management.Secret || r.Namespace == "" || s.inScope(r.Namespace) || asked[r.ID] {
				continue
			}
			asked[r.ID] = true
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

// inScope reports whether a namespace is in the scope.
func (s *source) inScope(namespace string) bool {
	return len(s.scope.Namespaces) == 0 || slices.Contains(s.scope.Namespaces, namespace)
}

func nameOf(o *management.Object) string { return plan.Key(o.ID()) }

// Find returns the object of an item, also of an item of another plan, and nil if it is gone.
func (inv *Inventory) Find(i *plan.Item) *management.Object {
	if inv == nil {
		return nil
	}
	if o := inv.Objects[i]; o != nil {
		return o
	}
	return inv.byUID[i.UID]
}
