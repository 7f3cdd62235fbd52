package matrix

import (
	"testing"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/manifest"
)

// An object that is deleted and made anew under its name is another one: whoever waits for
// it to be current is told so, whoever waits for it to be gone is content, and whoever
// has named its UID does not take the other one for it.
func TestObjectThatIsReplaced(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.Deployment("web", manifest.Runs))
	web := manifest.Target("apps", "Deployment", ns, "web")
	config, line := over(c.Config())
	e := watch(t, config, observe.Terms{}, nil, web)
	first := e.stands(web, status.CurrentStatus)
	gone := watch(t, config, observe.Terms{Goals: []observe.Goal{observe.Deleted()}}, nil, web)
	gone.until("the second engine sees it", func(board map[observe.Target]observe.Update) bool { return board[web].Standing == observe.Open })
	floor := run(t, observe.Watcher{
		Source: &source.Cluster{Config: config},
		Floor:  func(observe.Target) observe.Floor { return observe.Floor{UID: first.Version.UID} },
	}, nil, web)
	floor.stands(web, status.CurrentStatus)

	line.cut() // the first end is not seen
	c.Delete(t, ns, manifest.Deployment("web", manifest.Runs))
	c.Apply(t, ns, manifest.Deployment("web", manifest.Runs))
	line.mend()

	e.until("it is replaced and current", func(board map[observe.Target]observe.Update) bool {
		u := board[web]
		return u.Version.Replaced == first.Version.UID && u.Version.UID != first.Version.UID && u.Result.Status == status.CurrentStatus && len(u.Result.Warnings) > 0
	})
	gone.until("the first one is gone", func(board map[observe.Target]observe.Update) bool { return board[web].Standing == observe.Met })
	if u := floor.stands(web, status.NotFoundStatus, "Replaced"); u.Standing != observe.Failed {
		t.Errorf("told %s, want %s", say(u), observe.Failed)
	}
	agrees(t, c, e, web)
}

// A Job that is removed by its TTL has done what it was to do if it was seen to be
// complete. If not, nobody can tell, and it is not taken for done.
func TestJobsThatAreRemovedByTheirTTL(t *testing.T) {
	t.Run("seen complete", func(t *testing.T) {
		t.Parallel()
		c := live.Cluster(t)
		ns := c.Namespace(t)
		c.Apply(t, ns, manifest.Job("done", 1, 3))
		done := manifest.Target("batch", "Job", ns, "done")
		config, _ := over(c.Config())
		e := watch(t, config, observe.Terms{}, nil, done)
		e.stands(done, status.CurrentStatus, "Completed")
		if u := e.stands(done, status.NotFoundStatus, "ExpiredTTL"); u.Standing != observe.Met {
			t.Errorf("told %s, want %s", say(u), observe.Met)
		}
	})
	t.Run("removed at once", func(t *testing.T) {
		t.Parallel()
		c := live.Cluster(t)
		ns := c.Namespace(t)
		config, _ := over(c.Config())
		done := manifest.Target("batch", "Job", ns, "done")
		e := watch(t, config, observe.Terms{}, nil, done)
		e.stands(done, status.NotFoundStatus, "NeverSeen")
		c.Apply(t, ns, manifest.Job("done", 1, 0))
		u := e.stands(done, status.NotFoundStatus, "ExpiredTTL", "Deleted")
		told, _ := e.since(0)
		seen := false
		for _, before := range told {
			seen = seen || before.Result.Reason == "Completed"
		}
		if seen && u.Result.Reason != "ExpiredTTL" {
			t.Errorf("it was seen to be complete: told %s", say(u))
		}
	})
	t.Run("gone before the wait", func(t *testing.T) {
		t.Parallel()
		c := live.Cluster(t)
		ns := c.Namespace(t)
		c.Apply(t, ns, manifest.Job("done", 0, 0))
		done := manifest.Target("batch", "Job", ns, "done")
		config, _ := over(c.Config())
		first := watch(t, config, observe.Terms{Goals: []observe.Goal{observe.Deleted()}}, nil, done)
		first.until("it is gone", func(board map[observe.Target]observe.Update) bool { return board[done].Standing == observe.Met })
		e := watch(t, config, observe.Terms{}, nil, done)
		if u := e.stands(done, status.NotFoundStatus, "NeverSeen"); u.Standing != observe.Missing {
			t.Errorf("told %s, want %s", say(u), observe.Missing)
		}
	})
	t.Run("running when it was seen last", func(t *testing.T) {
		t.Parallel()
		c := live.Cluster(t)
		ns := c.Namespace(t)
		c.Apply(t, ns, manifest.Job("away", 4, 0))
		away := manifest.Target("batch", "Job", ns, "away")
		config, line := over(c.Config())
		e := watch(t, config, observe.Terms{}, nil, away)
		e.stands(away, status.InProgressStatus)
		line.cut()
		other, _ := over(c.Config())
		end := watch(t, other, observe.Terms{Goals: []observe.Goal{observe.Deleted()}}, nil, away)
		end.until("it is gone", func(board map[observe.Target]observe.Update) bool { return board[away].Standing == observe.Met })
		line.mend()
		if u := e.stands(away, status.NotFoundStatus, "Deleted"); u.Standing == observe.Met {
			t.Errorf("told %s", say(u))
		}
	})
}
