package audit

import (
	"maps"
	"slices"
	"time"
)

// A history is what is kept of one object.
type history struct {
	id      ID
	last    *Version // nil: not known, or not since a gap
	stale   *Version // the last one before a gap, until there is one after it
	newest  string   // resourceVersion
	whole   bool     // every version was seen
	writers statusWriters
	memory  []memory
	timers  []*timer
	pause   pause
	gauge   gauge
	pauses  bool // it is a Cluster that pauses its objects
	related bool // rules are not called for it
}

type memory struct {
	rule *Rule
	of   any
}

// histories has the history of each object.
type histories struct {
	byID   map[ID]*history
	byName map[ID]*history // by ID without UID; also of names without an object
}

// add adds the history of an object.
func (s histories) add(id ID) *history {
	h := &history{id: id}
	s.byID[id], s.byName[id.place()] = h, h
	return h
}

func (s histories) remove(h *history) {
	delete(s.byID, h.id)
	delete(s.byName, h.id.place())
}

// named returns the history that a request without a UID is about. For an object
// that does not exist it is one that holds what rules remember of the name; there are
// at most mostNames of those.
func (s histories) named(id ID) *history {
	switch h := s.byName[id.place()]; {
	case h == nil:
	case id.UID == "" || h.id.UID == "" || h.id.UID == id.UID:
		return h
	default:
		return &history{id: id} // another object has the name by now
	}
	if len(s.byName) > len(s.byID)+mostNames {
		maps.DeleteFunc(s.byName, func(_ ID, h *history) bool { return s.byID[h.id] != h })
	}
	h := &history{id: id.place()}
	s.byName[h.id] = h
	return h
}

// sorted returns the histories of objects in the order of their IDs.
func (s histories) sorted() []*history {
	return slices.SortedFunc(maps.Values(s.byID), func(x, y *history) int { return x.id.Compare(y.id) })
}

// A span is the time between two writes.
type span struct{ from, to time.Time }

// extend makes the span include a time.
func (s *span) extend(t time.Time) {
	if s.from.IsZero() || t.Before(s.from) {
		s.from = t
	}
	s.to = later(s.to, t)
}
