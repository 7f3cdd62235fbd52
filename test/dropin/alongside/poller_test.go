package alongside_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kstatus.dev/dropin/pkg/kstatus/polling/clusterreader"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/observe"
	"kstatus.dev/test/dropin/alongside"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/manifest"
)

var (
	direct  = engine.ClusterReaderFactoryFunc(clusterreader.NewDirectClusterReader)
	caching = engine.ClusterReaderFactoryFunc(clusterreader.NewCachingClusterReader)
)

// The direct reader of dropin reads a round with one list per kind. That of cli-utils sends a request
// for each object, and two lists for each Deployment.
func TestDirectReaderRequests(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	targets := currentDeployments(t, ns, *count)
	p := faults.Start(t, c.Config())
	s, err := alongside.PolledDropin(t.Context(), p.Config(), targets, direct, false, time.Hour) // one round
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the round is over", func() bool { return allCurrent(s, targets) })
	if n := p.Count(faults.Match{Resources: []string{"deployments.apps", "replicasets.apps", "pods"}}).Requests; n > 3 {
		t.Errorf("%d requests for %d Deployments, want 3 lists:\n%s", n, *count, p.Requests())
	}
}

// A namespace full of large objects does not make a poll of a few of them read all.
func TestReadersSkipLargeObjects(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	const others, number, size = 120, 7, 100_000
	var all []string
	for i := range others {
		all = append(all, manifest.ConfigMap(fmt.Sprintf("a-%d", i))+"data: {large: "+strings.Repeat("x", size)+"}\n")
	}
	targets := objects(ns, "ConfigMap", number, &all)
	c.Apply(t, ns, strings.Join(all, "---\n"))
	for name, reader := range map[string]engine.ClusterReaderFactoryFunc{"direct": direct, "caching": caching} {
		t.Run(name, func(t *testing.T) {
			p := faults.Start(t, c.Config())
			s, err := alongside.PolledDropin(t.Context(), p.Config(), targets, reader, false, time.Hour) // one round
			if err != nil {
				t.Fatal(err)
			}
			until(t, "all are current", func() bool { return allCurrent(s, targets) })
			lists := p.Count(faults.Match{Verbs: []string{"list"}, Resources: []string{"configmaps"}}).Requests
			gets := p.Count(faults.Match{Verbs: []string{"get"}, Resources: []string{"configmaps"}}).Requests
			if lists != 1 || gets != number {
				t.Errorf("%d lists and %d reads, want one page and %d reads", lists, gets, number)
			}
		})
	}
}

// The direct reader of cli-utils reads Secrets by name, and so needs no permission to list others.
func TestDirectReaderListsNoSecrets(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	var all []string
	targets := objects(ns, "Secret", 7, &all)
	c.Apply(t, ns, strings.Join(all, "---\n"))
	p := faults.Start(t, c.Config())
	s, err := alongside.PolledDropin(t.Context(), p.Config(), targets, direct, false, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "all are current", func() bool { return allCurrent(s, targets) })
	if n := p.Count(faults.Match{Verbs: []string{"list"}, Resources: []string{"secrets"}}).Requests; n > 0 {
		t.Errorf("%d lists of Secrets, want none", n)
	}
}

// objects appends the manifests of objects without content.
func objects(namespace, kind string, number int, all *[]string) (targets []observe.Target) {
	for i := range number {
		name := fmt.Sprintf("wanted-%d", i)
		*all = append(*all, manifest.Object("v1", kind, name))
		targets = append(targets, manifest.Target("", kind, namespace, name))
	}
	return targets
}

// A user who may only get objects, and list Pods and ReplicaSets, needs no more permissions.
func TestDirectReaderMayNotList(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	targets := deployments(t, ns, *count)
	p := faults.Start(t, c.Config())
	p.Inject(faults.Match{Verbs: []string{"list"}, Resources: []string{"deployments.apps"}}, faults.Answer{Code: 403})
	s, err := alongside.PolledDropin(t.Context(), p.Config(), targets, direct, false, 500*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "all are current", func() bool { return allCurrent(s, targets) })
}

// The statuses and messages of the poller in the mode compat are those of cli-utils.
func TestPollerIsCompatible(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, strings.Join([]string{
		manifest.Deployment("web", manifest.Runs, "kstatus.dev/pod: ready"),
		manifest.Deployment("waiting", manifest.Runs, "kstatus.dev/pod: never-ready"),
		manifest.Job("running", 600, 600),
		manifest.Job("done", 0, 600),
		statefulSet("ready"),
		manifest.ConfigMap("conf"),
	}, "---\n"))
	targets := []observe.Target{
		manifest.Target("apps", "Deployment", ns, "web"), manifest.Target("apps", "Deployment", ns, "waiting"),
		manifest.Target("batch", "Job", ns, "running"), manifest.Target("batch", "Job", ns, "done"),
		manifest.Target("apps", "StatefulSet", ns, "db"), manifest.Target("", "ConfigMap", ns, "conf"),
		manifest.Target("apps", "Deployment", ns, "absent"), manifest.Target("", "ConfigMap", ns, "absent-too"),
	}
	const interval = 500 * time.Millisecond
	want, err := alongside.PolledOriginal(t.Context(), c.Config(), targets, interval)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		it     string
		reader engine.ClusterReaderFactoryFunc
		cached bool
	}{
		{"reads directly", direct, false},
		{"reads directly from a cache", direct, true},
		{"reads once per round", caching, false},
		{"reads once per round from a cache", caching, true},
	} {
		t.Run(row.it, func(t *testing.T) {
			have, err := alongside.PolledDropin(t.Context(), c.Config(), targets, row.reader, row.cached, interval)
			if err != nil {
				t.Fatal(err)
			}
			until(t, "the statuses settle", func() bool {
				if !strings.HasPrefix(want.Last("web"), "Current") || !strings.HasPrefix(want.Last("db"), "Current") || !strings.HasPrefix(want.Last("done"), "Current") {
					return false
				}
				for _, target := range targets {
					if have.Last(target.Name) != want.Last(target.Name) {
						return false
					}
				}
				return true
			}, func() string {
				var all []string
				for _, target := range targets {
					all = append(all, fmt.Sprintf("%s: have %q, want %q", target, have.Last(target.Name), want.Last(target.Name)))
				}
				return strings.Join(all, "\n")
			})
		})
	}
}

// A cache has no pages: it must not hide the objects after the first page.
func TestPollerReadsAllOfACache(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	const number = 520 // more than a page
	var all []string
	targets := objects(ns, "ConfigMap", number, &all)
	c.Apply(t, ns, strings.Join(all, "---\n"))
	s, err := alongside.PolledDropin(t.Context(), c.Config(), targets, caching, true, 500*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "all are current", func() bool { return allCurrent(s, targets) })
}
