package audit

import (
	"time"

	"kstatus.dev/author/severity"
)

// A statusChange is the last change of a condition's status.
type statusChange struct {
	conditionType, from string
	reason              string // of the previous status
	at                  time.Time
	since               time.Time // lastTransitionTime; zero: not known
	by                  string
	generation          int64 // the generation of the previous status
}

var flap = &Rule{
	ID: "W-15", Name: "flap", Severity: severity.Warning,
	Doc: `A condition does not change its status and back within one reconcile

Readers see each intermediate version: an alert fires, or a wait ends. Decide first,
and write once. A change back is allowed for another generation of the spec, or after
a pause begins or ends. From Unknown to False and to Unknown with another reason is no
change back: the object waits for something, lacks it, and then uses it. A short
Unknown misleads no reader, but it is a needless write. Transition times that are
further apart show that the watch was late.`,
	OnChange: func(p *Pass) {
		changes := State[[]statusChange](p)
		p.eachPair(func(was, is Condition) {
			if was.Status == is.Status {
				return
			}
			at := -1
			for i, s := range *changes {
				if s.conditionType == is.Type {
					at = i
				}
			}
			now := statusChange{is.Type, was.Status, was.Reason, p.Now, transitionTime(is), p.New.Manager, was.Observed}
			if at < 0 && len(*changes) < maxWriterCounts {
				*changes = append(*changes, now)
			}
			if at < 0 {
				return
			}
			s := (*changes)[at]
			isOneReconcile := s.by == now.by && s.generation == is.Observed && p.Now.Sub(s.at) <= p.Options.ReconcileWindow && s.atLeastUntil(is) <= p.Options.ReconcileWindow
			if s.isUndoneBy(was, is) && isOneReconcile && !p.PauseChanged().After(s.at) {
				p.Report(is.Path("status"), "went from %s to %s and back within %s", is.Status, was.Status, p.Now.Sub(s.at))
			}
			(*changes)[at] = now
		})
	},
}

// isUndoneBy reports whether another change leads back to the status from before this one.
func (s statusChange) isUndoneBy(was, is Condition) bool {
	progress := was.Status == "False" && is.Status == "Unknown" && s.reason != is.Reason
	return s.from == is.Status && !progress
}

// atLeastUntil returns for how long the status lasted at least, by the times of the controller. A watch
// that was late delivers at once what the controller has written in a minute.
func (s statusChange) atLeastUntil(is Condition) time.Duration {
	ended := transitionTime(is)
	if s.since.IsZero() || ended.IsZero() {
		return 0
	}
	return ended.Sub(s.since) - time.Second // both are whole seconds
}

// statusChanges counts changes of a condition's status within one generation.
type statusChanges struct {
	generation int64
	times      map[string][]time.Time
}

var flapping = &Rule{
	ID: "W-16", Name: "flapping", Severity: severity.Warning,
	Doc: `A condition does not keep changing while the spec stays the same

Six transitions in ten minutes (Limits.FlapCount, Limits.FlapWindow) carry no
information: the object is at a threshold, or two parts of a controller disagree.
Report a state only once it has lasted, or fix the cause. Changes during a deletion
do not count.`,
	OnChange: func(p *Pass) {
		m := State[statusChanges](p)
		if m.times == nil || m.generation != p.New.Generation {
			*m = statusChanges{p.New.Generation, map[string][]time.Time{}}
		}
		if !p.New.Deleting.IsZero() {
			return
		}
		p.eachPair(func(was, is Condition) {
			if was.Status == is.Status || len(m.times) > maxWriterCounts {
				return
			}
			times := append(m.times[is.Type], p.Now)
			if len(times) > p.Options.FlapCount {
				times = times[1:]
			}
			m.times[is.Type] = times
			if len(times) == p.Options.FlapCount && p.Now.Sub(times[0]) <= p.Options.FlapWindow {
				p.Report(is.Path("status"), "changed %d times within %s at generation %d", len(times), p.Now.Sub(times[0]), p.New.Generation)
			}
		})
	},
}
