package explain

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// A scene is the facts, indexed.
type scene struct {
	now   time.Time
	nodes map[ID]*node
	all   []*node // in order
	byUID map[string]*node
	logs  map[LogWish]*Log
	lists map[List]bool
	gaps  []Gap
}

func newScene(f *Facts) *scene {
	s := &scene{now: f.Now, nodes: map[ID]*node{}, byUID: map[string]*node{}, logs: map[LogWish]*Log{}, lists: map[List]bool{}, gaps: f.Gaps}
	for i := range f.Things {
		s.add(&f.Things[i])
	}
	slices.SortFunc(s.all, func(a, b *node) int { return a.ID.Compare(b.ID) })
	for _, n := range s.all {
		if owner := s.owner(n); owner != nil {
			owner.parts = append(owner.parts, n)
		}
	}
	for i := range f.Logs {
		s.logs[f.Logs[i].LogWish] = &f.Logs[i]
	}
	for _, l := range f.Lists {
		s.lists[l] = true
	}
	s.tell(f.Events)
	return s
}

// add indexes a thing. Of two with the same name the one that has an object counts.
func (s *scene) add(t *Thing) {
	if old := s.nodes[t.ID]; old != nil {
		if old.Object == nil && t.Object != nil {
			old.become(t)
		}
		return
	}
	n := &node{scene: s}
	n.become(t)
	s.nodes[t.ID] = n
	s.all = append(s.all, n)
}

// owner returns the controller of a thing, or else its only owner, if it is among the facts.
func (s *scene) owner(n *node) *node {
	var only *node
	owners := 0
	for ref := range n.Each("metadata.ownerReferences") {
		owner := s.byUID[ref.Text("uid")]
		if owner != nil && ref.Is("controller") {
			return owner
		}
		owners++
		only = owner
	}
	if owners == 1 && only != n {
		return only
	}
	return nil
}

// tell gives each node the events about it: by UID, and by name only where an
// event tells none, so that nothing is told of an earlier object of that name.
func (s *scene) tell(events []Event) {
	for _, e := range events {
		n := s.nodes[e.About]
		if e.UID != "" && s.byUID[e.UID] != nil {
			n = s.byUID[e.UID]
		} else if n != nil && e.UID != "" && n.uid != "" {
			continue
		}
		if n != nil {
			n.events = append(n.events, e)
		}
	}
	for _, n := range s.all {
		slices.SortStableFunc(n.events, func(a, b Event) int {
			return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message),
				cmp.Compare(a.Path, b.Path), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Type, b.Type), a.First.Compare(b.First))
		})
	}
}

// age returns how long ago a timestamp was; zero if there is none.
func (s *scene) age(timestamp string) time.Duration {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil || s.now.IsZero() {
		return 0
	}
	return s.now.Sub(t)
}

// find returns the thing of that kind and name, nil if nothing is known of it.
// Without a group the only one of that kind counts. One that has no namespace is
// found from any.
func (s *scene) find(id ID) *node {
	wide := id
	wide.Namespace = ""
	if n := s.nodes[wide]; n != nil && n.Object != nil {
		return n
	}
	if n := s.nodes[id]; n != nil || id.Group != "" {
		return n
	}
	var only *node
	for _, n := range s.all {
		if n.ID.Kind == id.Kind && n.ID.Name == id.Name && n.ID.Namespace == id.Namespace && n.ID.Cluster == id.Cluster {
			if only != nil {
				return nil
			}
			only = n
		}
	}
	return only
}

// gapsOf returns what could not be read, in order and each once.
func (s *scene) gapsOf() []Gap {
	gaps := slices.Clone(s.gaps)
	for _, log := range s.logs {
		if log.Error != "" {
			gaps = append(gaps, Gap{What: "log of " + log.Container + " in " + log.Pod.String(), Why: show.Line(log.Error)})
		}
	}
	for _, n := range s.all {
		if n.unfollowed > 0 {
			gaps = append(gaps, Gap{What: "what " + n.ID.String() + " refers to", Why: fmt.Sprintf("of %d objects %d were looked at", n.unfollowed+mostRefs, mostRefs)})
		}
	}
	slices.SortFunc(gaps, func(a, b Gap) int { return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Why, b.Why)) })
	return slices.Compact(gaps)
}

// unknown returns an object of which nothing is known. It is not indexed.
func (s *scene) unknown(id ID) *node {
	n := &node{Thing: &Thing{ID: id}, scene: s}
	n.Result = status.Result{Status: status.UnknownStatus, Reason: "NotObserved", Message: "nothing is known of it"}
	n.section.node = n
	return n
}
