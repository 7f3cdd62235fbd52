package wiretest

import (
	"reflect"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/status"
)

// Follow calls do for each object, and then for each change, in a goroutine that ends with the
// test. So do plays a controller.
func (s *Server) Follow(do func(Event)) {
	s.mu.Lock()
	next := len(s.history)
	var events []Event
	for _, u := range s.objects {
		events = append(events, Event{Type: watch.Added, Object: u})
	}
	s.mu.Unlock()
	s.following.Go(func() {
		for {
			for _, e := range events {
				do(e)
			}
			events = nil
			s.mu.Lock()
			changed := s.changed
			for _, c := range s.history[min(next, len(s.history)):] {
				if c.event.Object != nil {
					events = append(events, c.event)
				}
			}
			next = len(s.history)
			s.mu.Unlock()
			if len(events) > 0 {
				continue
			}
			select {
			case <-changed:
			case <-s.stopped:
				return
			}
		}
	})
}

// Edit changes an object as a client with the name of a field manager does. It reports whether the
// object exists. The part is a subresource, or empty.
func (s *Server) Edit(manager, part string, of *unstructured.Unstructured, edit func(*unstructured.Unstructured)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.objects[idOf(of)]
	if before == nil {
		return false
	}
	after := before.DeepCopy()
	edit(after)
	if x := (exchange{request: Request{Part: part}, manager: manager}); !reflect.DeepEqual(before.Object, after.Object) {
		s.replace(x, before, after)
	}
	return true
}

// Find returns an object, and nil if it does not exist. Callers must not change it.
func (s *Server) Find(kind schema.GroupKind, namespace, name string) *unstructured.Unstructured {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects[status.ID{Kind: status.Kind(kind), Namespace: namespace, Name: name}]
}

// Objects returns all objects in no particular order. Callers must not change them.
func (s *Server) Objects() (all []*unstructured.Unstructured) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.objects {
		all = append(all, u)
	}
	return all
}

// Load stores objects in the versions that they have in another server.
func (s *Server) Load(objects []*unstructured.Unstructured) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range objects {
		s.objects[idOf(u)] = u
		version, _ := strconv.Atoi(u.GetResourceVersion())
		s.version = max(s.version, version)
	}
	s.compacted = s.version
}

// Observe has do see each change while it is made. An object that is created has no version before,
// and one that is deleted has none after. It must not call the server.
func (s *Server) Observe(do func(before, after *unstructured.Unstructured)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.observers = append(s.observers, do)
}

// observe calls the observers. The caller holds mu.
func (s *Server) observe(before, after *unstructured.Unstructured) {
	for _, do := range s.observers {
		do(before, after)
	}
}

// CollectGarbage runs the garbage collector. It deletes objects whose owners are all gone. If an
// owner is deleted so that it orphans what it owns, it removes the references to it.
func (s *Server) CollectGarbage() {
	s.Follow(func(e Event) {
		gone := e.Type == watch.Deleted
		if !gone && !(e.Object.GetDeletionTimestamp() != nil && slices.Contains(e.Object.GetFinalizers(), metav1.FinalizerOrphanDependents)) {
			return
		}
		for _, u := range s.Objects() {
			if !slices.ContainsFunc(u.GetOwnerReferences(), func(r metav1.OwnerReference) bool { return r.UID == e.Object.GetUID() }) {
				continue
			}
			if gone && len(u.GetOwnerReferences()) == 1 {
				s.mu.Lock()
				if live := s.objects[idOf(u)]; live != nil && live.GetResourceVersion() == u.GetResourceVersion() {
					s.remove(exchange{resource: Resource{Group: idOf(u).Group, Kind: u.GetKind()}, request: Request{Verb: "delete", Namespace: u.GetNamespace(), Name: u.GetName()}})
				}
				s.mu.Unlock()
				continue
			}
			s.Edit("garbage-collector", "", u, func(u *unstructured.Unstructured) {
				u.SetOwnerReferences(slices.DeleteFunc(u.GetOwnerReferences(), func(r metav1.OwnerReference) bool { return r.UID == e.Object.GetUID() }))
			})
		}
		s.Edit("garbage-collector", "", e.Object, func(u *unstructured.Unstructured) {
			u.SetFinalizers(slices.DeleteFunc(u.GetFinalizers(), func(f string) bool { return f == metav1.FinalizerOrphanDependents }))
		})
	})
}
