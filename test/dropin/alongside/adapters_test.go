package alongside_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/dropin"
	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/dropin/alongside"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/manifest"
)

// children are the kinds that the status reader of cli-utils lists for each event of a Deployment.
var children = faults.Match{Resources: []string{"replicasets.apps", "pods"}}

// deployments applies Deployments, and returns their targets.
func deployments(t *testing.T, ns string, n int) (targets []observe.Target) {
	t.Helper()
	var all []string
	for i := range n {
		name := fmt.Sprintf("web-%d", i)
		targets = append(targets, manifest.Target("apps", "Deployment", ns, name))
		all = append(all, manifest.Deployment(name, manifest.Runs, "kstatus.dev/pod: slow"))
	}
	live.Cluster(t).Apply(t, ns, strings.Join(all, "---\n"))
	return targets
}

// currentDeployments applies Deployments, and waits until all are current.
func currentDeployments(t *testing.T, ns string, n int) []observe.Target {
	t.Helper()
	targets := deployments(t, ns, n)
	s, err := alongside.Adapted(t.Context(), live.Cluster(t).Config(), targets)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "all are current", func() bool { return allCurrent(s, targets) })
	return targets
}

// allCurrent reports whether each of the targets has this status.
func allCurrent(s *alongside.Side, targets []observe.Target) bool {
	for _, target := range targets {
		if !strings.HasPrefix(s.Last(target.Name), "Current") {
			return false
		}
	}
	return true
}

// The watcher of cli-utils sends only the requests of its informer, with the reader of dropin/flux.
func TestReaderRequests(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	targets := deployments(t, ns, *count)
	p := faults.Start(t, c.Config())
	s, err := alongside.Adapted(t.Context(), p.Config(), targets)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "all are current", func() bool { return allCurrent(s, targets) })
	if n := p.Count(children).Requests; n != 0 {
		t.Errorf("%d requests for ReplicaSets and Pods, want none:\n%s", n, p.Requests())
	}
	if n := p.Count(faults.Match{Resources: []string{"deployments.apps"}}).Requests; n == 0 || n > 4 {
		t.Errorf("%d requests for %d Deployments, want those of an informer:\n%s", n, *count, p.Requests())
	}
	t.Logf("%d Deployments:\n%s", *count, p.Requests())
}

// When a Deployment has failed, the message has the cause, which two lists have found.
func TestReaderNamesTheCause(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	deployment := manifest.Deployment("web", manifest.Runs, "kstatus.dev/pod: crash-loop", `kstatus.dev/retries: "0"`)
	c.Apply(t, ns, deployment)
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	until(t, "its Pod crashes", func() bool {
		pods, err := client.CoreV1().Pods(ns).List(t.Context(), metav1.ListOptions{})
		return err == nil && len(pods.Items) == 1 && len(pods.Items[0].Status.ContainerStatuses) == 1 && pods.Items[0].Status.ContainerStatuses[0].State.Waiting != nil
	})
	c.Apply(t, ns, strings.Replace(deployment, "spec:\n", "spec:\n  progressDeadlineSeconds: 2\n", 1))
	s, err := alongside.Adapted(t.Context(), c.Config(), []observe.Target{manifest.Target("apps", "Deployment", ns, "web")})
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the Deployment has failed", func() bool { return strings.HasPrefix(s.Last("web"), "Failed") })
	if last := s.Last("web"); !strings.Contains(last, "CrashLoop") || !strings.Contains(last, "Pod web-") {
		t.Errorf("the status is %q, want the problem of its Pod", last)
	}
}

// A poller of cli-utils reads the objects of a round with one list per kind, or by their names.
func TestPollerRequests(t *testing.T) {
	for _, row := range []struct {
		it       string
		objects  int
		gets     int // of Deployments
		requests int // all, at most
	}{
		{"reads few objects by their names", 3, 3, 5},
		{"lists more objects", *count, 0, 3},
	} {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			c := live.Cluster(t)
			ns := c.Namespace(t)
			targets := currentDeployments(t, ns, row.objects)
			p := faults.Start(t, c.Config())
			s, err := alongside.Polled(t.Context(), p.Config(), targets, dropin.Right, time.Hour) // one round
			if err != nil {
				t.Fatal(err)
			}
			until(t, "the round is over", func() bool { return allCurrent(s, targets) })
			gets := p.Count(faults.Match{Verbs: []string{"get"}, Resources: []string{"deployments.apps"}}).Requests
			lists := p.Count(faults.Match{Verbs: []string{"list"}, Resources: []string{"deployments.apps", "replicasets.apps", "pods"}}).Requests
			if gets != row.gets || gets+lists > row.requests {
				t.Errorf("%d reads by name and %d lists, want %d reads and at most %d requests:\n%s", gets, lists, row.gets, row.requests, p.Requests())
			}
			t.Logf("%d Deployments, one round:\n%s", row.objects, p.Requests())
		})
	}
}

// The statuses of the poller are those of kstatus.dev.
func TestPollerVerdicts(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, strings.Join([]string{
		manifest.Deployment("web", manifest.Runs, "kstatus.dev/pod: ready"),
		strings.Replace(manifest.Deployment("paused", manifest.Runs), "spec:\n", "spec:\n  paused: true\n", 1),
		manifest.Deployment("waiting", manifest.Runs, "kstatus.dev/pod: never-ready"),
		manifest.Job("running", 600, 600),
		manifest.Job("done", 0, 600),
		statefulSet("ready"),
		manifest.ConfigMap("conf"),
		manifest.Object("v1", "Service", "balanced") + "spec: {type: LoadBalancer, loadBalancerClass: example.com/none, ports: [{port: 80}]}\n",
	}, "---\n"))
	targets := []observe.Target{
		manifest.Target("apps", "Deployment", ns, "web"), manifest.Target("apps", "Deployment", ns, "paused"),
		manifest.Target("apps", "Deployment", ns, "waiting"), manifest.Target("batch", "Job", ns, "running"),
		manifest.Target("batch", "Job", ns, "done"), manifest.Target("apps", "StatefulSet", ns, "db"),
		manifest.Target("", "ConfigMap", ns, "conf"), manifest.Target("", "Service", ns, "balanced"),
		manifest.Target("", "ConfigMap", ns, "absent"),
	}
	s, err := alongside.Polled(t.Context(), c.Config(), targets, dropin.Right, 500*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	r := wait.Resolver{Config: c.Config(), Evaluator: status.Evaluator{Profile: status.StartedProfile()}}
	var different string
	until(t, "the statuses are those of kstatus.dev", func() bool {
		results, err := r.FetchAndResolve(t.Context(), targets...)
		if err != nil {
			t.Fatal(err)
		}
		different = ""
		for _, result := range results {
			if last := s.Last(result.Target.Name); !strings.HasPrefix(last, string(result.Result.Status)) {
				different = fmt.Sprintf("%s: the poller reports %q, kstatus.dev %s", result.Target, last, result.Result.Status)
			}
		}
		for name, want := range map[string]string{"paused": "Current", "running": "Current", "done": "Current", "db": "Current", "waiting": "InProgress", "absent": "NotFound", "balanced": "Current"} {
			if last := s.Last(name); !strings.HasPrefix(last, want) && different == "" {
				different = fmt.Sprintf("%s is %q, want %s", name, last, want)
			}
		}
		return different == ""
	}, func() string { return different })
}
