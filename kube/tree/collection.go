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
	client    *client
	facts     *explain.Facts
	redact    explain.Redactor
	requested map[explain.ID]bool

	thingIndex   map[explain.ID]int    // where they are among the facts
	tried        map[explain.Wish]bool // what has been wished for and is granted, or cannot be
	noted        map[explain.Gap]bool  // the gaps that are among the facts
	taughtKinds  map[status.Kind]bool
	lists        []listResult               // the lists that have been read
	events       map[string][]explain.Event // of namespaces of which all have been read
	logCount     int                        // how many have been asked for
	allParts     bool                       // what has been made matters of those that are there, too
	allKinds     []*meta.RESTMapping        // all kinds; nil while that is not known
	ownedWishes  []explain.Wish             // for what has been found to be a part of something
	requestCount int                        // requests
	skipped      []string                   // what was not asked for, for want of requests
	unauthorized bool                       // nobody answers us any more
}

func newCollection(r Reader, server *client, ids []explain.ID) *collection {
	c := &collection{
		Reader: r, client: server, facts: &explain.Facts{Now: r.Now()}, requested: map[explain.ID]bool{},
		thingIndex: map[explain.ID]int{}, tried: map[explain.Wish]bool{}, noted: map[explain.Gap]bool{},
		taughtKinds: map[status.Kind]bool{}, events: map[string][]explain.Event{},
	}
	for _, id := range ids {
		c.requested[id] = true
	}
	return c
}

// untried returns the wishes to this cluster that have not been tried yet.
func (c *collection) untried(all []explain.Wish) (wishes []explain.Wish) {
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

// planNext returns the requests that fulfil the first of some wishes, which counts as
// tried then. Events are read when there is no
// more to be learnt of objects, so that those of all are read at once, and logs
// when it is known which of them matter.
func (c *collection) planNext(ctx context.Context, wishes []explain.Wish) []request {
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
			if _, known := c.thingIndex[w.ID]; !known {
				named = append(named, w)
			}
		}
	}
	requests, lists := c.planNamed(ctx, named)
	lists = slices.Concat(lists, c.planParts(ctx, parts), c.planSelected(ctx, found), c.planAny(ctx, any))
	return append(requests, c.planLists(lists)...)
}

// mapping returns how a kind is served. One of which only the name is known is
// looked for in all groups.
func (c *collection) mapping(ctx context.Context, kind status.Kind) (*meta.RESTMapping, error) {
	ctx, cancel := c.withTimeout(ctx)
	defer cancel()
	m, err := c.client.mapper.RESTMappingWithContext(ctx, schema.GroupKind{Group: kind.Group, Kind: kind.Kind})
	if err == nil || !meta.IsNoMatchError(err) || kind.Group != "" {
		return m, err
	}
	kinds, others := c.client.mapper.KindsForWithContext(ctx, schema.GroupVersionResource{Resource: strings.ToLower(kind.Kind)})
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
		return c.client.mapper.RESTMappingWithContext(ctx, schema.GroupKind{Group: group, Kind: kind.Kind})
	}
	return nil, err
}

// addGap takes note of something that could not be read.
func (c *collection) addGap(what, why string) {
	g := explain.Gap{What: what, Why: why}
	if !c.noted[g] {
		c.noted[g] = true
		c.facts.Gaps = append(c.facts.Gaps, g)
	}
}

// How many of the requests that were not made are named.
const maxSkippedNamed = 5

// addSkipped takes note of what was left out.
func (c *collection) addSkipped(ctx context.Context) {
	if ctx.Err() != nil {
		c.addGap("the rest", fmt.Sprintf("not read: %v", context.Cause(ctx)))
	}
	for _, what := range c.skipped[:min(len(c.skipped), maxSkippedNamed)] {
		c.addGap(what, fmt.Sprintf("not read: %d requests have been made", c.requestCount))
	}
	if more := len(c.skipped) - maxSkippedNamed; more > 0 {
		c.addGap(fmt.Sprintf("%d more", more), fmt.Sprintf("not read: %d requests have been made", c.requestCount))
	}
}
