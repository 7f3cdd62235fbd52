package parts

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// revisionAnnotation is the revision of a ReplicaSet, and of the newest ReplicaSet of a Deployment.
const revisionAnnotation = "deployment.kubernetes.io/revision"

// workloadKinds are the kinds whose Pods may explain why a workload is not ready, with the label
// that must have the workload's revision. For a Deployment the Pods of the ReplicaSet with its
// revision count. A CronJob is not included: it is ready at once, whatever its Jobs do.
var workloadKinds = map[status.Kind]struct {
	label    string
	revision func(*unstructured.Unstructured) string
}{
	{Group: "apps", Kind: "Deployment"}: {"", func(u *unstructured.Unstructured) string {
		return u.GetAnnotations()[revisionAnnotation]
	}},
	{Group: "apps", Kind: "StatefulSet"}: {"controller-revision-hash", func(u *unstructured.Unstructured) string {
		revision := decoded.Text(u.Object, "status", "updateRevision")
		return revision
	}},
	{Group: "apps", Kind: "DaemonSet"}: {"pod-template-generation", func(u *unstructured.Unstructured) string {
		return u.GetAnnotations()["deprecated.daemonset.template.generation"]
	}},
	{Group: "apps", Kind: "ReplicaSet"}:        {},
	{Group: "", Kind: "ReplicationController"}: {},
	{Group: "batch", Kind: "Job"}:              {},
}

// Tracks reports whether targets of a kind have parts.
func (tracker *Tracker) Tracks(kind status.Kind) bool {
	return HasPods(kind) || tracker.Endpoints && kind == ServiceKind
}

// A Config configures a Tracker. Client, Targets and Report are required.
type Config struct {
	Client     *client.Session
	Namespace  string              // of targets without a namespace
	Endpoints  bool                // track the EndpointSlices of Services
	AddRelated func(status.Object) // called with an EndpointSlice that summarizes those of a Service; required with Endpoints
	Targets    []observe.Target
	Report     func(observe.Event) (pending bool)
}

// A Tracker tracks the parts of targets, in each namespace with a pending target that has parts.
// Its methods do not send requests themselves.
type Tracker struct {
	Config
	ctx   context.Context
	tasks crash.Group

	mu       sync.Mutex             // guards trackers
	trackers map[string]*podTracker // by namespace
}

// New returns a Tracker that reads until ctx ends. It keeps only the targets that
// have parts.
func New(ctx context.Context, c Config) *Tracker {
	tracker := &Tracker{Config: c, ctx: ctx, trackers: map[string]*podTracker{}}
	tracker.Targets = nil
	for _, t := range c.Targets {
		if tracker.Tracks(t.Kind) {
			tracker.Targets = append(tracker.Targets, t)
		}
	}
	return tracker
}

// Wait returns when all reads have ended, after ctx has ended.
func (tracker *Tracker) Wait() { tracker.tasks.Wait() }

// ResourcesOf returns the resources of the parts of a kind.
func ResourcesOf(kind status.Kind) (all []schema.GroupResource) {
	for part, resource := range partResources {
		if pw := (partWatch{kind: part}); pw.appliesTo(&workload{target: observe.Target{Kind: kind}}) {
			all = append(all, resource.GroupResource())
		}
	}
	return all
}

// Revise revokes the parts that no longer count for a target, before its new state is reported.
func (tracker *Tracker) Revise(t observe.Target, u *unstructured.Unstructured) {
	if pt := tracker.in(u.GetNamespace(), false); pt != nil {
		pt.revokeParts(t, u)
	}
}

// Forget revokes the parts of a target that has been deleted or has left the selection, unless
// it is also a named target.
func (tracker *Tracker) Forget(t, selection observe.Target) {
	pt := tracker.in(tracker.namespaceOf(t), false)
	if pt == nil || selection != (observe.Target{}) && pt.isNamedTarget(t) {
		return
	}
	pt.revokeParts(t, nil)
}

// Track reports the parts of a target whose state u has been reported, and follows them. It
// starts to read when the target is pending.
func (tracker *Tracker) Track(t observe.Target, u *unstructured.Unstructured, pending bool) {
	if pt := tracker.in(u.GetNamespace(), pending); pt != nil {
		pt.follow(t, u, pending)
	}
}

// namespaceOf returns the namespace of a target.
func (tracker *Tracker) namespaceOf(t observe.Target) string {
	if t.Namespace == "" {
		return tracker.Namespace
	}
	return t.Namespace
}

// in returns the tracker of a namespace. If there is none, it starts one or returns nil.
func (tracker *Tracker) in(namespace string, start bool) *podTracker {
	tracker.mu.Lock()
	defer tracker.mu.Unlock()
	pt := tracker.trackers[namespace]
	if pt == nil && start {
		pt = newPodTracker(tracker, namespace)
		tracker.trackers[namespace] = pt
		for _, pw := range pt.watches.all() {
			tracker.tasks.Go(func() { pw.run(tracker.ctx) })
		}
	}
	return pt
}

// A workload is a target whose parts are tracked. Services are workloads too.
type workload struct {
	target      observe.Target
	uid         types.UID
	labels      map[string]string // the label values that its selector requires of its Pods
	pending     bool
	revision    string        // which of its Pods count; see workloadKinds
	active      bool          // of a Job: running Pods have replaced the failed ones
	lacksPods   bool          // it has fewer Pods than it needs, and only events say why
	isRefused   bool          // the refusal of its Pods is reported as a part
	keepsFormer bool          // its Pods of former revisions count too
	controller  types.UID     // the controller whose Pods count; empty while unknown
	deniedKinds []status.Kind // the kinds of parts that were reported as forbidden
}

func newWorkload(t observe.Target, u *unstructured.Unstructured) *workload {
	w := &workload{target: t, uid: u.GetUID()}
	w.labels, _, _ = unstructured.NestedStringMap(u.Object, "spec", "selector", "matchLabels")
	if t.Kind.Kind == "ReplicationController" {
		w.labels, _, _ = unstructured.NestedStringMap(u.Object, "spec", "selector")
	}
	return w
}

// isDeployment reports whether the Pods belong to a ReplicaSet of the workload.
func (w *workload) isDeployment() bool { return w.target.Kind.Kind == "Deployment" }
