package alongside_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"kstatus.dev/dropin"
	"kstatus.dev/observe"
	"kstatus.dev/test/dropin/alongside"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/leaks"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

var count = flag.Int("deployments", 30, "how many Deployments are watched")

// The number of requests does not depend on the number of Deployments, and a rollout needs none.
func TestRequests(t *testing.T) {
	for _, mode := range []dropin.Mode{dropin.Compat, dropin.Right} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			c := live.Cluster(t)
			ns := c.Namespace(t)
			var targets []observe.Target
			var all []string
			for i := range *count {
				name := fmt.Sprintf("web-%d", i)
				targets = append(targets, manifest.Target("apps", "Deployment", ns, name))
				all = append(all, manifest.Deployment(name, manifest.Runs, "kstatus.dev/pod: slow"))
			}
			c.Apply(t, ns, strings.Join(all, "---\n"))
			p := faults.Start(t, c.Config())
			s, err := alongside.Dropin(t.Context(), p.Config(), targets, mode, 0)
			if err != nil {
				t.Fatal(err)
			}
			current := func() bool { return allCurrent(s, targets) }
			objects := faults.Match{Resources: []string{"deployments.apps", "replicasets.apps", "pods"}}
			until(t, "all are current", current)
			before := p.Count(objects).Requests
			if before == 0 || before > 8 {
				t.Errorf("%d requests until all are current, want at most 8:\n%s", before, p.Requests())
			}
			begin := time.Now()
			for i := range all {
				all[i] = strings.Replace(all[i], manifest.Runs, manifest.Runs+", env: [{name: A, value: b}]", 1)
			}
			c.Apply(t, ns, strings.Join(all, "---\n"))
			until(t, "the rollouts have begun", func() bool { return !current() })
			until(t, "all are current again", current)
			if after := p.Count(objects).Requests; after != before && time.Since(begin) < 30*time.Second {
				t.Errorf("%d requests during the rollout, want none:\n%s", after-before, p.Requests())
			}
		})
	}
}

// The workloads of several kinds share their streams. Workloads that begin during the watch have their
// children too.
func TestLaterWorkloads(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	const number = 10
	var targets []observe.Target
	var all, later []string
	for i := range number {
		set := strings.ReplaceAll(statefulSet("ready"), "db", fmt.Sprintf("db-%d", i))
		web := manifest.Deployment(fmt.Sprintf("web-%d", i), manifest.Runs, "kstatus.dev/pod: ready")
		all = append(all, set, web)
		later = append(later, manifest.Deployment(fmt.Sprintf("later-%d", i), manifest.Runs, "kstatus.dev/pod: ready"))
		targets = append(targets, manifest.Target("apps", "StatefulSet", ns, fmt.Sprintf("db-%d", i)),
			manifest.Target("apps", "Deployment", ns, fmt.Sprintf("web-%d", i)), manifest.Target("apps", "Deployment", ns, fmt.Sprintf("later-%d", i)))
	}
	c.Apply(t, ns, strings.Join(all, "---\n"))
	p := faults.Start(t, c.Config())
	s, err := alongside.Dropin(t.Context(), p.Config(), targets, dropin.Compat, 0)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the first list is over", s.Synced)
	children := faults.Match{Resources: []string{"replicasets.apps", "pods"}}
	if n := p.Count(children).Requests; n > 6 {
		t.Errorf("%d requests for the children of %d workloads, want at most 6:\n%s", n, 2*number, p.Requests())
	}
	c.Apply(t, ns, strings.Join(later, "---\n"))
	until(t, "all are current", func() bool { return allCurrent(s, targets) })
	if n := p.Count(children).Requests; n > 16 {
		t.Errorf("%d requests for the children of %d workloads, want at most 16:\n%s", n, 3*number, p.Requests())
	}
	for i := range number {
		if n := s.Children(fmt.Sprintf("later-%d", i)); n != 2 {
			t.Errorf("later-%d has %d children in its last event, want a ReplicaSet and its Pod", i, n)
		}
	}
}

// A watch that ends after any of its events leaves nothing behind.
func TestCancelAfterEachEvent(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	var targets []observe.Target
	for _, name := range []string{"a", "b", "c"} {
		c.Apply(t, ns, manifest.Deployment(name, manifest.Runs, "kstatus.dev/pod: ready")+"---\n"+manifest.ConfigMap(name))
		targets = append(targets, manifest.Target("apps", "Deployment", ns, name), manifest.Target("", "ConfigMap", ns, name))
	}
	for limit := 1; limit <= 7; limit++ {
		label := fmt.Sprint(ns, limit)
		var s *alongside.Side
		var err error
		leaks.Do(t.Context(), label, func(ctx context.Context) {
			s, err = alongside.Dropin(ctx, c.Config(), targets, dropin.Compat, limit)
		})
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-s.Done:
		case <-time.After(poll.Patience):
			t.Fatalf("the watch does not end after %d events", limit)
		}
		if s.Events() != limit {
			t.Errorf("%d events, want none after the %d that ended the watch", s.Events(), limit)
		}
		leaks.Check(t, label)
	}
}
