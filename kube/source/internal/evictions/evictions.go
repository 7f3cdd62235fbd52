// Package evictions finds Pods that a kubelet evicted, and whose phase is Succeeded because their
// containers exited with 0. Only an event says so, if the Pod exceeded one of its own limits of
// storage. So the events of a namespace are listed when such a Pod, or a Job with such Pods, has
// succeeded.
package evictions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

var (
	podKind       = status.Kind{Kind: "Pod"}
	jobKind       = status.Kind{Group: "batch", Kind: "Job"}
	podResource   = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	eventResource = schema.GroupVersionResource{Version: "v1", Resource: "events"}
)

// A Finder finds evictions. It is safe for concurrent use.
type Finder struct {
	Objects dynamic.Interface
	Found   func(event status.Object) // receives an Event with the UID of the evicted Pod, or of its Job, as its name

	mu     sync.Mutex         // guards the fields below; no request is sent under it
	seen   map[types.UID]bool // objects that were looked at after they succeeded
	places map[string]*place  // by namespace
}

// maxSeen limits the memory of a [Finder].
const maxSeen = 10_000

// Look looks for the eviction of Pods and Jobs that have succeeded. Other objects cause no request. The
// error names each namespace whose events could not be read. A refusal is remembered: no other request
// follows it.
func (f *Finder) Look(ctx context.Context, objects ...status.Object) error {
	var errs []error
	failed := map[string]bool{}
	for _, obj := range objects {
		u := unstructured.Unstructured{Object: obj.UnstructuredContent()}
		if failed[u.GetNamespace()] || !mayBeEvicted(&u) {
			continue
		}
		if err := f.lookFor(ctx, &u); err != nil {
			failed[u.GetNamespace()] = true
			errs = append(errs, fmt.Errorf("the events in namespace %s: an evicted Pod whose containers exit with 0 counts as succeeded: %w", u.GetNamespace(), err))
		}
	}
	return errors.Join(errs...)
}

// Needs reports whether Look sends a request about an object, so that its eviction is not known yet.
func (f *Finder) Needs(obj status.Object) bool {
	u := unstructured.Unstructured{Object: obj.UnstructuredContent()}
	return mayBeEvicted(&u) && !f.isSeen(u.GetUID()) && f.placeOf(u.GetNamespace()).failure() == nil
}

// Concerns reports whether the events about objects of a kind may be read.
func Concerns(kind status.Kind) bool { return kind == podKind || kind == jobKind }

// mayBeEvicted reports whether an object has succeeded, and only an event would say that a kubelet
// evicted it.
func mayBeEvicted(u *unstructured.Unstructured) bool {
	gvk := u.GroupVersionKind()
	switch status.Kind(gvk.GroupKind()) {
	case podKind:
		return decoded.Text(u.Object, "status", "phase") == "Succeeded" && hasStorageLimit(u, "spec")
	case jobKind:
		return condition.Is(u.Object, "Complete", condition.True) && hasStorageLimit(u, "spec", "template", "spec")
	}
	return false
}

// hasStorageLimit reports whether a Pod has a limit of storage that its kubelet enforces by eviction.
func hasStorageLimit(u *unstructured.Unstructured, path ...string) bool {
	spec := decoded.Map(u.Object, path...)
	for _, volume := range decoded.Maps(spec, "volumes") {
		if decoded.At(volume, "emptyDir", "sizeLimit") != nil {
			return true
		}
	}
	for _, field := range [...]string{"containers", "initContainers"} {
		for _, container := range decoded.Maps(spec, field) {
			if decoded.At(container, "resources", "limits", "ephemeral-storage") != nil {
				return true
			}
		}
	}
	return false
}

// lookFor looks for the eviction of one object.
func (f *Finder) lookFor(ctx context.Context, u *unstructured.Unstructured) error {
	if f.isSeen(u.GetUID()) {
		return nil
	}
	in := f.placeOf(u.GetNamespace())
	if err := in.failure(); err != nil {
		return err
	}
	end, err := in.turn.Take(ctx) // the next caller uses the same list
	if err != nil {
		return err
	}
	defer end()
	event, err := f.find(ctx, in, u)
	if err != nil {
		in.fail(err)
		return err
	}
	f.markSeen(u.GetUID())
	if event != nil {
		f.Found(event)
	}
	return nil
}

// find returns the Event that an object was evicted, or nil. The caller has the turn of the namespace.
func (f *Finder) find(ctx context.Context, in *place, u *unstructured.Unstructured) (status.Object, error) {
	list, err := f.list(ctx, in, u.GetNamespace())
	if err != nil {
		return nil, err
	}
	for i := range list {
		message := decoded.Text(list[i].Object, "message")
		pod, uid := decoded.Text(list[i].Object, "involvedObject", "name"), decoded.Text(list[i].Object, "involvedObject", "uid")
		is := u.GetKind() == podKind.Kind && uid == string(u.GetUID())
		if u.GetKind() == jobKind.Kind && strings.HasPrefix(pod, u.GetName()+"-") {
			message = pod + ": " + message
			if is, err = f.hasSucceeded(ctx, u, pod, uid); err != nil {
				return nil, err
			}
		}
		if is {
			return status.Map{
				"apiVersion": "v1", "kind": "Event", "message": message,
				"metadata": map[string]any{"namespace": u.GetNamespace(), "name": string(u.GetUID())},
			}, nil
		}
	}
	return nil, nil
}

func (f *Finder) isSeen(uid types.UID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[uid]
}

func (f *Finder) markSeen(uid types.UID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil || len(f.seen) >= maxSeen {
		f.seen = map[types.UID]bool{}
	}
	f.seen[uid] = true
}

// timeout is the timeout of a request.
const timeout = 10 * time.Second

// eventsAge is how long a list of events is used for other objects. A kubelet sends the event before
// it stops the containers.
const eventsAge = time.Second

// list lists the events about evictions in a namespace. The caller has its turn.
func (f *Finder) list(ctx context.Context, in *place, namespace string) ([]unstructured.Unstructured, error) {
	if err := in.failure(); err != nil {
		return nil, err
	}
	if !in.read.IsZero() && time.Since(in.read) < eventsAge {
		return in.events, nil
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	read := time.Now()
	options := metav1.ListOptions{FieldSelector: "involvedObject.kind=Pod,reason=Evicted"}
	list, err := f.Objects.Resource(eventResource).Namespace(namespace).List(limited, options)
	if err != nil {
		return nil, err
	}
	in.events, in.read = list.Items, read
	return list.Items, nil
}

// hasSucceeded reports whether a Pod belongs to a Job, and is among those that it counts as succeeded.
func (f *Finder) hasSucceeded(ctx context.Context, job *unstructured.Unstructured, name, uid string) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	options := metav1.ListOptions{FieldSelector: "metadata.name=" + name} // a caller may list the Pods of Jobs
	pods, err := f.Objects.Resource(podResource).Namespace(job.GetNamespace()).List(limited, options)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(pods.Items, func(pod unstructured.Unstructured) bool {
		owner := metav1.GetControllerOf(&pod)
		return string(pod.GetUID()) == uid && decoded.Text(pod.Object, "status", "phase") == "Succeeded" && owner != nil && owner.UID == job.GetUID()
	}), nil
}
