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
// It stands between the streams and the one who watches: it looks at the
// targets as they pass and asks the server for nothing while it does.
type families struct {
	link    *link
	targets []observe.Target
	tell    func(observe.Sighting) (open bool)
	ctx     context.Context // of Observe, which waits for tasks
	tasks   *sync.WaitGroup

	mu sync.Mutex // guards in
	in map[string]*family
}

// saw passes a sighting on. Parts that count no longer are taken back before
// the target is told, and those that do now are told after it, so that it is
// never judged by the parts of another version.
func (fs *families) saw(s observe.Sighting) (open bool) {
	switch {
	case !fs.link.hasParts(s.Target.Kind):
		return fs.tell(s)
	case s.Target.Kind == serviceKind:
		return fs.sawService(s)
	}
	u, _ := s.Object.(*unstructured.Unstructured)
	namespace := s.Target.Namespace
	if u != nil {
		namespace = u.GetNamespace()
	} else if namespace == "" {
		namespace = fs.link.namespace
	}
	f := fs.family(namespace, false)
	leaves := u == nil && s.Of != (observe.Target{})
	if f != nil && s.Err == nil && !(leaves && f.named(s.Target)) {
		f.prepare(s.Target, u)
	}
	open = fs.tell(s)
	if f == nil && open && u != nil {
		f = fs.family(namespace, true)
	}
	if f != nil && u != nil {
		f.follow(s.Target, u, open)
	}
	return open
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
