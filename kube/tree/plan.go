package tree

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// A collection is what one call of Collect knows and has still to do. It belongs
// to one goroutine; only requests run in others.
type collection struct {
	Reader
	link   *link
	facts  *explain.Facts
	redact explain.Redactor
	asked  map[explain.ID]bool

	things map[explain.ID]int    // where they are among the facts
	tried  map[explain.Wish]bool // what has been wished for and is granted, or cannot be
	told   map[explain.Gap]bool  // the gaps that are among the facts
	taught map[status.Kind]bool
	read   []reading                  // the lists that have been read
	events map[string][]explain.Event // of namespaces of which all have been read
	logs   int                        // how many have been asked for
	whole  bool                       // what has been made matters of those that are there, too
	served []*meta.RESTMapping        // all kinds; nil while that is not known
	owned  []explain.Wish             // for what has been found to be a part of something
	made   int                        // requests
	left   []string                   // what was not asked for, for want of requests
	over   bool                       // nobody answers us any more
}

func newCollection(r Reader, l *link, ids []explain.ID) *collection {
	c := &collection{
		Reader: r, link: l, facts: &explain.Facts{Now: r.Now()}, asked: map[explain.ID]bool{},
		things: map[explain.ID]int{}, tried: map[explain.Wish]bool{}, told: map[explain.Gap]bool{},
		taught: map[status.Kind]bool{}, events: map[string][]explain.Event{},
	}
	for _, id := range ids {
		c.asked[id] = true
	}
	return c
}

// fresh returns the wishes to this cluster that have not been tried yet.
func (c *collection) fresh(all []explain.Wish) (wishes []explain.Wish) {
	for _, w := range all {
		cluster := w.ID.Cluster
		switch w.What {
		case explain.WishLog:
			cluster = w.Log.Pod.Cluster
		case explain.WishList:
			cluster, w.ID = w.List.Cluster, explain.ID{}
		}
		if cluster == c.Cluster && !c.tried[w] {
			wishes = append(wishes, w)
		}
	}
	return wishes
}

// plan returns the requests that fulfil the first of some wishes, which counts as
// tried then. Events are read when there is no
// more to be learnt of objects, so that those of all are read at once, and logs
// when it is known which of them matter.
func (c *collection) plan(ctx context.Context, wishes []explain.Wish) []request {
	for _, step := range []struct {
		kinds []explain.WishKind
		plan  func(context.Context, []explain.Wish) []request
	}{
		{[]explain.WishKind{explain.WishParts, explain.WishObject, explain.WishList, wishAny}, c.planObjects},
		{[]explain.WishKind{explain.WishEvents}, c.planEvents},
		{[]explain.WishKind{explain.WishLog}, c.planLogs},
	} {
		var these []explain.Wish
		for _, w := range wishes {
			if slices.Contains(step.kinds, w.What) {
				these = append(these, w)
				c.tried[w] = true
			}
		}
		if len(these) > 0 {
			return step.plan(ctx, these)
		}
	}
	return nil
}

func (c *collection) planObjects(ctx context.Context, wishes []explain.Wish) []request {
	var parts, found, named, any []explain.Wish
	for _, w := range wishes {
		switch w.What {
		case explain.WishParts:
			parts = append(parts, w)
		case explain.WishList:
			found = append(found, w)
		case wishAny:
			any = append(any, w)
		default:
			if _, known := c.things[w.ID]; !known {
				named = append(named, w)
			}
		}
	}
	requests, lists := c.planNamed(ctx, named)
	lists = slices.Concat(lists, c.planParts(ctx, parts), c.planFound(ctx, found), c.planAny(ctx, any))
	return append(requests, c.planLists(lists)...)
}

// mapping returns how a kind is served. One of which only the name is known is
// looked for in all groups.
func (c *collection) mapping(ctx context.Context, kind status.Kind) (*meta.RESTMapping, error) {
	ctx, cancel := c.patiently(ctx)
	defer cancel()
	m, err := c.link.mapper.RESTMappingWithContext(ctx, schema.GroupKind{Group: kind.Group, Kind: kind.Kind})
	if err == nil || !meta.IsNoMatchError(err) || kind.Group != "" {
		return m, err
	}
	kinds, others := c.link.mapper.KindsForWithContext(ctx, schema.GroupVersionResource{Resource: strings.ToLower(kind.Kind)})
	groups := map[string]bool{}
	for _, k := range kinds {
		if k.Kind == kind.Kind {
			groups[k.Group] = true
		}
	}
	if others != nil || len(groups) != 1 {
		return nil, err
	}
	for group := range groups {
		return c.link.mapper.RESTMappingWithContext(ctx, schema.GroupKind{Group: group, Kind: kind.Kind})
	}
	return nil, err
}

// gap takes note of something that could not be read.
func (c *collection) gap(what, why string) {
	g := explain.Gap{What: what, Why: why}
	if !c.told[g] {
		c.told[g] = true
		c.facts.Gaps = append(c.facts.Gaps, g)
	}
}

// How many of the requests that were not made are named.
const mostLeft = 5

// end takes note of what was left out.
func (c *collection) end(ctx context.Context) {
	if ctx.Err() != nil {
		c.gap("the rest", fmt.Sprintf("not read: %v", context.Cause(ctx)))
	}
	for _, what := range c.left[:min(len(c.left), mostLeft)] {
		c.gap(what, fmt.Sprintf("not read: %d requests have been made", c.made))
	}
	if more := len(c.left) - mostLeft; more > 0 {
		c.gap(fmt.Sprintf("%d more", more), fmt.Sprintf("not read: %d requests have been made", c.made))
	}
}
