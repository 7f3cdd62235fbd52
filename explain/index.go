package explain

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// An index is the facts by object.
type index struct {
	now       time.Time
	objects   map[status.ID]*object
	all       []*object // in order
	byUID     map[string]*object
	byName    map[status.ID][]*object // without their groups
	byLabel   map[status.ID][]*object // by kind, sorted: all objects of the kind, or under Name those with a label key=value
	namesakes map[status.ID][]*object // by kind and name, in all namespaces
	owned     map[string][]*object    // by the UIDs of owners, in order
	creators  map[status.ID][]*object // of Secrets; nil until first needed
	sameName  map[status.ID][]*object // by cluster, namespace and name; nil until first needed
	former    map[status.ID][]Event   // about Pods that are not among the facts
	tainted   map[string][]*object    // the nodes that Pods do not tolerate, by their workload
	logs      map[LogID]*Log
	lists     map[List]bool
	gaps      []Gap
}

func newIndex(f *Facts) *index {
	x := &index{now: f.Now, objects: map[status.ID]*object{}, byUID: map[string]*object{}, byName: map[status.ID][]*object{}, byLabel: map[status.ID][]*object{}, namesakes: map[status.ID][]*object{}, former: map[status.ID][]Event{}, tainted: map[string][]*object{}, owned: map[string][]*object{}, logs: map[LogID]*Log{}, lists: map[List]bool{}, gaps: f.Gaps}
	for i := range f.Objects {
		x.addObject(&f.Objects[i])
	}
	slices.SortFunc(x.all, func(a, b *object) int { return a.ID.Compare(b.ID) })
	for _, o := range x.all {
		if owner := x.owner(o); owner != nil {
			owner.parts = append(owner.parts, o)
		}
		x.addNames(o)
	}
	for i := range f.Logs {
		x.logs[f.Logs[i].LogID] = &f.Logs[i]
	}
	for _, l := range f.Lists {
		x.lists[l] = true
	}
	x.addEvents(f.Events)
	return x
}

// addObject indexes an object. If an ID occurs twice, the fact with an Object counts.
func (x *index) addObject(t *ObjectFact) {
	if old := x.objects[t.ID]; old != nil {
		if old.Object == nil && t.Object != nil {
			old.set(t)
		}
		return
	}
	o := &object{index: x}
	o.set(t)
	x.objects[t.ID] = o
	x.all = append(x.all, o)
}

// owner returns the known controller of an object, or else its only owner.
func (x *index) owner(o *object) *object {
	var only *object
	owners := 0
	for ref := range o.Each("metadata.ownerReferences") {
		owner := x.byUID[ref.Text("uid")]
		if owner != nil && ref.Is("controller") {
			return owner
		}
		owners++
		only = owner
	}
	if owners == 1 && only != o {
		return only
	}
	return nil
}

// addEvents assigns events to their objects: by UID, or by name if an event has no UID.
// So events about a former object of the same name do not count.
func (x *index) addEvents(events []Event) {
	for _, e := range events {
		o := x.objects[e.About]
		if e.UID != "" && x.byUID[e.UID] != nil {
			o = x.byUID[e.UID]
		} else if o != nil && e.UID != "" && o.uid != "" {
			continue
		}
		switch {
		case o != nil:
			o.events = append(o.events, e)
		case e.About.Kind == pod:
			x.former[e.About] = append(x.former[e.About], e)
		}
	}
	for _, o := range x.all {
		sortEvents(o.events)
	}
}

// sortEvents sorts events, the latest first.
func sortEvents(events []Event) {
	slices.SortStableFunc(events, func(a, b Event) int {
		return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Path, b.Path), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type), a.First.Compare(b.First))
	})
}

// age returns the time since a timestamp, or zero without a timestamp.
func (x *index) age(timestamp string) time.Duration {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil || x.now.IsZero() {
		return 0
	}
	return x.now.Sub(t)
}

// find returns the object of that kind and name, or nil if it is unknown. Without a
// group, the kind must be unique. A cluster-scoped object is found from any namespace.
func (x *index) find(id status.ID) *object {
	wide := id
	wide.Namespace = ""
	if o := x.objects[wide]; o != nil && o.Object != nil {
		return o
	}
	if o := x.objects[id]; o != nil || id.Group != "" {
		return o
	}
	if len(x.byName[id]) == 1 {
		return x.byName[id][0]
	}
	return nil
}

// findListed returns the object of that kind and name. An object that does not exist, because all
// objects of its kind were listed, is NotFound.
func (x *index) findListed(id status.ID) *object {
	o := x.find(id)
	whole := List{Cluster: id.Cluster, Group: id.Group, Kind: id.Kind.Kind, Namespace: id.Namespace}
	if o != nil || !x.isListed(whole) {
		return o
	}
	o = x.unknown(id)
	o.Result = status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen", Message: "it does not exist"}
	return o
}

// allGaps returns the gaps, sorted and without duplicates.
func (x *index) allGaps() []Gap {
	gaps := slices.Clone(x.gaps)
	for _, log := range x.logs {
		if log.Error != "" && (!log.Previous || x.logEvidence(&log.LogID) == nil) {
			gaps = append(gaps, Gap{Subject: "log of " + log.Container + " in " + log.Pod.String(), Reason: show.Line(log.Error)})
		}
	}
	for _, o := range x.all {
		if o.skippedRefs > 0 {
			gaps = append(gaps, Gap{Subject: "what " + o.ID.String() + " refers to", Reason: fmt.Sprintf("of %d objects %d were looked at", o.skippedRefs+maxRefs, maxRefs)})
		}
	}
	slices.SortFunc(gaps, func(a, b Gap) int { return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Reason, b.Reason)) })
	return slices.Compact(gaps)
}

// unknown returns an object without facts. It is not indexed.
func (x *index) unknown(id status.ID) *object {
	o := &object{ObjectFact: &ObjectFact{ID: id}, index: x}
	o.Result = status.Result{Status: status.UnknownStatus, Reason: "NotObserved", Message: "it has not been observed"}
	o.section.object = o
	return o
}
