package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"kstatus.dev/kube/sets"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
)

// setsLong tells of sets in the help of commands.
const setsLong = `A set is named by the tool that keeps it: helm/NAME, applyset/NAME, kapp/NAME or
kpt/NAME. With --expand, objects that own sets stand for what they own as well:
those of Flux, Argo CD, Crossplane and Cluster API. With --all, everything in the
namespace is meant that has a status. Which objects a set has is found out once, at
the start or as soon as it is there.`

// setsAmong returns those of the arguments that name sets, and the others.
func setsAmong(args []string) (named, others []string) {
	for _, arg := range args {
		if _, ok := sets.OwnerOf(arg, ""); ok {
			named = append(named, arg)
		} else {
			others = append(others, arg)
		}
	}
	return named, others
}

// abridged returns a few names.
func abridged(names []string) string {
	const most = 3
	if more := len(names) - most; more > 0 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// isMissing reports whether an error says that a set is not there.
func isMissing(err error) bool {
	_, ok := errors.AsType[*sets.Missing](err)
	return ok
}

func (c *connected) sets() *sets.Cluster {
	return &sets.Cluster{Config: c.config, Mapper: c.mapper, Namespace: c.namespace}
}

// inSets finds the objects of the sets that are named, or all that is in the
// namespace. What there is to say of a set is said.
func (s *selection) inSets(ctx context.Context, c *connected, r request) (all []selected, err error) {
	var errs []error
	for _, arg := range r.sets {
		owner, _ := sets.OwnerOf(arg, c.namespace)
		set, err := c.sets().Of(ctx, owner)
		all = append(all, selectedIn(c, set)...)
		errs = append(errs, err)
	}
	if r.everything {
		namespace := c.namespace
		if s.allNamespaces {
			namespace = ""
		}
		set, err := c.sets().All(ctx, namespace, s.selector)
		all = append(all, selectedIn(c, set)...)
		errs = append(errs, err)
	}
	return all, utilerrors.NewAggregate(errs)
}

// expanded adds what the objects own. An error from before stands.
func expanded(ctx context.Context, c *connected, all []selected, before error) ([]selected, error) {
	known := make(map[observe.Target]selected, len(all))
	roots := make([]observe.Target, len(all))
	for i, o := range all {
		roots[i] = o.target
		roots[i].Cluster = ""
		known[o.target] = o
	}
	set, err := c.sets().Expand(ctx, roots...)
	owned := selectedIn(c, set)
	for i, o := range owned {
		if given, ok := known[o.target]; ok {
			owned[i] = given
		}
	}
	return owned, utilerrors.NewAggregate([]error{before, err})
}

// selectedIn returns the objects of a set as selected.
func selectedIn(c *connected, set sets.Set) []selected {
	targets := c.keep(set)
	all := make([]selected, len(targets))
	for i, t := range targets {
		all[i] = selected{target: t}
	}
	return all
}

// keep returns the objects of a set that was found. It prints the notes on it, and
// keeps what owns the objects, and what finding them has taken.
func (c *connected) keep(set sets.Set) []observe.Target {
	for _, note := range set.Notes {
		c.tell(note)
	}
	c.reads = append(c.reads, set.Reads...)
	for owned, owner := range set.Owners {
		if c.owners == nil {
			c.owners = map[observe.Target]observe.Target{}
		}
		owned.Cluster, owner.Cluster = c.name, c.name
		c.owners[owned] = owner
	}
	targets := slices.Clone(set.Objects)
	for i := range targets {
		targets[i].Cluster = c.name
	}
	return targets
}

// tell says something of the sets of a cluster, once.
func (c *connected) tell(note string) {
	if c.name != "" {
		note = c.name + ": " + note
	}
	if !slices.Contains(c.told, note) {
		c.told = append(c.told, note)
		c.say(note)
	}
}

// usedForSets is what finding sets is called in the needs.
const usedForSets kubesource.Use = "sets"

// withReads adds to needs what finding sets has taken and they do not cover.
func withReads(needs []kubesource.Need, reads []sets.Read) []kubesource.Need {
	var more []kubesource.Need
	for _, r := range reads {
		covered := func(n kubesource.Need) bool { return covers(n, r) }
		if slices.ContainsFunc(needs, covered) || slices.ContainsFunc(more, covered) {
			continue
		}
		i := slices.IndexFunc(more, func(n kubesource.Need) bool {
			return n.Group == r.Group && n.Resource == r.Resource && n.Namespace == r.Namespace && (len(n.Names) == 0) == (r.Name == "")
		})
		if i < 0 {
			i = len(more)
			more = append(more, kubesource.Need{Use: usedForSets, Namespace: r.Namespace, Group: r.Group, Resource: r.Resource})
		}
		if n := &more[i]; r.Name != "" && !slices.Contains(n.Names, r.Name) {
			n.Names = append(n.Names, r.Name)
		}
		if n := &more[i]; !slices.Contains(n.Verbs, r.Verb) {
			n.Verbs = append(n.Verbs, r.Verb)
			slices.Sort(n.Verbs)
		}
	}
	return append(needs, more...)
}

// covers reports whether a need has what a read takes.
func covers(n kubesource.Need, r sets.Read) bool {
	return n.Group == r.Group && n.Resource == r.Resource && (n.Namespace == r.Namespace || n.Namespace == "") &&
		slices.Contains(n.Verbs, r.Verb) && (len(n.Names) == 0 || slices.Contains(n.Names, r.Name))
}
