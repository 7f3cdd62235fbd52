package alongside_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kstatus.dev/dropin"
	"kstatus.dev/observe"
	"kstatus.dev/test/dropin/alongside"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

var live cluster.Shared

func TestMain(m *testing.M) {
	log.SetLogger(klog.Background()) // otherwise controller-runtime prints a warning with a stack
	os.Exit(live.Main(m))
}

// until waits until a predicate is true. If it does not, the test prints the state.
func until(t *testing.T, what string, done func() bool, state ...func() string) {
	t.Helper()
	defer func() {
		for _, f := range state {
			if t.Failed() {
				t.Log(f())
			}
		}
	}()
	poll.Wait(t, what, done)
}

// both are the two watchers on the same objects.
type both struct{ original, dropin *alongside.Side }

func watchBoth(t *testing.T, config *rest.Config, targets []observe.Target) both {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	original, err := alongside.Original(ctx, config, targets)
	if err != nil {
		t.Fatal(err)
	}
	replaced, err := alongside.Dropin(ctx, config, targets, dropin.Compat, 0)
	if err != nil {
		t.Fatal(err)
	}
	return both{original, replaced}
}

// reach waits until both watchers have sent a status.
func (b both) reach(t *testing.T, name, status string) {
	t.Helper()
	for side, s := range map[string]*alongside.Side{"the original": b.original, "dropin": b.dropin} {
		until(t, side+" sends "+status+" of "+name, func() bool { return strings.HasPrefix(s.Last(name), status) })
	}
}

func statefulSet(fate string) string {
	return `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 2
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}, annotations: {kstatus.dev/pod: ` + fate + `}}
    spec: {containers: [{name: c, image: registry.example.com/c}]}
`
}

// The scenarios change objects while both watch. Each ends with a status of its object.
var scenarios = []struct {
	it     string
	target observe.Target
	steps  []step
}{
	{"becomes available, rolls out and is deleted", manifest.Target("apps", "Deployment", "", "web"), []step{
		{apply: manifest.Deployment("web", manifest.Runs, "kstatus.dev/pod: ready"), until: "Current"},
		{apply: manifest.Deployment("web", manifest.Runs+", env: [{name: A, value: b}]", "kstatus.dev/pod: ready"), until: "Current"},
		{remove: true, apply: manifest.Deployment("web", manifest.Runs), until: "NotFound"},
	}},
	{"is a set that becomes ready", manifest.Target("apps", "StatefulSet", "", "db"), []step{{apply: statefulSet("ready"), until: "Current"}}},
	{"is a Job that completes", manifest.Target("batch", "Job", "", "job"), []step{{apply: manifest.Job("job", 1, 600), until: "Current: Job Completed"}}},
	{"is a ConfigMap that is created, changed and deleted", manifest.Target("", "ConfigMap", "", "conf"), []step{
		{apply: manifest.ConfigMap("conf"), until: "Current"},
		{apply: manifest.ConfigMap("conf") + "data: {a: b}\n", until: "Current"},
		{remove: true, apply: manifest.ConfigMap("conf"), until: "NotFound"},
		{apply: manifest.ConfigMap("conf"), until: "Current"},
	}},
}

// A step applies or removes objects, and waits for a status.
type step struct {
	apply  string
	remove bool
	until  string
}

// The statuses of each object are the same, in the same order.
func TestStatusesAreThoseOfTheOriginal(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.it, func(t *testing.T) {
			t.Parallel()
			c := live.Cluster(t)
			ns := c.Namespace(t)
			s.target.Namespace = ns
			marker := s.target
			marker.Name = "marker"
			b := watchBoth(t, c.Config(), []observe.Target{s.target, marker})
			until(t, "both are synchronized", func() bool { return b.original.Synced() && b.dropin.Synced() })
			for _, step := range s.steps {
				if step.remove {
					c.Delete(t, ns, step.apply)
				} else {
					c.Apply(t, ns, step.apply)
				}
				b.reach(t, s.target.Name, step.until)
			}
			// Both have seen all statuses that follow, once they have seen a later object of the kind.
			c.Apply(t, ns, strings.ReplaceAll(s.steps[0].apply, s.target.Name, marker.Name))
			b.reach(t, marker.Name, "Current")
			poll.Check(t, func() error {
				if have, want := b.dropin.Statuses(s.target.Name), b.original.Statuses(s.target.Name); !slices.Equal(have, want) {
					return fmt.Errorf("dropin sends\n\t%s\nwant as the original\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
				}
				return nil
			})
		})
	}
}

// A10: dropin also sends the failure of a Pod when no event of its StatefulSet follows it.
func TestFailedPodsOfASet(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	target := manifest.Target("apps", "StatefulSet", ns, "db")
	b := watchBoth(t, c.Config(), []observe.Target{target})
	until(t, "both are synchronized", func() bool { return b.original.Synced() && b.dropin.Synced() })
	c.Apply(t, ns, statefulSet("crash"))
	until(t, "dropin sends the failure", func() bool { return strings.HasPrefix(b.dropin.Last("db"), "Failed: 1 pods have failed") })
}

// The error of a watch that is forbidden is the same.
func TestForbidden(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	b := watchBoth(t, c.As("nobody"), []observe.Target{manifest.Target("", "ConfigMap", ns, "conf")})
	<-b.original.Done
	<-b.dropin.Done
	have, want := b.dropin.Err(), b.original.Err()
	if have == nil || want == nil || have.Error() != want.Error() {
		t.Errorf("dropin ends with %v, want as the original %v", have, want)
	}
}
