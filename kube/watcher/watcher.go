package watcher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/integer"
	"kstatus.dev/kube/connection"
)

// An Event is a change of an object, or a gap.
type Event struct {
	// Type is ADDED, MODIFIED or DELETED. ERROR is a gap: the server no longer has the versions
	// since the last event. A list follows, so that some versions may be missing.
	Type watch.EventType
	// Restored is set for a gap after which objects have lower versions than before, or the same
	// versions with another content. The server has lost its history then, as after the restore of a
	// backup. Every object that exists is reported again.
	Restored bool
	// Object is nil for a gap. Of an object that was deleted unseen, it has the identity only.
	Object *unstructured.Unstructured
	// Existing is set if the object existed when watching began.
	Existing bool
}

// A Watcher watches one kind in one namespace, or in all. Kind, Resource, Name and Report are
// required. Run may be called once.
type Watcher struct {
	Kind      schema.GroupVersionKind
	Resource  Resource
	Name      string // of the kind, as kubectl spells it
	Namespace string // empty for all namespaces

	Report func(Event) // one call at a time
	// Note, if set, receives one line about each problem that is retried, and about a refusal.
	Note func(string)
	// Listed, if set, is called after each complete list.
	Listed func()
	// Connected, if set, is called with true when a watch is open, and with false when it has
	// failed. The end of a watch after the usual time is no failure.
	Connected func(bool)
	// MaxPause is the longest delay before a retry. Zero is 30 seconds.
	MaxPause time.Duration

	stream     Stream
	listedOnce bool                     // all existing objects were reported.
	opened     bool                     // a watch has been open.
	seen       map[string]objectVersion // existing objects by namespace/name.
	listed     map[string]bool          // the objects of the list in progress.
	lastNote   string                   // the last reported error.
	notedAt    string                   // the position at that time.
}

// objectVersion is the state that is kept of an object.
type objectVersion struct {
	uid, version string
}

// Run watches until ctx ends. It returns earlier only if the kind may not be
// read, or is not served.
func (w *Watcher) Run(ctx context.Context) error {
	w.seen = map[string]objectVersion{}
	w.stream = Stream{
		Requests: RequestsFor(w.Resource), Sink: versions{w}, IsRestored: w.isRestored,
		MaxPause: func(err error) time.Duration {
			if err == nil {
				return LastReopen
			}
			return cmp.Or(w.MaxPause, LastPause)
		},
		Connected: func(now bool) {
			w.opened = w.opened || now
			if w.Connected != nil {
				w.Connected(now)
			}
		},
	}
	err := w.stream.Run(ctx)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%s cannot be watched: %w", w.where(), err)
	w.noteLine(err.Error())
	return err
}

// noteError reports an error, unless it equals the last one and nothing was read since.
func (w *Watcher) noteError(err error) {
	position := w.stream.position.version
	if errors.Is(err, ErrShort) || err.Error() == w.lastNote && position == w.notedAt {
		return
	}
	w.lastNote, w.notedAt = err.Error(), position
	w.noteLine(fmt.Sprintf("%s: %v; trying again", w.where(), err))
}

func (w *Watcher) noteLine(line string) {
	if w.Note != nil {
		w.Note(line)
	}
}

// where names the watched kind as kubectl does: "lamps.example.com in namespace
// shop".
func (w *Watcher) where() string {
	if w.Namespace == "" {
		return w.Name
	}
	return w.Name + " in namespace " + w.Namespace
}

// versions is the Sink of a Watcher.
type versions struct{ *Watcher }

func (w versions) Begin() { w.listed = map[string]bool{} }

// Object reports a version that was not reported before.
func (w versions) Object(o metav1.Object, listed bool) error {
	if listed {
		w.listed[keyOf(o)] = true
	}
	return w.reportVersion(watch.Modified, o, listed)
}

func (w versions) Deleted(o metav1.Object) error { return w.reportVersion(watch.Deleted, o, false) }

// End reports the objects that were not listed as deleted.
func (w versions) End(string) {
	for _, key := range slices.Sorted(maps.Keys(w.seen)) {
		if !w.listed[key] {
			w.reportDeleted(key, w.seen[key])
		}
	}
	w.listed, w.listedOnce = nil, true
	if w.Listed != nil {
		w.Listed()
	}
}

// Lost reports that writes may be missing. After a restore, no version that was seen before counts.
func (w versions) Lost(restored bool) {
	w.Report(Event{Type: watch.Error, Restored: restored})
	if restored {
		for key, known := range w.seen {
			w.seen[key] = objectVersion{uid: known.uid}
		}
	}
}

// Fail continues from the position, since a list may lack versions.
func (w versions) Fail(f Failure) Reaction {
	if connection.IsRefused(f.Err) && !w.opened {
		return ReactionEnd
	}
	w.noteError(f.Err)
	return ReactionResume
}

// isRestored reports whether objects of a page were seen in a later version. They were restored from a
// backup then, although the list may be newer: a restore may raise the versions of later writes.
func (w *Watcher) isRestored(page []metav1.Object) bool {
	return slices.ContainsFunc(page, func(o metav1.Object) bool {
		known, n := w.seen[keyOf(o)], integer.OfVersion(o.GetResourceVersion())
		return n != 0 && known.uid == string(o.GetUID()) && n < integer.OfVersion(known.version)
	})
}

func keyOf(o metav1.Object) string { return o.GetNamespace() + "/" + o.GetName() }

// reportVersion reports a version of an object, unless it was reported before.
func (w *Watcher) reportVersion(t watch.EventType, o metav1.Object, listed bool) error {
	u, err := asUnstructured(o)
	if err != nil {
		return err
	}
	key, version := keyOf(u), u.GetResourceVersion()
	known, n := w.seen[key], integer.OfVersion(version)
	isOther := known.uid != "" && known.uid != string(u.GetUID())
	if isOther && (listed || t != watch.Deleted && n > integer.OfVersion(known.version)) {
		w.reportDeleted(key, known) // another object has its name now
		known = objectVersion{}
	}
	switch {
	case known.uid == "" && t == watch.Deleted,
		known.uid == "" && !listed && n != 0 && n <= w.stream.position.highest,
		known.uid != "" && (known.version == version || n != 0 && n <= integer.OfVersion(known.version)):
		return nil
	case known.uid == "":
		t = watch.Added
	}
	if w.seen[key] = (objectVersion{string(u.GetUID()), version}); t == watch.Deleted {
		delete(w.seen, key)
	}
	u.SetGroupVersionKind(w.Kind)
	w.Report(Event{Type: t, Object: u, Existing: listed && !w.listedOnce})
	return nil
}

// reportDeleted reports that an object was deleted while no watch was open.
// Only its identity is known.
func (w *Watcher) reportDeleted(key string, s objectVersion) {
	delete(w.seen, key)
	namespace, name, _ := strings.Cut(key, "/")
	u := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{
		"namespace": namespace, "name": name, "uid": s.uid, "resourceVersion": s.version}}}
	u.SetGroupVersionKind(w.Kind)
	w.Report(Event{Type: watch.Deleted, Object: u})
}
