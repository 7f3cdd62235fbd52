package history

import (
	"testing"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func TestProgress(t *testing.T) {
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	web := targetNamed("Deployment", "web")
	moving := func(generation int64, message string) observe.Update {
		return observe.Update{Target: web, Progress: observe.ProgressPending, Version: observe.Version{UID: "1", Generation: generation},
			Result: status.Result{Status: status.InProgressStatus, Message: message}}
	}
	there := observe.Update{Target: web, Progress: observe.ProgressReached, Version: observe.Version{UID: "1", Generation: 1},
		Result: status.Result{Status: status.CurrentStatus, Confidence: status.ConfidenceStrong}}
	with := func(u observe.Update, change func(*observe.Update)) observe.Update {
		change(&u)
		return u
	}
	another := with(moving(1, "0/1"), func(u *observe.Update) { u.Version.UID = "2" })
	gone := with(moving(1, ""), func(u *observe.Update) { u.Result.Status = status.NotFoundStatus })
	assumed := with(there, func(u *observe.Update) { u.Result.Confidence = status.ConfidenceAssumed })
	suspended := with(there, func(u *observe.Update) { u.Result.Suspended = status.SuspendedByUser })
	stale := with(moving(1, "0/1"), func(u *observe.Update) { u.StaleSince = began })
	left := with(moving(1, "0/1"), func(u *observe.Update) { u.Removed = true })
	usual := func(observe.Target) (time.Duration, bool) { return 40 * time.Second, true }

	for _, c := range []struct {
		it      string
		usual   func(observe.Target) (time.Duration, bool)
		updates []observe.Update // at intervals of half a minute
		took    time.Duration    // negative if it does not become Current
		remark  string           // one minute after the last update
	}{
		{"takes the time from when it is seen on its way", nil, []observe.Update{moving(1, "0/1"), moving(1, "1/2"), there}, time.Minute, "no change for 1m"},
		{"learns nothing from what was there all along", nil, []observe.Update{there, there}, -1, "no change for 1m30s"},
		{"begins again with a new generation", nil, []observe.Update{moving(1, "0/1"), moving(2, "0/1"), there}, 30 * time.Second, "no change for 1m"},
		{"begins again with another object of the name", nil, []observe.Update{moving(1, "0/1"), another, there}, 30 * time.Second, "no change for 1m"},
		{"begins when it is there at all", nil, []observe.Update{gone, moving(1, "0/1"), there}, 30 * time.Second, "no change for 1m"},
		{"learns nothing from what is taken to be there", nil, []observe.Update{moving(1, "0/1"), assumed}, -1, "no change for 1m"},
		{"learns nothing from what stands still", nil, []observe.Update{moving(1, "0/1"), suspended}, -1, "no change for 1m"},
		{"tells since when nothing has changed", nil, []observe.Update{moving(1, "0/1"), moving(1, "0/1")}, -1, "no change for 1m30s"},
		{"counts what cannot be looked at for no change", nil, []observe.Update{moving(1, "1/2"), stale}, -1, "no change for 1m30s"},
		{"tells how long it takes usually", usual, []observe.Update{moving(1, "0/1")}, -1, "usually 40s, no change for 1m"},
		{"tells what is unusual", usual, []observe.Update{moving(1, "0/1"), moving(1, "1/2"), moving(1, "1/3")}, -1, "usually 40s, now 2m: unusual, no change for 1m"},
		{"tells nothing of what is there", usual, []observe.Update{moving(1, "0/1"), there}, 30 * time.Second, "no change for 1m"},
		{"forgets what has left", usual, []observe.Update{moving(1, "0/1"), left}, -1, ""},
	} {
		t.Run(c.it, func(t *testing.T) {
			p, now, took := Progress{Usual: c.usual}, began, time.Duration(-1)
			for i, u := range c.updates {
				now = began.Add(time.Duration(i) * 30 * time.Second)
				if d, arrived := p.Update(u, string(u.Result.Status), u.Result.Message, now); arrived {
					took = d
				}
			}
			if took != c.took {
				t.Errorf("it %s: it took %v, want %v", c.it, took, c.took)
			}
			if remark := p.Remark(web, now.Add(time.Minute)); remark != c.remark {
				t.Errorf("it %s: have %q, want %q", c.it, remark, c.remark)
			}
		})
	}
}

func targetNamed(kind, name string) observe.Target {
	return observe.Target{Kind: status.Kind{Kind: kind}, Namespace: "shop", Name: name}
}
