package audit

import (
	"maps"
	"slices"
	"time"

	"kstatus.dev/status"
)

// A history is the state that the auditor keeps of one object.
type history struct {
	id               ID
	last             *Version // nil: none, or none since a gap.
	stale            *Version // the last version before a gap, until a new version follows.
	newest           string   // the latest resourceVersion.
	seenFromCreation bool     // the audit has seen every version.
	writers          statusWriters
	states           []ruleState
	timers           []*timer
	pause            pause
	gauge            gauge
	pausesOthers     bool // the object is a Cluster that pauses others
	related          bool // the rules are not called for the object
}

type ruleState struct {
	rule  *Rule
	value any
}

// histories holds the history of each object.
type histories struct {
	byID   map[ID]*history
	byName map[status.ID]*history // also names without an object
}

// add creates the history of an object.
func (s histories) add(id ID) *history {
	h := &history{id: id}
	s.byID[id], s.byName[id.ID] = h, h
	return h
}

func (s histories) remove(h *history) {
	delete(s.byID, h.id)
	delete(s.byName, h.id.ID)
}

// named returns the history for a request without a UID. For a name without an
// object, the history holds the state of the rules for that name. The number of
// such names is limited to maxNames.
func (s histories) named(id ID) *history {
	switch h := s.byName[id.ID]; {
	case h == nil:
	case id.UID == "" || h.id.UID == "" || h.id.UID == id.UID:
		return h
	default:
		return &history{id: id} // the name now belongs to another object
	}
	if len(s.byName) > len(s.byID)+maxNames {
		maps.DeleteFunc(s.byName, func(_ status.ID, h *history) bool { return s.byID[h.id] != h })
	}
	h := &history{id: ID{ID: id.ID}}
	s.byName[id.ID] = h
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
