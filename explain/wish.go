package explain

import (
	"slices"

	"kstatus.dev/status"
)

// A Query is something that is not among the facts and may explain an object.
type Query struct {
	Type QueryType
	ID   ID          // QueryParts: whose parts; QueryObject: which one; QueryEvents: about which one
	Kind status.Kind // QueryParts: of which kind
	Log  LogID       // QueryLog: which one
	List List        // QueryList: of what
}

// A QueryType says what is wished for.
type QueryType string

// What may be wished for.
const (
	QueryParts  QueryType = "parts"
	QueryObject QueryType = "object"
	QueryEvents QueryType = "events"
	QueryLog    QueryType = "log"
	QueryList   QueryType = "list" // objects found by their labels or their namespace, and that there are no others
)

// Queries returns what to read next to explain the objects asked about, in order.
// It is empty when nothing more would help. The same is wished for again until
// it is among the facts, so one who cannot have it must remember that.
//
// What has no parts or no events by now cannot be told from what has not been
// read: they are wished for as long as there are none.
func Queries(f *Facts, asked ...ID) (all []Query) {
	t := newTraversal(f, asked)
	for _, o := range t.requested {
		if t.index.objects[o.ID] == nil {
			all = append(all, Query{Type: QueryObject, ID: o.ID})
		}
	}
	groups := t.groups()
	for _, o := range t.index.all {
		if _, visited := t.findings[o]; visited {
			all = append(all, o.wishes()...)
		}
	}
	for _, g := range groups {
		if log := g.missingLog(t.index); log != nil {
			all = append(all, Query{Type: QueryLog, Log: *log})
		}
	}
	return all
}

// wishes returns what would help to explain an object that is looked at.
func (o *object) wishes() (all []Query) {
	if o.Object != nil {
		for _, kind := range partsOf[o.ID.GroupKind()] {
			if !slices.ContainsFunc(o.parts, func(p *object) bool { return p.ID.GroupKind() == kind }) {
				all = append(all, Query{Type: QueryParts, ID: o.ID, Kind: kind})
			}
		}
		if o.ID.GroupKind() == deployment && !o.isDone() && o.Text("spec.strategy.type") == "Recreate" {
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
	if o.isDone() && !currentSaysLittle[o.ID.GroupKind()] {
		return all
	}
	for _, ref := range o.references() {
		if o.index.find(ref.ID) == nil {
			all = append(all, Query{Type: QueryObject, ID: ref.ID})
		}
	}
	if o.Object != nil && len(o.events) == 0 {
		all = append(all, Query{Type: QueryEvents, ID: o.ID})
	}
	return all
}
