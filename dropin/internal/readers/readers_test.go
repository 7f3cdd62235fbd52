package readers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/dropin/internal/readers"
	"kstatus.dev/dropin/pkg/kstatus/polling/clusterreader"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/kube/wiretest"
)

var (
	compat = readers.Config{Mode: dropin.Compat}
	right  = readers.Config{Mode: dropin.Right}
)

// live returns a reader that sends a request for each call.
func live(c *clustertest.Cluster) engine.ClusterReader {
	c.Helper()
	objects, err := dynamic.NewForConfig(c.REST)
	if err != nil {
		c.Fatal(err)
	}
	return &clusterreader.DynamicClusterReader{DynamicClient: objects, Mapper: c.Mapper}
}

// words returns a status, or the error instead of one.
func words(rs *event.ResourceStatus, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	if rs.Error != nil {
		return fmt.Sprintf("%s: %v", rs.Status, rs.Error)
	}
	return fmt.Sprintf("%s: %s", rs.Status, rs.Message)
}

const unschedulable = "phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: no node fits}]"

// set returns a StatefulSet that is not ready, and a Pod of it.
func set(status string) []string {
	return []string{clustertest.StatefulSet("db", 0), clustertest.Pod("StatefulSet", "db", "db", status)}
}

// replaced returns manifests in which a text is another.
func replaced(manifests []string, old, with string) (all []string) {
	for _, m := range manifests {
		all = append(all, strings.ReplaceAll(m, old, with))
	}
	return all
}

const deleted = "deletionTimestamp: '2000-01-01T00:00:00Z'"

// Workloads are judged by themselves and by their Pods.
func TestWorkloads(t *testing.T) {
	web := func(pod string) []string { return clustertest.Web("web", 0, pod) }
	all := readers.Config{Mode: dropin.Compat, CountAllPods: true}
	secondPod := strings.Replace(clustertest.Pod("StatefulSet", "db", "db", clustertest.Crashing), "name: db-x", "name: db-y", 1)
	deadline := replaced(web(clustertest.Crashing), "reason: ReplicaSetUpdated", "reason: ProgressDeadlineExceeded")
	deadline = replaced(deadline, "{type: Progressing, status: 'True'", "{type: Progressing, status: 'False'")
	for _, row := range []struct {
		it      string
		config  readers.Config
		objects []string // the first is the target
		want    string
	}{
		{it: "is in progress while its Pod starts", config: compat, objects: set(clustertest.Pending), want: "InProgress: Ready: 0/1"},
		{it: "fails with its Pod", config: compat, objects: set(clustertest.Crashing), want: "Failed: 1 pods have failed"},
		{it: "names the problem of its Pod", config: right, objects: set(clustertest.Crashing), want: "Failed: [CrashLoop] 0/1 ready: Pod db-x: CrashLoopBackOff"},
		{it: "counts Pods with the same problem", config: right, objects: append(set(clustertest.Crashing), secondPod), want: "Failed: [CrashLoop] 0/1 ready: 2 Pods, such as db-x: CrashLoopBackOff"},
		{it: "prefers a Pod that has failed", config: right, objects: append(set(unschedulable), secondPod), want: "Failed: [CrashLoop] 0/1 ready: Pod db-y: CrashLoopBackOff"},
		{it: "does not fail with a Pod for which no node fits", config: compat, objects: set(unschedulable), want: "InProgress: Ready: 0/1"},
		{it: "fails with each Pod in the other original", config: all, objects: set(unschedulable), want: "Failed: 1 pods have failed"},
		{it: "does not fail with a Pod that is being deleted", config: right, objects: replaced(set(clustertest.Crashing), "name: db-x", "name: db-x\n  "+deleted), want: "InProgress: [NotAvailable] 0/1 ready"},
		{it: "names the problem of its own Pods only", config: right, objects: replaced(set(clustertest.Crashing), "name: db, uid: uid-of-db, controller", "name: db, uid: uid-of-another, controller"), want: "InProgress: [NotAvailable] 0/1 ready"},
		{it: "is Current whatever its Pods are", config: right, objects: []string{clustertest.StatefulSet("db", 1), set(clustertest.Crashing)[1]}, want: "Current: 1/1 ready"},
		{it: "is a ReplicaSet that fails with its Pod", config: compat, objects: []string{clustertest.ReplicaSet("web", 0), web(clustertest.Crashing)[2]}, want: "Failed: 1 pods have failed"},
		{it: "is a Deployment that does not fail with its Pods", config: compat, objects: web(clustertest.Crashing), want: "InProgress: Available: 0/1"},
		{it: "is a Deployment that names their problem", config: right, objects: web(clustertest.Crashing), want: "Failed: [CrashLoop] 0/1 available: Pod web-1-x: CrashLoopBackOff"},
		{it: "is a Deployment whose Pods are of an earlier revision", config: right, objects: append(replaced(web(clustertest.Crashing)[:1], "revision: '1'", "revision: '2'"), web(clustertest.Crashing)[1:]...), want: "InProgress: [NotAvailable] 0/1 available"},
		{it: "is a Deployment that has failed by itself", config: right, objects: deadline, want: "Failed: [CrashLoop]"},
		{it: "has no selector", config: compat, objects: replaced(set(clustertest.Running)[:1], "selector:", "selected:"), want: "Unknown: no selector found"},
		{it: "has a selector that is a text", config: compat, objects: replaced(set(clustertest.Running)[:1], "selector: {matchLabels: {app: db}}", "selector: text"), want: "Unknown: .spec.selector accessor error"},
		{it: "has labels that are a text", config: compat, objects: replaced(set(clustertest.Running)[:1], "{matchLabels: {app: db}}", "{matchLabels: text}"), want: "Unknown: json: cannot unmarshal"},
		{it: "is malformed", config: compat, objects: replaced(set(clustertest.Running)[:1], "readyReplicas: 0", "conditions: text"), want: "Unknown: "},
		{it: "is of an unknown mode", config: readers.Config{Mode: dropin.Mode{Verdicts: "x", Events: "y"}}, objects: set(clustertest.Running), want: "error: mode: verdicts"},
	} {
		t.Run(row.it, func(t *testing.T) {
			clustertest.Run(t, func(c *clustertest.Cluster) {
				c.Apply(row.objects...)
				id := clustertest.IDs(t, row.objects[0])[0]
				have := words(row.config.Default(c.Mapper).ReadStatus(c.Context(), live(c), id))
				if !strings.HasPrefix(have, row.want) {
					t.Errorf("status %q, want %q", have, row.want)
				}
			})
		})
	}
}

// The reader for single objects reads the children only of a workload that has failed, and only in the
// mode that names the cause.
func TestSingle(t *testing.T) {
	failed := strings.Replace(clustertest.Deployment("web", 0), "{type: Progressing, status: 'True', reason: ReplicaSetUpdated}", "{type: Progressing, status: 'False', reason: ProgressDeadlineExceeded}", 1)
	children := clustertest.Web("web", 0, clustertest.Crashing)[1:]
	get := "get deployments in default named web"
	lists := []string{get, "list replicasets in default with app=web", "list pods in default with app=web"}
	for _, row := range []struct {
		it       string
		config   readers.Config
		object   string
		rule     wiretest.Rule
		want     string
		requests []string
	}{
		{it: "is in progress", config: right, object: clustertest.Deployment("web", 0), want: "InProgress: [NotAvailable]", requests: []string{get}},
		{it: "has failed", config: right, object: failed, want: "Failed: [CrashLoop]", requests: lists},
		{it: "has failed in the mode compat", config: compat, object: failed, want: "Failed: Progress deadline exceeded", requests: []string{get}},
		{it: "has failed, and its children may not be read", config: right, object: failed, rule: wiretest.Rule{Match: wiretest.Match{Resource: "replicasets"}, Reply: wiretest.Forbidden}, want: "Failed: [ProgressDeadlineExceeded]", requests: lists[:2]},
		{it: "has failed, and its children cannot be read", config: right, object: failed, rule: wiretest.Rule{Match: wiretest.Match{Resource: "replicasets"}, Reply: wiretest.Reply{Code: 500, Reason: "InternalError"}}, want: "Failed: [ProgressDeadlineExceeded]", requests: lists[:2]},
	} {
		t.Run(row.it, func(t *testing.T) {
			clustertest.Run(t, func(c *clustertest.Cluster) {
				c.Apply(append(children, row.object)...)
				c.On(row.rule)
				rs, err := row.config.Single(c.Mapper).ReadStatus(c.Context(), live(c), clustertest.IDs(t, row.object)[0])
				if have := words(rs, err); !strings.HasPrefix(have, row.want) {
					t.Errorf("status %q, want %q", have, row.want)
				}
				if len(rs.GeneratedResources) > 0 {
					t.Errorf("the status has the children %v, want none", rs.GeneratedResources)
				}
				c.ExpectSent(row.requests...)
			})
		})
	}
}

// What is no answer about the object is an error of the call, and the rest is the status Unknown.
func TestErrors(t *testing.T) {
	for _, row := range []struct {
		it     string
		config readers.Config
		prior  func(c *clustertest.Cluster)
		limit  time.Duration // of the call
		target string
		want   string
	}{
		{it: "does not exist", target: clustertest.ConfigMap("b"), want: "NotFound: Resource not found"},
		{it: "is forbidden", prior: func(c *clustertest.Cluster) { c.On(wiretest.Rule{Reply: wiretest.Forbidden}) }, want: "Unknown: get configmaps in default named a: forbidden"},
		{it: "is of an unknown kind", target: "{apiVersion: example.com/v1, kind: Gadget, metadata: {namespace: default, name: a}}", want: "Unknown: no matches for example.com/, Resource=Gadget"},
		{it: "ends with the context", prior: func(c *clustertest.Cluster) { c.On(wiretest.Rule{Reply: wiretest.Reply{Delay: time.Hour}}) }, limit: time.Second, want: "error: "},
		{it: "exceeds the limit of the client", prior: func(c *clustertest.Cluster) {
			c.REST.Timeout = time.Second
			c.On(wiretest.Rule{Reply: wiretest.Reply{Delay: time.Hour}})
		}, want: "Unknown: "},
		{it: "would wait too long for the rate limiter", prior: func(c *clustertest.Cluster) { c.REST.QPS, c.REST.Burst = 0.01, 1 }, limit: time.Second, want: "error: client rate limiter Wait returned an error: rate: Wait(n=1) would exceed context deadline"},
		{it: "would wait too long, which is a status", config: readers.Config{RateLimiterIsStatus: true}, prior: func(c *clustertest.Cluster) { c.REST.QPS, c.REST.Burst = 0.01, 1 }, limit: time.Second, want: "Unknown: client rate limiter Wait returned an error"},
	} {
		t.Run(row.it, func(t *testing.T) {
			clustertest.Run(t, func(c *clustertest.Cluster) {
				c.Apply(clustertest.ConfigMap("a"))
				target := row.target
				if target == "" {
					target = clustertest.ConfigMap("a")
				}
				if row.prior != nil {
					row.prior(c)
				}
				reader := live(c)
				ctx := c.Context()
				if row.limit > 0 {
					limited, cancel := context.WithTimeout(ctx, row.limit)
					defer cancel()
					ctx = limited
				}
				row.config.Mode = dropin.Compat
				r := row.config.Default(c.Mapper)
				id := clustertest.IDs(t, target)[0]
				have := words(r.ReadStatus(ctx, reader, id))
				if c.REST.Burst == 1 { // that was the only request
					have = words(r.ReadStatus(ctx, reader, id))
				}
				if !strings.HasPrefix(have, row.want) {
					t.Errorf("status %q, want %q", have, row.want)
				}
			})
		})
	}
}

// A reader of the caller comes first, for the kinds that it supports.
func TestCustomReaders(t *testing.T) {
	widgets := schema.GroupKind{Group: "example.com", Kind: "Widget"}
	for _, row := range []struct {
		it      string
		compute readers.StatusFunc
		target  string
		want    string
	}{
		{it: "computes", target: clustertest.Widget("default", "a", ""), want: "Failed: by the caller", compute: func(*unstructured.Unstructured) (*status.Result, error) {
			return &status.Result{Status: status.FailedStatus, Message: "by the caller"}, nil
		}},
		{it: "cannot compute", target: clustertest.Widget("default", "a", ""), want: "Unknown: broken", compute: func(*unstructured.Unstructured) (*status.Result, error) {
			return nil, errors.New("broken")
		}},
		{it: "is not for the kind", target: clustertest.ConfigMap("a"), want: "Current: Resource is always ready"},
	} {
		t.Run(row.it, func(t *testing.T) {
			clustertest.Run(t, func(c *clustertest.Cluster) {
				c.Apply(row.target)
				custom := only{compat.Generic(c.Mapper, row.compute), widgets}
				r := compat.Default(c.Mapper, custom)
				if have := words(r.ReadStatus(c.Context(), live(c), clustertest.IDs(t, row.target)[0])); have != row.want {
					t.Errorf("status %q, want %q", have, row.want)
				}
				if have := words(r.ReadStatusForObject(c.Context(), live(c), clustertest.Decode(t, row.target))); have != row.want {
					t.Errorf("status of the object %q, want %q", have, row.want)
				}
			})
		})
	}
}

// An only is a reader for one kind.
type only struct {
	engine.StatusReader
	kind schema.GroupKind
}

func (o only) Supports(kind schema.GroupKind) bool { return kind == o.kind }

func TestUnsupportedKind(t *testing.T) {
	clustertest.Run(t, func(c *clustertest.Cluster) {
		workloads, _ := compat.Builtin(c.Mapper)
		r := &readers.Delegating{StatusReaders: workloads}
		for kind, want := range map[string]bool{"Deployment": true, "ReplicaSet": true, "StatefulSet": true, "DaemonSet": false} {
			if have := r.Supports(schema.GroupKind{Group: "apps", Kind: kind}); have != want {
				t.Errorf("Supports(%s) = %t", kind, have)
			}
		}
		const want = "error: no status reader supports this resource: ConfigMap"
		a := clustertest.ConfigMap("a")
		if have := words(r.ReadStatus(c.Context(), live(c), clustertest.IDs(t, a)[0])); have != want {
			t.Errorf("status %q, want %q", have, want)
		}
		if have := words(r.ReadStatusForObject(c.Context(), live(c), clustertest.Decode(t, a))); have != want {
			t.Errorf("status of the object %q, want %q", have, want)
		}
		c.ExpectSent()
	})
}
