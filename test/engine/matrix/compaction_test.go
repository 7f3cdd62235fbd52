package matrix

import (
	"fmt"
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/witness"
)

// A watch that resumes from a version that etcd has forgotten gets 410 Gone. The engine lists
// again, and finds the deleted, created and changed objects by comparison.
func TestCompaction(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	const many = 30 // more than are watched one by one
	manifests := ""
	var targets []observe.Target
	for i := range many {
		name := fmt.Sprintf("m%d", i)
		manifests += "---\n" + manifest.ConfigMap(name)
		targets = append(targets, manifest.Target("", "ConfigMap", ns, name))
	}
	c.Apply(t, ns, manifests+"---\n"+manifest.Deployment("changes", manifest.Runs+":1"))
	changes, comes := manifest.Target("apps", "Deployment", ns, "changes"), manifest.Target("", "ConfigMap", ns, "comes")
	targets = append(targets, changes, comes)
	config, line := newServerConn(c.Config())
	e := watch(t, config, observe.Requirements{}, nil, targets...)
	before := e.waitForStatus(changes, status.CurrentStatus)
	for _, target := range targets[:many] {
		e.waitForStatus(target, status.CurrentStatus)
	}
	e.waitForStatus(comes, status.NotFoundStatus)

	free := line.block()
	c.Delete(t, ns, manifest.ConfigMap("m3")+"---\n"+manifest.ConfigMap("m4"))
	c.Apply(t, ns, manifest.ConfigMap("m4")) // another object of that name
	c.Apply(t, ns, manifest.ConfigMap("comes")+"---\n"+manifest.Deployment("changes", manifest.Runs+":2"))
	err := c.Compact(t.Context())
	if err == nil {
		err = c.Restart(t.Context(), cluster.APIServer) // which drops its cache
	}
	free()
	if err != nil {
		t.Fatal(err)
	}

	e.waitForStatus(targets[3], status.NotFoundStatus, "Deleted")
	e.waitForStatus(comes, status.CurrentStatus)
	e.waitUntil("m4 is another one", func(board map[observe.Target]observe.Update) bool {
		u := board[targets[4]]
		return u.Version.ReplacedUID != "" && u.Result.Status == status.CurrentStatus
	})
	e.waitUntil("the new generation of the Deployment is current", func(board map[observe.Target]observe.Update) bool {
		u := board[changes]
		return u.Result.Status == status.CurrentStatus && u.Version.Generation > before.Version.Generation
	})
	if line.gone.Load() == 0 {
		t.Error("no watch was answered with 410")
	}
	updates, _ := e.since(0)
	for _, u := range updates {
		if u.Result.Status == status.UnknownStatus {
			t.Errorf("told %s", witness.FormatUpdate(u))
		}
	}
	checkAgreement(t, c, e, targets...)
}

// Only its controller makes an object Current: neither its status from before a change does,
// nor time.
func TestControllerManagerThatIsAway(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.Deployment("old", manifest.Runs+":1"))
	old, fresh := manifest.Target("apps", "Deployment", ns, "old"), manifest.Target("apps", "Deployment", ns, "fresh")
	config, _ := newServerConn(c.Config())
	e := watch(t, config, observe.Requirements{}, func(u observe.Update) {
		if u.Result.Status == status.CurrentStatus && u.Version.ObservedGeneration != u.Version.Generation {
			t.Errorf("told %s, before its controller has seen it", witness.FormatUpdate(u))
		}
	}, old, fresh)
	e.waitForStatus(old, status.CurrentStatus)
	if err := c.Kill(cluster.ControllerManager); err != nil {
		t.Fatal(err)
	}
	c.Apply(t, ns, manifest.Deployment("old", manifest.Runs+":2")+"---\n"+manifest.Deployment("fresh", manifest.Runs+":1"))
	e.waitForStatus(old, status.InProgressStatus)
	e.waitForStatus(fresh, status.InProgressStatus)
	if err := c.Restart(t.Context(), cluster.ControllerManager); err != nil {
		t.Fatal(err)
	}
	if u := e.waitForStatus(old, status.CurrentStatus); u.Version.ObservedGeneration < 2 {
		t.Errorf("told %s", witness.FormatUpdate(u))
	}
	e.waitForStatus(fresh, status.CurrentStatus)
	checkAgreement(t, c, e, old, fresh)
}
