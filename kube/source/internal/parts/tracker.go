package parts

import (
	"context"
	"sync"

	"kstatus.dev/kube/source/internal/client"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The annotation by which a Deployment names the revision of its newest ReplicaSet.
const revisionAnnotation = "deployment.kubernetes.io/revision"

// The kinds whose Pods say why an object is not there yet, and which of its
// Pods count: those that carry its latest revision in a label, if one is named.
// A Deployment's are those of its ReplicaSet of that revision. A CronJob is not
// among them: it is there at once, whatever becomes of its Jobs.
var workloadKinds = map[status.Kind]struct {
	label    string
	revision func(*unstructured.Unstructured) string
}{
	{Group: "apps", Kind: "Deployment"}: {"", func(u *unstructured.Unstructured) string {
		return u.GetAnnotations()[revisionAnnotation]
	}},
	{Group: "apps", Kind: "StatefulSet"}: {"controller-revision-hash", func(u *unstructured.Unstructured) string {
		revision, _, _ := unstructured.NestedString(u.Object, "status", "updateRevision")
		return revision
	}},
	{Group: "apps", Kind: "DaemonSet"}: {"pod-template-generation", func(u *unstructured.Unstructured) string {
		return u.GetAnnotations()["deprecated.daemonset.template.generation"]
	}},
	{Group: "apps", Kind: "ReplicaSet"}:        {},
	{Group: "", Kind: "ReplicationController"}: {},
	{Group: "batch", Kind: "Job"}:              {},
}

// tracks reports whether there is more to read for an object than itself.
func (fs *Tracker) Tracks(kind status.Kind) bool {
	_, ok := workloadKinds[kind]
	return ok || fs.Endpoints && kind == ServiceKind
}

// A trackerConfig is what a families needs.
type Config struct {
	Client    *client.Client
	Namespace string              // of targets that name none
	Endpoints bool                // of Services matter
	Learn     func(status.Object) // given an EndpointSlice for each Service, if endpoints matter
	Targets   []observe.Target
	Report    func(observe.Sighting) (open bool)
}

// A families follows what the controllers of targets have made, in each
// namespace in which a target is waited for that has parts.
//
// It asks the server for nothing while a target is handed to it.
type Tracker struct {
	Config
	ctx   context.Context
	tasks sync.WaitGroup

	mu       sync.Mutex // guards in
	trackers map[string]*podTracker
}

// newFamilies returns what follows the parts of targets until ctx ends. Targets that
// have none are not kept.
func New(ctx context.Context, c Config) *Tracker {
	fs := &Tracker{Config: c, ctx: ctx, trackers: map[string]*podTracker{}}
	fs.Targets = nil
	for _, t := range c.Targets {
		if fs.Tracks(t.Kind) {
			fs.Targets = append(fs.Targets, t)
		}
	}
	return fs
}

// wait waits until nothing is read any more, after ctx has ended.
func (fs *Tracker) Wait() { fs.tasks.Wait() }

// resourcesOf returns the resources of the parts of a kind.
func ResourcesOf(kind status.Kind) (all []schema.GroupResource) {
	for part, resource := range partResources {
		if s := (partWatch{kind: part}); s.concerns(&workload{target: observe.Target{Kind: kind}}) {
			all = append(all, resource.GroupResource())
		}
	}
	return all
}

// revise takes back the parts of a target that count no longer now that it is
// like this.
func (fs *Tracker) Revise(t observe.Target, u *unstructured.Unstructured) {
	if f := fs.tracker(u.GetNamespace(), false); f != nil {
		f.takeBack(t, u)
	}
}

// leave takes back the parts of a target that is gone, or has left a selection
// and is not a target by its name as well.
func (fs *Tracker) Forget(t, selection observe.Target) {
	f := fs.tracker(fs.namespaceOf(t), false)
	if f == nil || selection != (observe.Target{}) && f.isNamedTarget(t) {
		return
	}
	f.takeBack(t, nil)
}

// track follows the parts of a target that has been reported, from when it is
// waited for.
func (fs *Tracker) Track(t observe.Target, u *unstructured.Unstructured, open bool) {
	if f := fs.tracker(u.GetNamespace(), open); f != nil {
		f.follow(t, u, open)
	}
}

// namespaceOf returns in which namespace a target is.
func (fs *Tracker) namespaceOf(t observe.Target) string {
	if t.Namespace == "" {
		return fs.Namespace
	}
	return t.Namespace
}

// family returns the family of a namespace, and starts one if wished.
func (fs *Tracker) tracker(namespace string, start bool) *podTracker {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.trackers[namespace]
	if f == nil && start {
		f = newPodTracker(fs, namespace)
		fs.trackers[namespace] = f
		for _, s := range f.watches() {
			fs.tasks.Go(func() { s.run(fs.ctx) })
		}
	}
	return f
}

// A parent is a target whose parts are followed.
type workload struct {
	target      observe.Target
	uid         types.UID
	labels      map[string]string // what its selector asks of the labels of its Pods, each by one value
	pending     bool              // it is waited for
	revision    string            // which of its Pods count; see withParts
	active      bool              // of a Job: Pods of it run, so that those that failed have been replaced
	controller  types.UID         // the controller whose Pods count; empty while that is not known
	deniedKinds []status.Kind     // it has been told that parts of these kinds cannot be read
}

func newWorkload(t observe.Target, u *unstructured.Unstructured) *workload {
	p := &workload{target: t, uid: u.GetUID()}
	p.labels, _, _ = unstructured.NestedStringMap(u.Object, "spec", "selector", "matchLabels")
	if t.Kind.Kind == "ReplicationController" {
		p.labels, _, _ = unstructured.NestedStringMap(u.Object, "spec", "selector")
	}
	return p
}

// deploys reports whether the Pods of p are those of a ReplicaSet of its own.
func (p *workload) isDeployment() bool { return p.target.Kind.Kind == "Deployment" }
