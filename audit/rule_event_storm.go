package audit

import (
	"slices"
	"time"

	"kstatus.dev/severity"
)

var eventStorm = &Rule{
	ID: "W-54", Name: "event-storm", Severity: severity.Warning,
	Doc: `Conditions that go back and forth are not told once more as events

Each event is a write to etcd like any other, and events that count up crowd out
those that tell something. Emit an event where a condition changes for good, not on
every pass. It needs the Events in the stream, of core or events.k8s.io. Told are
more than ten writes of Events about one object within a minute in which one of its
conditions returned at least twice to a status and reason that it had had before, at
one generation.`,
	OnVersion: func(p *Pass) {
		about, is := aboutEvent(p.New)
		if !is {
			return
		}
		if h := p.auditor.objects.byName[about]; h != nil && h.last != nil && !h.related {
			of := p.auditor.pass(h, nil, h.last)
			of.rule = p.rule
			m := State[storm](of)
			m.events = append(withinMinute(m.events, p.Now), p.Now)
			m.tell(of)
		}
	},
	OnChange: func(p *Pass) {
		m := remembered[storm](p)
		if m == nil {
			return
		}
		if p.New.Generation != p.Old.Generation {
			*m = storm{events: m.events}
			return
		}
		for _, c := range p.New.Conditions {
			was, there := p.Old.Condition(c.Type)
			if !there || was.Status == c.Status && was.Reason == c.Reason {
				continue
			}
			m.had = addWord(m.had, word{was.Type, was.Status, was.Reason})
			if slices.Contains(m.had, word{c.Type, c.Status, c.Reason}) {
				m.returns = append(withinMinute(m.returns, p.Now), p.Now)
			}
		}
		m.tell(p)
	},
}

// How many events within a minute, and how many returns to an earlier word, are
// too many; and how many words are known at once.
const mostEvents, mostReturns, mostWords = 10, 2, 16

// A storm is what goes on at an object that Events tell of.
type storm struct {
	events, returns []time.Time
	had             []word
}

// A word is what a condition once said.
type word struct{ of, status, reason string }

func addWord(all []word, w word) []word {
	if slices.Contains(all, w) {
		return all
	}
	if len(all) == mostWords {
		all = slices.Delete(all, 0, 1)
	}
	return append(all, w)
}

func (s *storm) tell(p *Pass) {
	s.events, s.returns = withinMinute(s.events, p.Now), withinMinute(s.returns, p.Now)
	if len(s.events) > mostEvents && len(s.returns) >= mostReturns {
		p.Report("", "%d writes of Events within a minute, in which a condition returned %d times to what it had said before", len(s.events), len(s.returns))
		s.events, s.returns = nil, nil
	}
	if len(s.events) > 4*mostEvents {
		s.events = slices.Delete(s.events, 0, len(s.events)-mostEvents)
	}
}

func withinMinute(times []time.Time, now time.Time) []time.Time {
	return slices.DeleteFunc(times, func(t time.Time) bool { return now.Sub(t) > time.Minute })
}

// aboutEvent returns the place of the object that an Event tells of.
func aboutEvent(v *Version) (ID, bool) {
	if v.ID.Kind != "Event" || v.ID.Group != "" && v.ID.Group != "events.k8s.io" || v.Gone {
		return ID{}, false
	}
	of := object(v.Object, "involvedObject")
	if of == nil {
		of = object(v.Object, "regarding")
	}
	return ID{Group: groupOf(of), Kind: text(of, "kind"), Namespace: text(of, "namespace"), Name: text(of, "name")}, of != nil
}
