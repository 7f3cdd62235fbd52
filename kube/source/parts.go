package source

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The annotation by which a Deployment names the revision of its newest ReplicaSet.
const revisionOf = "deployment.kubernetes.io/revision"

// The kinds whose Pods say why an object is not there yet, and which of its
// Pods count: those that carry its latest revision in a label, if one is named.
// A Deployment's are those of its ReplicaSet of that revision. A CronJob is not
// among them: it is there at once, whatever becomes of its Jobs.
var withParts = map[status.Kind]struct {
	label    string
	revision func(*unstructured.Unstructured) string
}{
	{Group: "apps", Kind: "Deployment"}: {"", func(u *unstructured.Unstructured) string {
		return u.GetAnnotations()[revisionOf]
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

// hasParts reports whether there is more to read for an object than itself.
func (l *link) hasParts(kind status.Kind) bool {
	_, ok := withParts[kind]
	return ok || l.endpoints && kind == serviceKind
}

// thoseWithParts returns the targets whose kind has parts. The others are not
// kept for as long as they are read.
func (l *link) thoseWithParts(targets []observe.Target) (some []observe.Target) {
	for _, t := range targets {
		if l.hasParts(t.Kind) {
			some = append(some, t)
		}
	}
	return some
}

// A families follows what the controllers of targets have made, in each
// namespace in which a target is waited for that has parts.
//
// It asks the server for nothing while a target is handed to it.
type families struct {
	link    *link
	targets []observe.Target
	tell    func(observe.Sighting) (open bool)
	ctx     context.Context // of Observe, which waits for tasks
	tasks   *sync.WaitGroup

	mu sync.Mutex // guards in
	in map[string]*family
}

// revise takes back the parts of a target that count no longer now that it is
// like this.
func (fs *families) revise(t observe.Target, u *unstructured.Unstructured) {
	if f := fs.family(u.GetNamespace(), false); f != nil {
		f.prepare(t, u)
	}
}

// leave takes back the parts of a target that is gone, or has left a selection
// and is not a target by its name as well.
func (fs *families) leave(t, selection observe.Target) {
	f := fs.family(fs.namespaceOf(t), false)
	if f == nil || selection != (observe.Target{}) && f.named(t) {
		return
	}
	f.prepare(t, nil)
}

// track follows the parts of a target that has been reported, from when it is
// waited for.
func (fs *families) track(t observe.Target, u *unstructured.Unstructured, open bool) {
	if f := fs.family(u.GetNamespace(), open); f != nil {
		f.follow(t, u, open)
	}
}

// namespaceOf returns in which namespace a target is.
func (fs *families) namespaceOf(t observe.Target) string {
	if t.Namespace == "" {
		return fs.link.namespace
	}
	return t.Namespace
}

// family returns the family of a namespace, and starts one if wished.
func (fs *families) family(namespace string, start bool) *family {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.in[namespace]
	if f == nil && start {
		f = newFamily(fs, namespace)
		if fs.in == nil {
			fs.in = map[string]*family{}
		}
		fs.in[namespace] = f
		for _, s := range f.strands() {
			fs.tasks.Go(func() { s.run(fs.ctx) })
		}
	}
	return f
}

// A parent is a target whose parts are followed.
type parent struct {
	target   observe.Target
	uid      types.UID
	labels   map[string]string // what its selector asks of the labels of its Pods, each by one value
	open     bool              // it is waited for
	revision string            // which of its Pods count; see withParts
	active   bool              // of a Job: Pods of it run, so that those that failed have been replaced
	counts   types.UID         // the controller whose Pods count; empty while that is not known
	barred   []status.Kind     // it has been told that parts of these kinds cannot be read
}

func newParent(t observe.Target, u *unstructured.Unstructured) *parent {
	p := &parent{target: t, uid: u.GetUID()}
	p.labels, _, _ = unstructured.NestedStringMap(u.Object, "spec", "selector", "matchLabels")
	if t.Kind.Kind == "ReplicationController" {
		p.labels, _, _ = unstructured.NestedStringMap(u.Object, "spec", "selector")
	}
	return p
}

// deploys reports whether the Pods of p are those of a ReplicaSet of its own.
func (p *parent) deploys() bool { return p.target.Kind.Kind == "Deployment" }
