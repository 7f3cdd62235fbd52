package wait

import (
	"math/rand/v2"
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

func TestAggregate(t *testing.T) {
	const (
		met     = observe.ProgressReached
		open    = observe.ProgressPending
		failing = observe.ProgressFailing
		failed  = observe.ProgressFailed
		missing = observe.ProgressMissing
		barred  = observe.ProgressUnreadable
		late    = observe.ProgressTimedOut
		ignored = observe.ProgressIgnored

		current  = status.CurrentStatus
		progress = status.InProgressStatus
		notFound = status.NotFoundStatus
		unknown  = status.UnknownStatus
		ending   = status.TerminatingStatus
	)
	rows := []struct {
		it           string
		requirements observe.Requirements
		last         []objectState
		want         status.Status
	}{
		{"is Current if all are", observe.Requirements{}, []objectState{{met, current}, {met, current}}, current},
		{"is Current if a completed Job is deleted", observe.Requirements{}, []objectState{{met, current}, {met, notFound}}, current},
		{"is InProgress if one is", observe.Requirements{}, []objectState{{met, current}, {open, progress}}, progress},
		{"is InProgress if one fails recoverably", observe.Requirements{}, []objectState{{met, current}, {failing, progress}}, progress},
		{"is InProgress if one does not exist", observe.Requirements{}, []objectState{{met, current}, {missing, notFound}}, progress},
		{"is InProgress if one times out", observe.Requirements{}, []objectState{{met, current}, {late, progress}}, progress},
		{"is Unknown if one is forbidden", observe.Requirements{}, []objectState{{open, progress}, {barred, unknown}}, unknown},
		{"is Failed if one has failed", observe.Requirements{}, []objectState{{failed, status.FailedStatus}, {barred, unknown}, {open, progress}}, status.FailedStatus},
		{"is Failed if one has failed, although its goals are met", observe.Requirements{}, []objectState{{met, current}, {met, status.FailedStatus}}, status.FailedStatus},
		{"is NotFound if the kind is removed with its objects", observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}, []objectState{{met, unknown}}, notFound},
		{"ignores ignored objects", observe.Requirements{}, []objectState{{met, current}, {ignored, unknown}, {ignored, progress}}, current},
		{"is NotFound if all are deleted", observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}, []objectState{{met, notFound}}, notFound},
		{"is InProgress while one still exists", observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}, []objectState{{met, notFound}, {open, ending}}, progress},
	}
	before := []objectState{{open, progress}, {failed, status.FailedStatus}, {barred, unknown}, {met, current}, {ignored, unknown}}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			for range 50 { // in any order, after any former states
				all := newAggregate(row.requirements)
				order := rand.Perm(len(row.last))
				for _, i := range order {
					if have := all.add(update(i, before[rand.N(len(before))], false)); have != unknown {
						t.Fatalf("%s before all have been heard of", have)
					}
				}
				var have status.Status
				for _, i := range order {
					have = all.add(update(i, row.last[i], true))
				}
				if have != row.want {
					t.Fatalf("have %s, want %s", have, row.want)
				}
			}
		})
	}
}

func TestRemovedMembersDoNotCount(t *testing.T) {
	all := newAggregate(observe.Requirements{})
	all.add(update(0, objectState{observe.ProgressReached, status.CurrentStatus}, true))
	all.add(update(1, objectState{observe.ProgressFailed, status.FailedStatus}, true))
	left := update(1, objectState{observe.ProgressMissing, status.NotFoundStatus}, true)
	left.Removed = true
	if have := all.add(left); have != status.CurrentStatus {
		t.Errorf("have %s, want Current", have)
	}
}

// update returns an update of the object with that number.
func update(i int, p objectState, synced bool) observe.Update {
	return observe.Update{
		Target:   observe.Target{Kind: status.Kind{Kind: "Widget"}, Name: string(rune('a' + i))},
		Progress: p.progress, Result: status.Result{Status: p.status}, Synced: synced,
	}
}
