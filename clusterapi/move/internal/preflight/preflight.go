// Package preflight checks both clusters before a move. It changes nothing: objects are created
// only as a dry run.
package preflight

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/content"
	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// Checks are the preflights of a move.
type Checks struct {
	Source, Target *management.Client // nil for a folder
	// Original returns an object of the source in full.
	Original func(context.Context, *plan.Item) (*unstructured.Unstructured, error)
	// Schema returns the schema of an object's kind in the target.
	Schema      func(context.Context, *plan.Item) (content.Schema, error)
	Inventory   *planner.Inventory
	Move        string // the ID of the move
	Concurrency int

	mu       sync.Mutex
	problems []plan.Problem
}

// add adds a problem.
func (c *Checks) add(p plan.Problem) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.problems = append(c.problems, p)
}

// Run runs all checks. The problems are in the order of the checks, and of the plan.
func (c *Checks) Run(ctx context.Context) ([]plan.Problem, error) {
	c.problems = slices.Clone(c.Inventory.Plan.Problems)
	checks := []func(context.Context) error{c.checkPermissions}
	if c.Source != nil {
		checks = append(checks, c.checkState)
	}
	if c.Source != nil && c.Target != nil {
		checks = append(checks, c.checkProviders, c.checkDeletion)
	}
	if c.Target != nil {
		checks = append(checks, c.checkDefinitions, c.checkCreation)
	}
	for _, check := range checks {
		before := len(c.problems)
		if err := check(ctx); err != nil {
			return c.problems, err
		}
		slices.SortStableFunc(c.problems[before:], func(a, b plan.Problem) int { return strings.Compare(a.Object, b.Object) })
	}
	return c.problems, nil
}

// selected returns the kinds of the objects that are moved or copied, and the namespaces of each.
func (c *Checks) selected() (kinds []*management.Kind, namespaces map[*management.Kind][]string) {
	namespaces = map[*management.Kind][]string{}
	for _, i := range c.Inventory.Plan.Selected() {
		k := c.Inventory.Objects[i].Kind
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
		if !slices.Contains(namespaces[k], i.Namespace) {
			namespaces[k] = append(namespaces[k], i.Namespace)
		}
	}
	return kinds, namespaces
}

var accessReviews = schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1", Resource: "selfsubjectaccessreviews"}

// A permission is a verb that a move needs on one side.
type permission struct {
	side   string
	client *management.Client
	verb   string
	kind   *management.Kind
}

// checkPermissions asks both servers about every verb and kind. It asks about single namespaces
// only if the permission for all of them is missing.
func (c *Checks) checkPermissions(ctx context.Context) error {
	kinds, namespaces := c.selected()
	var needed []permission
	for _, k := range kinds {
		for _, verb := range []string{"get", "list", "watch", "patch", "delete"} {
			if c.Source != nil && (verb != "delete" || c.Target != nil) {
				needed = append(needed, permission{"source", c.Source, verb, k})
			}
		}
		for _, verb := range []string{"get", "list", "watch", "create", "update", "patch", "delete"} {
			if c.Target != nil {
				needed = append(needed, permission{"target", c.Target, verb, k})
			}
		}
	}
	if missing := c.missingNamespaces(ctx, c.Inventory.Plan.Selected()); slices.Contains(slices.Collect(maps.Values(missing)), true) {
		k := &management.Kind{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, Resource: "namespaces"}
		needed = append(needed, permission{"target", c.Target, "create", k})
		namespaces[k] = []string{""}
	}
	errs := make([]error, len(needed))
	crash.Each(len(needed), c.Concurrency, func(n int) {
		p := needed[n]
		allowed, err := isAllowed(ctx, p, "")
		if err != nil || allowed {
			errs[n] = err
			return
		}
		for _, namespace := range namespaces[p.kind] {
			allowed, err := isAllowed(ctx, p, namespace)
			if err != nil {
				errs[n] = err
				return
			}
			if !allowed {
				in := ""
				if namespace != "" {
					in = " in namespace " + namespace
				}
				c.add(plan.Problem{
					Check: "permissions", Severity: severity.Error,
					Message: fmt.Sprintf("the permission to %s %s%s is missing in the %s", p.verb, p.kind, in, p.side),
					Fix:     "kstatus rbac -- capi move prints the roles",
				})
			}
		}
	})
	return errors.Join(errs...)
}

// isAllowed asks the server about a permission. An empty namespace means all.
func isAllowed(ctx context.Context, p permission, namespace string) (bool, error) {
	review := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
		"spec": map[string]any{"resourceAttributes": map[string]any{
			"verb": p.verb, "group": p.kind.Group, "version": p.kind.Version, "resource": p.kind.Resource, "namespace": namespace,
		}},
	}}
	answer, err := p.client.Objects.Resource(accessReviews).Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return false, fmt.Errorf("ask the %s about the permission to %s %s: %w", p.side, p.verb, p.kind, err)
	}
	return decoded.Bool(answer.Object, "status", "allowed"), nil
}

// checkDefinitions compares the definitions of both clusters.
func (c *Checks) checkDefinitions(ctx context.Context) error {
	kinds, _ := c.selected()
	served, err := c.Target.Kinds(ctx)
	if err != nil {
		return fmt.Errorf("the target: %w", err)
	}
	for _, k := range kinds {
		if k.Definition == "" {
			continue
		}
		t := management.Find(served, k.GroupKind())
		if t == nil {
			if t, err = c.Target.Kind(ctx, k.GroupVersionResource().GroupResource()); err != nil {
				return fmt.Errorf("the target: %w", err)
			}
		}
		p := plan.Problem{Check: "definitions", Severity: severity.Error, Fix: "install the same version of the provider in the target"}
		switch {
		case t == nil:
			p.Message = fmt.Sprintf("the target has no definition %s", k.Definition)
		case !slices.Contains(t.Versions, k.Version):
			p.Message = fmt.Sprintf("the target does not serve version %s of %s; it serves %s", k.Version, k.Definition, strings.Join(t.Versions, ", "))
		case t.Namespaced != k.Namespaced:
			p.Message = fmt.Sprintf("%s has another scope in the target", k.Definition)
		case t.IsForeign() && !k.IsForeign():
			p.Severity = severity.Warning
			p.Message = fmt.Sprintf("the definition %s of the target has no label of Cluster API, so the next move finds only objects that have a label themselves", k.Definition)
			p.Fix = fmt.Sprintf("kubectl label crd %s %s=", k.Definition, management.InstalledLabel)
		default:
			continue
		}
		c.add(p)
	}
	return nil
}

// checkCreation creates each object in the target as a dry run, and compares the result with the
// original. It reads no values of Secrets and ConfigMaps, unless the target has an object of the
// same name.
func (c *Checks) checkCreation(ctx context.Context) error {
	items := c.Inventory.Plan.Selected()
	errs := make([]error, len(items))
	missing := c.missingNamespaces(ctx, items)
	taken, err := c.takenNames(ctx, items, missing)
	if err != nil {
		return err
	}
	crash.Each(len(items), c.Concurrency, func(n int) {
		switch i := items[n]; {
		case !c.Inventory.Objects[i].Kind.MetadataOnly():
			errs[n] = c.checkItem(ctx, i, missing)
		case taken[c.Inventory.Objects[i].ID()]:
			errs[n] = c.checkCollision(ctx, i)
		}
	})
	return errors.Join(errs...)
}

// takenNames returns the Secrets and ConfigMaps of the target in the namespaces of items.
func (c *Checks) takenNames(ctx context.Context, items []*plan.Item, missing map[string]bool) (map[status.ID]bool, error) {
	taken, asked := map[status.ID]bool{}, map[status.ID]bool{}
	for _, i := range items {
		k := c.Inventory.Objects[i].Kind
		place := management.IDOf(k.GroupKind(), i.Namespace, "")
		if !k.MetadataOnly() || missing[i.Namespace] || asked[place] {
			continue
		}
		asked[place] = true
		err := c.Target.EachMetadata(ctx, k.GroupVersionResource(), i.Namespace, func(o *metav1.PartialObjectMetadata) {
			taken[management.IDOf(k.GroupKind(), o.Namespace, o.Name)] = true
		})
		if err := ignoreDenied(err); err != nil {
			return nil, fmt.Errorf("list %s of the target: %w", k, err)
		}
	}
	return taken, nil
}

// missingNamespaces returns the namespaces that the target does not have. A folder needs none.
func (c *Checks) missingNamespaces(ctx context.Context, items []*plan.Item) map[string]bool {
	missing := map[string]bool{}
	if c.Target == nil {
		return missing
	}
	for _, i := range items {
		if _, asked := missing[i.Namespace]; !asked && i.Namespace != "" {
			_, err := c.Target.Metadata.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Get(ctx, i.Namespace, metav1.GetOptions{})
			missing[i.Namespace] = apierrors.IsNotFound(err)
		}
	}
	return missing
}

// checkItem creates an object as a dry run.
func (c *Checks) checkItem(ctx context.Context, i *plan.Item, missing map[string]bool) error {
	o := c.Inventory.Objects[i]
	namespace := i.Namespace
	if missing[namespace] {
		namespace = metav1.NamespaceDefault
	}
	client := c.Target.Resource(o.Kind, namespace)
	want := content.Desired(o.Unstructured, content.Target{Mark: content.Mark(c.Move, types.UID(i.UID))})
	want.SetNamespace(namespace)
	have, err := client.Create(ctx, want, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldManager: management.FieldManager})
	switch {
	case apierrors.IsAlreadyExists(err) && missing[i.Namespace]:
		return nil // it is another object, in the namespace default
	case apierrors.IsAlreadyExists(err):
		return c.checkCollision(ctx, i)
	case isRejection(err):
		c.add(rejection(i, err))
		return nil
	case apierrors.IsNotFound(err):
		return nil // its definition is missing: see checkDefinitions
	case err != nil:
		return fmt.Errorf("dry run of %s: %w", i.Key(), err)
	}
	schema, err := c.Schema(ctx, i)
	if err != nil {
		return err
	}
	if differences := content.Compare(want, have, schema); len(differences) > 0 {
		c.add(plan.Problem{
			Check: "differences", Severity: severity.Error, Object: i.Key(), Accept: "differences",
			Message: "the target would not keep it as it is: " + content.Text(differences),
			Fix:     "compare the definitions and webhooks of both clusters",
		})
	}
	return nil
}

// checkCollision compares an object with the one of the same name in the target.
func (c *Checks) checkCollision(ctx context.Context, i *plan.Item) error {
	o := c.Inventory.Objects[i]
	have, err := c.Target.Resource(o.Kind, i.Namespace).Get(ctx, i.Name, metav1.GetOptions{})
	if err != nil {
		return ignoreDenied(err)
	}
	if move, _ := content.ParseMark(have.GetAnnotations()[content.MarkAnnotation]); move != "" && move != c.Move {
		c.add(plan.Problem{
			Check: "other-move", Severity: severity.Error, Object: i.Key(),
			Message: fmt.Sprintf("the target has it as part of move %s, which is not complete", move), Fix: "resume that move, or roll it back",
		})
		return nil
	}
	original, err := c.Original(ctx, i)
	if err != nil {
		return ignoreDenied(err)
	}
	schema, err := c.Schema(ctx, i)
	if err != nil {
		return err
	}
	owners := have.GetOwnerReferences()
	differences := content.CompareForeign(original, have, schema)
	p := plan.Problem{Check: "collision", Severity: severity.Error, Object: i.Key(), Fix: "rename or delete one of them"}
	switch {
	case len(differences) > 0 && i.Namespace == "":
		p.Severity, p.Fix = severity.Warning, ""
		p.Message = "the target has it already, and keeps its own: " + content.Text(differences)
	case len(differences) > 0:
		p.Message = "the target has another object of this name: " + content.Text(differences)
	case len(owners) > 0 && i.Decision == plan.Move:
		p.Severity, p.Fix = severity.Info, ""
		p.Message = fmt.Sprintf("the target has it already with the same content, and it belongs to %s %s there; it gets the moved owners too", owners[0].Kind, owners[0].Name)
	default:
		return nil
	}
	c.add(p)
	return nil
}

// ignoreDenied returns nil for errors that another check reports.
func ignoreDenied(err error) error {
	if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
