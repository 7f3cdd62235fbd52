package wait

import (
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An aggregate counts the states of objects, and computes the status of all together.
type aggregate struct {
	desired               status.Status
	last                  map[observe.Target]objectState // the last state of each object that is waited for
	failed, unknown, open int
}

// An objectState is the part of an update that is counted. The zero value counts as nothing.
type objectState struct {
	progress observe.Progress
	status   status.Status
}

// newAggregate returns the aggregate for these requirements. The desired status is Current, or
// NotFound if objects are to be deleted.
func newAggregate(requirements observe.Requirements) *aggregate {
	t := &aggregate{desired: status.CurrentStatus, last: map[observe.Target]objectState{}}
	for _, g := range requirements.Goals {
		if g.Absence {
			t.desired = status.NotFoundStatus
		}
	}
	return t
}

// add replaces the state of an object with that of an update, and returns the status of
// all objects together:
//
//   - Unknown until each of them has a verdict.
//   - Failed if one has failed, even if all wait for a failure.
//   - Unknown if one cannot be judged.
//   - InProgress if one has not reached its goals for another reason.
//   - The desired status otherwise.
//
// Ignored objects do not count.
func (t *aggregate) add(u observe.Update) status.Status {
	t.count(t.last[u.Target], -1)
	delete(t.last, u.Target)
	if !u.Removed && u.Progress != observe.ProgressIgnored {
		p := objectState{u.Progress, u.Result.Status}
		t.last[u.Target] = p
		t.count(p, +1)
	}
	switch {
	case !u.Synced:
		return status.UnknownStatus
	case t.failed > 0:
		return status.FailedStatus
	case t.unknown > 0:
		return status.UnknownStatus
	case t.open > 0:
		return status.InProgressStatus
	}
	return t.desired
}

func (t *aggregate) count(p objectState, n int) {
	met := p.progress == observe.ProgressReached
	switch {
	case p == objectState{}:
	case p.progress == observe.ProgressFailed, met && p.status == status.FailedStatus:
		t.failed += n
	case met:
	case p.status == status.UnknownStatus:
		t.unknown += n
	default:
		t.open += n
	}
}
