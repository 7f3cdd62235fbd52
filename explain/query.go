package explain

import (
	"slices"

	"kstatus.dev/status"
)

// A Query names facts that are missing and may explain an object.
type Query struct {
	Type    QueryType
	ID      status.ID   // QueryParts: the owner; QueryObject: the object; QueryEvents: the object that they are about
	Kind    status.Kind // QueryParts: the kind of the parts
	Log     LogID       // QueryLog: the log
	List    List        // QueryList: the list
	Similar bool        // QueryObject: the kind is guessed; the one of [SimilarKind] is meant
}

// A QueryType is the type of fact that a Query requests.
type QueryType string

// The values of QueryType.
const (
	QueryParts  QueryType = "parts"
	QueryObject QueryType = "object"
	QueryEvents QueryType = "events"
	QueryLog    QueryType = "log"
	QueryList   QueryType = "list" // all objects with labels or in a namespace
)

// Queries returns what to read next to explain the requested objects, in order. It is
// empty if more facts would not help. It repeats a Query until the answer is among the
// facts, so callers must remember what they cannot read.
//
// Facts do not show that an object was read and has no parts or no events. So Queries
// requests these as long as the facts have none.
func Queries(f *Facts, requested ...status.ID) (all []Query) {
	t := newTraversal(f, requested)
	for _, o := range t.requested {
		if t.index.objects[o.ID] == nil {
			all = append(all, Query{Type: QueryObject, ID: o.ID})
		}
	}
	groups := t.groups()
	for _, o := range t.index.all {
		if _, visited := t.findings[o]; visited {
			all = append(all, o.queries()...)
		}
	}
	for _, g := range groups {
		if log := g.missingLog(t.index); log != nil {
			all = append(all, Query{Type: QueryLog, Log: *log})
		}
	}
	return all
}

// queries returns the queries that would help to explain an object.
func (o *object) queries() (all []Query) {
	if o.Object != nil {
		for _, kind := range partsOf[o.ID.Kind] {
			if !slices.ContainsFunc(o.parts, func(p *object) bool { return p.ID.Kind == kind }) {
				all = append(all, Query{Type: QueryParts, ID: o.ID, Kind: kind})
			}
		}
		if o.ID.Kind == deployment && !o.isDone() && o.Text("spec.strategy.type") == "Recreate" {
			for _, set := range o.parts {
				if len(set.parts) == 0 && set.isDone() {
					all = append(all, Query{Type: QueryParts, ID: set.ID, Kind: pod})
				}
			}
		}
		for _, l := range o.missingLists() {
			all = append(all, Query{Type: QueryList, ID: o.ID, List: l})
		}
	}
	if l := o.namesakeList(); l.Name != "" && !o.index.isListed(l) {
		all = append(all, Query{Type: QueryList, ID: o.ID, List: l})
	}
	if o.isDone() && !explainedWhenCurrent[o.ID.Kind] {
		return all
	}
	for _, ref := range o.references() {
		if o.index.referent(ref) == nil {
			all = append(all, Query{Type: QueryObject, ID: ref.ID, Similar: ref.isSimilar})
		}
	}
	all = append(all, o.producerQueries()...)
	for _, former := range o.formerPods() {
		if len(former.events) == 0 {
			all = append(all, Query{Type: QueryEvents, ID: former.ID})
		}
	}
	if o.Object != nil && len(o.events) == 0 {
		all = append(all, Query{Type: QueryEvents, ID: o.ID})
	}
	return all
}

// NamespacesOf returns the namespaces that the cluster-scoped objects among the requested ones
// name, directly or by other cluster-scoped objects. A Namespace names itself.
func NamespacesOf(f *Facts, requested ...status.ID) (all []string) {
	if !slices.ContainsFunc(requested, func(id status.ID) bool { return id.Namespace == "" }) {
		return nil
	}
	t := newTraversal(f, requested)
	next, visited := slices.Clone(t.requested), map[*object]bool{}
	for len(next) > 0 {
		o := next[0]
		next = next[1:]
		if visited[o] || o.ID.Namespace != "" || o.Text("metadata.namespace") != "" {
			continue
		}
		visited[o] = true
		if o.ID.Kind == namespace {
			all = append(all, o.ID.Name)
		}
		below := o.children()
		for _, ref := range o.references() {
			all = append(all, ref.ID.Namespace)
			if to := t.index.referent(ref); to != nil {
				below = append(below, to)
			}
		}
		for _, o := range below {
			all = append(all, o.ID.Namespace)
		}
		next = append(next, below...)
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}
