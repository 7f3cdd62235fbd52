package audit

import (
	"slices"
	"time"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

var eventStorm = &Rule{
	ID: "W-54", Name: "event-storm", Severity: severity.Warning,
	Doc: `A controller does not emit Events for each change of an unstable condition

Each Event is a write to etcd, and repeated Events displace more important ones. Emit
an Event when a condition changes for good, not in every reconcile. The rule needs
Events of core or events.k8s.io in the stream. A violation is more than ten writes of
Events about one object within a minute, while one of its conditions returned at
least twice. A condition returns if it has a status and reason that it had before at
the same generation.`,
	OnVersion: func(p *Pass) {
		about, is := objectOfEvent(p.New)
		if !is {
			return
		}
		if h := p.auditor.objects.byName[about]; h != nil && h.last != nil && !h.related {
			of := p.auditor.newPass(h, nil, h.last)
			of.rule = p.rule
			m := State[eventCounts](of)
			m.events = append(withinMinute(m.events, p.Now), p.Now)
			m.check(of)
		}
	},
	OnChange: func(p *Pass) {
		m := existingState[eventCounts](p)
		if m == nil {
			return
		}
		if p.New.Generation != p.Old.Generation {
			*m = eventCounts{events: m.events}
			return
		}
		for _, c := range p.New.Conditions {
			was, ok := p.Old.Condition(c.Type)
			if !ok || was.Status == c.Status && was.Reason == c.Reason {
				continue
			}
			m.seen = addState(m.seen, conditionState{was.Type, was.Status, was.Reason})
			if slices.Contains(m.seen, conditionState{c.Type, c.Status, c.Reason}) {
				m.returns = append(withinMinute(m.returns, p.Now), p.Now)
			}
		}
		m.check(p)
	},
}

// maxEvents is the allowed number of Events within a minute, and maxReturns
// of returns to an earlier state. maxSeenStates bounds the states that are kept.
const maxEvents, maxReturns, maxSeenStates = 10, 2, 16

// eventCounts counts the Events and the returns of one object.
type eventCounts struct {
	events, returns []time.Time
	seen            []conditionState
}

// A conditionState is a state of a condition.
type conditionState struct{ of, status, reason string }

func addState(all []conditionState, w conditionState) []conditionState {
	if slices.Contains(all, w) {
		return all
	}
	if len(all) == maxSeenStates {
		all = slices.Delete(all, 0, 1)
	}
	return append(all, w)
}

func (s *eventCounts) check(p *Pass) {
	s.events, s.returns = withinMinute(s.events, p.Now), withinMinute(s.returns, p.Now)
	if len(s.events) > maxEvents && len(s.returns) >= maxReturns {
		p.Report("", "%d writes of Events within a minute, while a condition returned to an earlier state %d times", len(s.events), len(s.returns))
		s.events, s.returns = nil, nil
	}
	if len(s.events) > 4*maxEvents {
		s.events = slices.Delete(s.events, 0, len(s.events)-maxEvents)
	}
}

func withinMinute(times []time.Time, now time.Time) []time.Time {
	return slices.DeleteFunc(times, func(t time.Time) bool { return now.Sub(t) > time.Minute })
}

// objectOfEvent returns the object that an Event is about.
func objectOfEvent(v *Version) (status.ID, bool) {
	if v.ID.Kind.Kind != "Event" || v.ID.Group != "" && v.ID.Group != "events.k8s.io" || v.Gone {
		return status.ID{}, false
	}
	of := decoded.Map(v.Object, "involvedObject")
	if of == nil {
		of = decoded.Map(v.Object, "regarding")
	}
	kind := status.Kind{Group: groupOf(of), Kind: decoded.Text(of, "kind")}
	return status.ID{Kind: kind, Namespace: decoded.Text(of, "namespace"), Name: decoded.Text(of, "name")}, of != nil
}
