package e2e

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// The manifests of workloads whose Pods behave as set by a command, an image or a request.
const (
	readyPod         = manifest.Runs
	crashingPod      = "image: registry.example.com/c, command: [sh, -c, exit 3]"
	unpullablePod    = "image: registry.invalid/c"
	unschedulablePod = `image: registry.example.com/c, resources: {requests: {cpu: "1000"}}`
	unreadyPod       = "image: registry.example.com/c, readinessProbe: {initialDelaySeconds: 600, exec: {command: [ready]}}"
	longTimeout      = poll.Patience // for operations of seconds
)

// workload returns the manifest of an object whose Pods have one container. A Pod that cannot run
// stays in one state, so that two reads of it agree.
func workload(kind, name, labels, spec, container string) string {
	version := "apps/v1"
	if kind == "ReplicationController" {
		version = "v1"
	}
	selector := "matchLabels: {" + labels + "}"
	if kind == "ReplicationController" {
		selector = labels
	}
	return fmt.Sprintf(`apiVersion: %s
kind: %s
metadata: {name: %s}
spec:
  %s
  selector: {%s}
  template:
    metadata: {labels: {%s}, annotations: {kstatus.dev/retries: "0"}}
    spec: {containers: [{name: c, %s}]}
`, version, kind, name, spec, selector, labels, container)
}

// A watchStep is an action to take once an update is as expected.
type watchStep struct {
	when func(observe.Update) bool
	do   func()
}

func hasStatus(word status.Status, reason string) func(observe.Update) bool {
	return func(u observe.Update) bool {
		return u.Result.Status == word && (reason == "" || u.Result.Reason == reason)
	}
}

func says(reason string) func(observe.Update) bool {
	return func(u observe.Update) bool { return u.Result.Reason == reason }
}

// runSteps watches until all acts are done in order, and returns all updates.
func runSteps(t *testing.T, config *rest.Config, target observe.Target, acts ...watchStep) (all []observe.Update) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	done := 0
	for u, err := range (observe.Watcher{Source: &source.Cluster{Config: config}}).Updates(ctx, target) {
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("generation %d/%d: %s %s, %s: %s", u.Version.ObservedGeneration, u.Version.Generation, u.Result.Status, u.Result.Reason, u.Progress, u.Message())
		if i := len(all) - 1; i >= 0 && resource(t, u) < resource(t, all[i]) {
			t.Errorf("version %s is told after version %s", u.Version.ResourceVersion, all[i].Version.ResourceVersion)
		}
		all = append(all, u)
		if !acts[done].when(u) {
			continue
		}
		if acts[done].do != nil {
			acts[done].do()
		}
		if done++; done == len(acts) {
			return all
		}
	}
	t.Fatalf("act %d of %d has not come", done+1, len(acts))
	return nil
}

// resource returns the resourceVersion of an update's object.
func resource(t *testing.T, u observe.Update) uint64 {
	if u.Version.ResourceVersion == "" {
		return 0
	}
	n, err := strconv.ParseUint(u.Version.ResourceVersion, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestPodsOfANewRevisionExplainADeployment(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	web := func(container string) string {
		return workload("Deployment", "web", "app: web", "replicas: 2", container)
	}
	c.Apply(t, ns, web(readyPod))
	all := runSteps(t, c.Config(), manifest.Target("apps", "Deployment", ns, "web"),
		watchStep{hasStatus(status.CurrentStatus, ""), func() { c.Apply(t, ns, web(crashingPod)) }},
		watchStep{says("CrashLoop"), func() { c.Apply(t, ns, web(unpullablePod)) }},
		watchStep{says("ImagePullBackOff"), func() { c.Apply(t, ns, web(readyPod)) }},
		watchStep{hasStatus(status.CurrentStatus, ""), nil})
	reasons := map[int64]string{2: "CrashLoop", 3: "ImagePullBackOff"}
	for _, u := range all {
		if f := u.Result.Failure; f != "" && u.Result.Reason != reasons[u.Version.Generation] {
			t.Errorf("generation %d is told to have %s: %s", u.Version.Generation, u.Result.Reason, u.Message())
		}
		if reason := reasons[u.Version.Generation]; u.Result.Reason == reason && !strings.Contains(u.Message(), " web-") {
			t.Errorf("it does not name the Pod: %s", u.Message())
		}
	}
}

// Parts are read for all objects of a namespace at once. Neither the number of the objects nor
// the start of their waits matters.
func TestRequestsDoNotGrowWithTheParts(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	const many, atMost = 40, 8
	version := func(label, container string) string {
		var all strings.Builder
		for i := range many {
			labels := fmt.Sprintf("app: d%d, tier: %s", i, label)
			all.WriteString(workload("Deployment", fmt.Sprintf("d%d", i), labels, "replicas: 2", container) + "---\n")
		}
		return all.String()
	}
	slow := readyPod + ", readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 2}"
	rows := []struct {
		it     string
		before bool // the first version is applied before the watch begins
	}{{"begins before the objects are applied", false}, {"begins afterwards", true}}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			ns := c.Namespace(t)
			var targets []observe.Target
			for i := range many {
				targets = append(targets, manifest.Target("apps", "Deployment", ns, fmt.Sprintf("d%d", i)))
			}
			if row.before {
				c.Apply(t, ns, version("web", slow))
			}
			config, n := countRequests(c.Config())
			ctx, cancel := context.WithTimeout(t.Context(), 2*longTimeout)
			defer cancel()
			var board observe.Board
			var first int64
			generation, sent := int64(1), row.before
			for u, err := range (observe.Watcher{Source: &source.Cluster{Config: config}}).Updates(ctx, targets...) {
				if err != nil {
					t.Fatal(err)
				}
				board.Add(u)
				there := 0
				for _, u := range board.Updates() {
					if u.Result.Status == status.CurrentStatus && u.Version.Generation == generation {
						there++
					}
				}
				switch {
				case u.Synced && !sent:
					sent = true
					c.Apply(t, ns, version("web", slow))
				case there < many:
				case generation == 1:
					first = n.Load()
					generation++
					c.Apply(t, ns, version("web", slow+", env: [{name: a, value: b}]"))
				default:
					t.Logf("%d requests until all are Current, %d during a rollout of all", first, n.Load()-first)
					if first > atMost || n.Load()-first > atMost {
						t.Errorf("more than %d requests for %d Deployments", atMost, many)
					}
					return
				}
			}
			t.Fatal("not all are Current")
		})
	}
}

func TestPodsExplainEveryKindThatHasThem(t *testing.T) {
	c := live.Cluster(t)
	job := `apiVersion: batch/v1
kind: Job
metadata: {name: x}
spec:
  backoffLimit: 5
  template:
    spec: {restartPolicy: POLICY, containers: [{name: c, image: registry.example.com/c, command: [sh, -c, exit 3]}]}
`
	rows := []struct {
		it, group, kind, manifest string
		reason, text              string
		standing                  observe.Progress
	}{
		{"a Deployment crashes", "apps", "Deployment", workload("Deployment", "x", "a: b", "replicas: 2", crashingPod),
			"CrashLoop", "container c has exited with code 3", observe.ProgressFailing},
		{"a Deployment fits on no node", "apps", "Deployment", workload("Deployment", "x", "a: b", "replicas: 1", unschedulablePod),
			"Unschedulable", "Insufficient cpu", observe.ProgressFailing},
		{"a ReplicaSet has an image that cannot be pulled", "apps", "ReplicaSet", workload("ReplicaSet", "x", "a: b", "replicas: 2", unpullablePod),
			"ImagePullBackOff", "registry.invalid", observe.ProgressFailing},
		{"a StatefulSet crashes", "apps", "StatefulSet", workload("StatefulSet", "x", "a: b", "serviceName: x", crashingPod),
			"CrashLoop", "Pod x-0: CrashLoopBackOff: container c has exited with code 3", observe.ProgressFailing},
		{"a DaemonSet crashes", "apps", "DaemonSet", workload("DaemonSet", "x", "a: b", "", crashingPod),
			"CrashLoop", "3 Pods, such as x-", observe.ProgressFailing},
		{"a ReplicationController crashes", "", "ReplicationController", workload("ReplicationController", "x", "a: b", "replicas: 1", crashingPod),
			"CrashLoop", "Pod x-", observe.ProgressFailing},
		{"a Job crashes", "batch", "Job", strings.ReplaceAll(job, "POLICY", "OnFailure"),
			"Running", "container c exits", observe.ProgressPending},
		{"a Job fails and tries again", "batch", "Job", strings.ReplaceAll(job, "POLICY", "Never"),
			"Running", "container c has exited with code 3", observe.ProgressPending},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			ns := c.Namespace(t)
			c.Apply(t, ns, row.manifest)
			runSteps(t, c.Config(), manifest.Target(row.group, row.kind, ns, "x"), watchStep{func(u observe.Update) bool {
				return u.Result.Reason == row.reason && u.Progress == row.standing && strings.Contains(u.Message(), row.text)
			}, nil})
		})
	}
}

// Pods with the labels of an object but another owner do not affect its verdict.
func TestForeignPodsDoNotCount(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	bare := "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\nspec: {containers: [{name: c, " + crashingPod + "}]}\n"
	c.Apply(t, ns, workload("Deployment", "other", "app: web", "replicas: 2", crashingPod)+"---\n"+
		workload("StatefulSet", "web", "app: web", "serviceName: web", unpullablePod)+"---\n"+bare)
	runSteps(t, c.Config(), manifest.Target("apps", "StatefulSet", ns, "web"), watchStep{says("ImagePullBackOff"), nil})
	runSteps(t, c.Config(), manifest.Target("apps", "Deployment", ns, "other"), watchStep{says("CrashLoop"), nil})
	all := runSteps(t, c.Config(), manifest.Target("apps", "Deployment", ns, "web"),
		watchStep{says("NeverSeen"), func() {
			c.Apply(t, ns, workload("Deployment", "web", "app: web", "replicas: 2", readyPod+", readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 3}"))
		}},
		watchStep{hasStatus(status.CurrentStatus, ""), nil})
	for _, u := range all {
		if u.Result.Failure != "" {
			t.Errorf("it has %s: %s", u.Result.Reason, u.Message())
		}
	}
}

// An object is judged even without permission to read its parts.
func TestForbiddenParts(t *testing.T) {
	c := live.Cluster(t)
	read := []string{"get", "list", "watch"}
	rows := []struct {
		it     string
		grants []cluster.Grant
		reason string
		warns  string
	}{
		{"may read no parts", nil, "NotAvailable", "may not list "},
		{"may read ReplicaSets only", []cluster.Grant{{Verbs: read, Resources: []string{"replicasets.apps"}}}, "NotAvailable", "may not list pods in namespace "},
		{"may read Pods only", []cluster.Grant{{Verbs: read, Resources: []string{"pods"}}}, "NotAvailable", "may not list replicasets.apps in namespace "},
		{"may list Pods and not watch them", []cluster.Grant{{Verbs: read, Resources: []string{"replicasets.apps"}}, {Verbs: []string{"list"}, Resources: []string{"pods"}}},
			"ImagePullBackOff", ""},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			ns := c.Namespace(t)
			c.Apply(t, ns, workload("Deployment", "web", "app: web", "replicas: 1", unpullablePod))
			runSteps(t, c.Config(), manifest.Target("apps", "Deployment", ns, "web"), watchStep{says("ImagePullBackOff"), nil})
			grants := append(row.grants, cluster.Grant{Verbs: read, Resources: []string{"deployments.apps"}})
			for i := range grants {
				grants[i].Namespace = ns
			}
			config, n := countRequests(configOf(t, c.User(t, ns, "someone", grants...)))
			runSteps(t, config, manifest.Target("apps", "Deployment", ns, "web"), watchStep{func(u observe.Update) bool {
				return u.Result.Reason == row.reason && (row.warns == "" || strings.Contains(strings.Join(u.Result.Warnings, "; "), row.warns))
			}, nil})
			// The Deployment's stream, two ways to read each kind of part, a watch, and a
			// SelfSubjectReview.
			if got := n.Load(); got > 8 {
				t.Errorf("it %s: %d requests", row.it, got)
			}
		})
	}
}

func TestQuotaDeniesPods(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	quota := func(pods string) string {
		return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: few}\nspec: {hard: {pods: '" + pods + "'}}\n"
	}
	c.Apply(t, ns, quota("1"))
	c.Apply(t, ns, workload("Deployment", "web", "app: web", "replicas: 3", readyPod))
	runSteps(t, c.Config(), manifest.Target("apps", "Deployment", ns, "web"),
		watchStep{func(u observe.Update) bool {
			return u.Result.Reason == "QuotaOrAdmissionDenied" && u.Progress == observe.ProgressFailing && strings.Contains(u.Message(), "few")
		}, func() { c.Apply(t, ns, quota("9")) }},
		watchStep{hasStatus(status.CurrentStatus, ""), nil})
}

// Connection faults while reading the parts of an object do not prevent their explanation, nor
// the object's verdict.
func TestPartsThroughFaults(t *testing.T) {
	c := live.Cluster(t)
	of := []string{"pods", "replicasets.apps"}
	rows := []struct {
		it    string
		match faults.Match
		fault faults.Fault
	}{
		{"loses its watches all the time", faults.Match{Verbs: []string{"watch"}, Resources: of}, faults.Cut{After: 300 * time.Millisecond, Abort: true}},
		{"gets the error that its versions are too old", faults.Match{Verbs: []string{"watch"}, Resources: of}, faults.Expire{Events: 1}},
		{"is not answered at first", faults.Match{Resources: of, First: 5}, faults.Answer{Code: 503}},
		{"is to come later", faults.Match{Resources: of, First: 4}, faults.Answer{Code: 429, RetryAfter: time.Second}},
		{"is not streamed lists", faults.Match{Verbs: []string{"watch"}, Resources: of, First: 2}, faults.Answer{Code: 400}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			ns := c.Namespace(t)
			web := func(container string) string {
				return workload("Deployment", "web", "app: web", "replicas: 2", container)
			}
			c.Apply(t, ns, web(unpullablePod))
			proxy := faults.Start(t, c.Config())
			injected := proxy.Inject(row.match, row.fault)
			runSteps(t, proxy.Config(), manifest.Target("apps", "Deployment", ns, "web"),
				watchStep{says("ImagePullBackOff"), func() { c.Apply(t, ns, web(crashingPod)) }},
				watchStep{says("CrashLoop"), func() { c.Apply(t, ns, web(readyPod)) }},
				watchStep{hasStatus(status.CurrentStatus, ""), nil})
			if injected.Hits() == 0 {
				t.Error("the fault has not happened")
			}
		})
	}
}
