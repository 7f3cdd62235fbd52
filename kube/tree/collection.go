package tree

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/explain"
	"kstatus.dev/redact"
	"kstatus.dev/status"
)

// A collection is the state of one call of Collect or Tree. It belongs to one
// goroutine; only requests run in others.
type collection struct {
	Reader
	client       *client
	facts        *explain.Facts
	redactor     explain.Redactor
	ids          []status.ID            // the arguments of the call.
	requested    map[status.ID]bool     // the same.
	reach        reach                  // where events and logs are read.
	objectIndex  map[status.ID]int      // positions in facts.Objects.
	tried        map[explain.Query]bool // queries with planned requests.
	noted        map[explain.Gap]bool   // the gaps in facts.Gaps.
	ownedQueries []explain.Query        // for objects that were found by their owners.
	allParts     bool                   // also for objects that are ready.
	cache
	budget
}

// A cache holds results for reuse.
type cache struct {
	schemaKinds map[status.Kind]bool
	lists       listIndex[listResult]
	events      map[string][]explain.Event // by namespace, if all its events were read
	allKinds    []*meta.RESTMapping        // nil before discovery
}

// A budget counts requests, and holds those that were not sent.
type budget struct {
	requestCount int
	logCount     int
	skipped      []string // requests beyond the limit, for messages
	unauthorized bool     // the server does not accept the credentials
	isSilent     bool     // the server has not answered any of several concurrent requests
}

func newCollection(r Reader, server *client, ids []status.ID) *collection {
	c := &collection{
		Reader: r, client: server, ids: ids, reach: newReach(r, ids), facts: &explain.Facts{Now: r.Now()}, requested: map[status.ID]bool{},
		objectIndex: map[status.ID]int{}, tried: map[explain.Query]bool{}, noted: map[explain.Gap]bool{},
		cache: cache{schemaKinds: map[status.Kind]bool{}, lists: listIndex[listResult]{}, events: map[string][]explain.Event{}},
	}
	for _, id := range ids {
		c.requested[id] = true
	}
	return c
}

// untried returns the queries for this cluster without planned requests.
func (c *collection) untried(all []explain.Query) (queries []explain.Query) {
	for _, q := range all {
		cluster := q.ID.Cluster
		switch q.Type {
		case explain.QueryLog:
			cluster = q.Log.Pod.Cluster
		case explain.QueryList:
			cluster, q.ID = q.List.Cluster, status.ID{}
		}
		if cluster == c.Cluster && !c.tried[q] {
			queries = append(queries, q)
		}
	}
	return queries
}

// planNext returns the requests for the first kind of queries in this order:
// objects, events, logs. So the events of all objects are read at once, and
// logs once the relevant ones are known. It marks the queries as tried.
func (c *collection) planNext(ctx context.Context, queries []explain.Query) []request {
	for _, step := range []struct {
		kinds []explain.QueryType
		plan  func(context.Context, []explain.Query) []request
	}{
		{[]explain.QueryType{explain.QueryParts, explain.QueryObject, explain.QueryList, queryAny}, c.planObjects},
		{[]explain.QueryType{explain.QueryEvents}, c.planEvents},
		{[]explain.QueryType{explain.QueryLog}, c.planLogs},
	} {
		var these []explain.Query
		for _, q := range queries {
			if slices.Contains(step.kinds, q.Type) {
				these = append(these, q)
				c.tried[q] = true
			}
		}
		if len(these) > 0 {
			return step.plan(ctx, these)
		}
	}
	return nil
}

func (c *collection) planObjects(ctx context.Context, queries []explain.Query) []request {
	var parts, found, named, any []explain.Query
	for _, q := range queries {
		switch q.Type {
		case explain.QueryParts:
			parts = append(parts, q)
		case explain.QueryList:
			found = append(found, q)
		case queryAny:
			any = append(any, q)
		default:
			if _, known := c.objectIndex[q.ID]; !known {
				named = append(named, q)
			}
		}
	}
	requests, lists := c.planNamed(ctx, named)
	lists = slices.Concat(lists, c.planParts(ctx, parts), c.planSelected(ctx, found), c.planAny(ctx, any))
	return append(requests, c.planLists(ctx, lists)...)
}

// mapping returns the mapping of a kind. A kind without a group that is not in
// the core group is searched for in all groups.
func (c *collection) mapping(ctx context.Context, kind status.Kind) (*meta.RESTMapping, error) {
	ctx, cancel := c.withTimeout(ctx)
	defer cancel()
	m, err := c.client.mapper.RESTMapping(ctx, schema.GroupKind(kind))
	if err == nil || !meta.IsNoMatchError(err) || kind.Group != "" {
		return m, err
	}
	kinds, others := c.client.mapper.KindsFor(ctx, schema.GroupVersionResource{Resource: strings.ToLower(kind.Kind)})
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
		return c.client.mapper.RESTMapping(ctx, schema.GroupKind{Group: group, Kind: kind.Kind})
	}
	return nil, err
}

// addGap adds a gap to the facts.
func (c *collection) addGap(what, why string) {
	if !c.KeepSecrets {
		why = redact.Text(why)
	}
	g := explain.Gap{Subject: what, Reason: why}
	if !c.noted[g] {
		c.noted[g] = true
		c.facts.Gaps = append(c.facts.Gaps, g)
	}
}

// maxSkippedNamed is the number of skipped requests that gaps name.
const maxSkippedNamed = 5

// addSkipped adds gaps for requests that were not sent.
func (c *collection) addSkipped(ctx context.Context) {
	if ctx.Err() != nil {
		c.addGap("the rest", fmt.Sprintf("not read: %v", context.Cause(ctx)))
	}
	if c.isSilent {
		c.addGap("the rest", "not read: the server does not answer")
	}
	for _, what := range c.skipped[:min(len(c.skipped), maxSkippedNamed)] {
		c.addGap(what, fmt.Sprintf("not read: the limit of %d requests is reached", c.requestCount))
	}
	if more := len(c.skipped) - maxSkippedNamed; more > 0 {
		c.addGap(fmt.Sprintf("%d more", more), fmt.Sprintf("not read: the limit of %d requests is reached", c.requestCount))
	}
}
