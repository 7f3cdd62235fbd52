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

	"kstatus.dev/observe"
)

// A Need is a permission that it takes to read targets.
type Need struct {
	Use       Use
	Namespace string // where; empty: in the whole cluster
	Group     string
	Resource  string   // such as deployments
	Names     []string // of which objects, sorted; none: of all
	Verbs     []string
}

// A Use says what a Need is for.
type Use string

// The uses.
const (
	Objects     Use = "objects"     // the targets themselves; without it there is no verdict on them
	Parts       Use = "parts"       // what their controllers have made; without it a verdict says less about why
	Definitions Use = "definitions" // what custom kinds promise; without it a status that is late may not be missed
)

// Needs returns the least that c must be allowed so that it reads the targets
// in the way it likes best. Kinds that are not served, and targets that do not
// name their scope as their kind asks, are named in the error; the needs are
// good for all others.
func (c *Cluster) Needs(targets ...observe.Target) ([]Need, error) {
	l, err := c.connect()
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", c.Config.Host, err)
	}
	defer l.close()
	all := needs{}
	failed := map[string]error{}
	for _, t := range targets {
		if err := all.target(l, t); err != nil {
			failed[err.Error()] = err
		}
	}
	var errs []error
	for _, text := range slices.Sorted(maps.Keys(failed)) {
		errs = append(errs, failed[text])
	}
	return all.sorted(), errors.Join(errs...)
}

// A need is a Need without its names and verbs.
type need struct {
	use       Use
	namespace string
	resource  schema.GroupResource
}

// needs are the names that are needed of each; nil for all.
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

// target adds what it takes to read a target.
func (n needs) target(l *link, t observe.Target) error {
	mapping, err := l.kinds.find(context.Background(), t.Kind)
	if err != nil {
		return fmt.Errorf("look up %s: %w", t.Kind, err)
	}
	namespace := t.Namespace
	switch namespaced := mapping.Scope.Name() == meta.RESTScopeNameNamespace; {
	case !namespaced && namespace != "":
		return fmt.Errorf("%s has no namespace, and %s is named", t.Kind, namespace)
	case namespaced && namespace == "" && !t.IsSelection():
		if namespace = l.namespace; namespace == "" {
			return fmt.Errorf("%s is namespaced, and no namespace is named", t.Kind)
		}
	}
	resource := mapping.Resource.GroupResource()
	n.add(need{Objects, namespace, resource}, t.Name)
	if _, ruled := l.lessons.known[t.Kind]; !ruled && l.lessons.learn != nil {
		n.add(need{Definitions, "", definitions.GroupResource()}, resource.String())
	}
	if _, ok := withParts[t.Kind]; ok {
		for kind, resource := range partResources {
			if s := (strand{kind: kind}); s.concerns(&parent{target: t}) {
				n.add(need{Parts, namespace, resource.GroupResource()}, "")
			}
		}
	}
	return nil
}

// The verbs that reading takes.
var verbs = map[Use][]string{
	Objects:     {"get", "list", "watch"},
	Parts:       {"list", "watch"},
	Definitions: {"get"},
}

func (n needs) sorted() []Need {
	var all []Need
	total := map[schema.GroupResource]int{}
	for what, names := range n {
		if what.use == Objects {
			total[what.resource] += len(names)
		}
	}
	for what, names := range n {
		whole, known := n[need{Objects, what.namespace, what.resource}]
		if what.use == Parts && known && whole == nil {
			continue
		}
		need := Need{Use: what.use, Namespace: what.namespace, Group: what.resource.Group, Resource: what.resource.Resource, Verbs: verbs[what.use]}
		if what.use == Definitions || what.use == Objects && byName(len(names), total[what.resource]) {
			need.Names = slices.Sorted(maps.Keys(names))
		}
		all = append(all, need)
	}
	slices.SortFunc(all, func(a, b Need) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Use, b.Use), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource))
	})
	return all
}
