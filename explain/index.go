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
	now     time.Time
	objects map[ID]*object
	all     []*object // in order
	byUID   map[string]*object
	byName  map[ID][]*object     // without their groups
	byLabel map[ID][]*object     // of a kind, in order: all of them, or by name those with a label key=value
	owned   map[string][]*object // by the UIDs of owners, in order
	makers  map[ID][]*object     // of Secrets that do not exist, once that has been looked for
	logs    map[LogID]*Log
	lists   map[List]bool
	gaps    []Gap
}

func newIndex(f *Facts) *index {
	x := &index{now: f.Now, objects: map[ID]*object{}, byUID: map[string]*object{}, byName: map[ID][]*object{}, byLabel: map[ID][]*object{}, owned: map[string][]*object{}, logs: map[LogID]*Log{}, lists: map[List]bool{}, gaps: f.Gaps}
	for i := range f.Objects {
		x.addThing(&f.Objects[i])
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

// addThing indexes a thing. Of two with the same ID the one that has an object
// counts.
func (x *index) addThing(t *ObjectFact) {
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

// owner returns the controller of a thing, or else its only owner, if it is among the facts.
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

// addEvents gives each object the events about it: by UID, and by name only if an
// event has no UID, so that an earlier object of that name does not count.
func (x *index) addEvents(events []Event) {
	for _, e := range events {
		o := x.objects[e.About]
		if e.UID != "" && x.byUID[e.UID] != nil {
			o = x.byUID[e.UID]
		} else if o != nil && e.UID != "" && o.uid != "" {
			continue
		}
		if o != nil {
			o.events = append(o.events, e)
		}
	}
	for _, o := range x.all {
		slices.SortStableFunc(o.events, func(a, b Event) int {
			return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message),
				cmp.Compare(a.Path, b.Path), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type), a.First.Compare(b.First))
		})
	}
}

// age returns how long ago a timestamp was; zero if there is none.
func (x *index) age(timestamp string) time.Duration {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil || x.now.IsZero() {
		return 0
	}
	return x.now.Sub(t)
}

// find returns the thing of that kind and name, nil if nothing is known of it.
// Without a group the only one of that kind counts. One that has no namespace is
// found from any.
func (x *index) find(id ID) *object {
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

// allGaps returns what could not be read, in order and each once.
func (x *index) allGaps() []Gap {
	gaps := slices.Clone(x.gaps)
	for _, log := range x.logs {
		if log.Error != "" {
			gaps = append(gaps, Gap{Subject: "log of " + log.Container + " in " + log.Pod.String(), Reason: show.Line(log.Error)})
		}
	}
	for _, o := range x.all {
		if o.unfollowed > 0 {
			gaps = append(gaps, Gap{Subject: "what " + o.ID.String() + " refers to", Reason: fmt.Sprintf("of %d objects %d were looked at", o.unfollowed+maxRefs, maxRefs)})
		}
	}
	slices.SortFunc(gaps, func(a, b Gap) int { return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Reason, b.Reason)) })
	return slices.Compact(gaps)
}

// unknown returns an object of which nothing is known. It is not indexed.
func (x *index) unknown(id ID) *object {
	o := &object{ObjectFact: &ObjectFact{ID: id}, index: x}
	o.Result = status.Result{Status: status.UnknownStatus, Reason: "NotObserved", Message: "nothing is known of it"}
	o.section.object = o
	return o
}
