package listwatch

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/observe"
)

// A fanOut is a Sink that forwards events to the sinks of several readers. Readers get the events
// about the objects that they requested, and all events that are not about an object.
type fanOut struct {
	mu     sync.Mutex // guards the fields below and those of the readers, and serializes the calls of the sinks
	all    map[*reader]bool
	wanted map[types.NamespacedName][]*reader
	notes  []string // also forwarded to later readers
}

func (f *fanOut) add(r *reader, keys []types.NamespacedName) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all == nil {
		f.all, f.wanted = map[*reader]bool{}, map[types.NamespacedName][]*reader{}
	}
	f.all[r] = true
	for _, k := range keys {
		f.wanted[k] = append(f.wanted[k], r)
	}
	for _, note := range f.notes {
		r.notes.Once(note)
	}
}

func (f *fanOut) remove(r *reader, keys []types.NamespacedName) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.all, r)
	for _, k := range keys {
		if f.wanted[k] = without(f.wanted[k], r); len(f.wanted[k]) == 0 {
			delete(f.wanted, k)
		}
	}
}

// notify gives a note to all readers.
func (f *fanOut) notify(note string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notes = append(f.notes, note)
	for r := range f.all {
		r.notes.Once(note)
	}
}

func (f *fanOut) each(event func(r *reader)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for r := range f.all {
		r.deliver(func() { event(r) })
	}
}

// Wants implements Sink.
func (f *fanOut) Wants(namespace, name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.wanted[types.NamespacedName{Namespace: namespace, Name: name}]) > 0
}

// Begin implements Sink.
func (f *fanOut) Begin() { f.each(func(r *reader) { r.sink.Begin() }) }

// See implements Sink. Each reader gets a copy, since it may change the object.
func (f *fanOut) See(o metav1.Object) (news bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	readers := f.wanted[nameOf(o)]
	for i, r := range readers {
		switch {
		case r.joining:
			own := copyOf(o)
			r.deliver(func() { r.sink.See(own) })
			news = true
		case i < len(readers)-1:
			news = r.sink.See(copyOf(o)) || news
		default:
			news = r.sink.See(o) || news
		}
	}
	return news
}

func copyOf(o metav1.Object) metav1.Object {
	switch o := o.(type) {
	case *unstructured.Unstructured:
		return o.DeepCopy()
	case *metav1.PartialObjectMetadata:
		return o.DeepCopy()
	}
	return o
}

// Lose implements Sink.
func (f *fanOut) Lose(namespace, name string, version uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.wanted[types.NamespacedName{Namespace: namespace, Name: name}] {
		r.deliver(func() { r.sink.Lose(namespace, name, version) })
	}
}

// End implements Sink.
func (f *fanOut) End(version uint64) {
	f.each(func(r *reader) {
		r.sink.End(version)
		r.notes.Once(r.note)
	})
}

// Fail implements Sink.
func (f *fanOut) Fail(why *observe.Unreadable, err error) {
	f.each(func(r *reader) { r.sink.Fail(why, err) })
}

// Forget implements Sink.
func (f *fanOut) Forget() { f.each(func(r *reader) { r.sink.Forget() }) }

// Pending implements Sink. If readers have different versions of an object, it returns the
// earliest.
func (f *fanOut) Pending() (versions map[types.NamespacedName]uint64, pending bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for r := range f.all {
		if r.joining {
			continue
		}
		own, any := r.sink.Pending()
		pending = pending || any
		if versions == nil {
			versions = own
			continue
		}
		for k, v := range own {
			if known, ok := versions[k]; !ok || v < known {
				versions[k] = v
			}
		}
	}
	return versions, pending
}
