// Package watcher lists and watches the objects of a kind, and reports each version of each
// object once, whatever happens to the connection.
package watcher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/integer"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/connection"
)

const (
	firstPause   = 200 * time.Millisecond // first delay before a retry.
	lastPause    = 30 * time.Second       // longest delay, unless MaxPause is set.
	newsPause    = 2 * time.Second        // longest delay after a watch that has delivered something.
	watchTime    = 5 * time.Minute        // shortest duration of a watch; the longest is twice that.
	shortWatch   = 5 * time.Second        // after a watch of this duration, the next is opened at once.
	quietTimeout = 90 * time.Second       // servers send a bookmark at least once a minute.
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

// A Resource lists and watches the objects of a kind in one namespace, or in all.
type Resource interface {
	List(context.Context, metav1.ListOptions) (*unstructured.UnstructuredList, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
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

	listedOnce     bool                     // all existing objects were reported.
	opened         bool                     // a watch has been open.
	unsure         bool                     // the server may no longer have the position.
	position       string                   // the resourceVersion that was reported last; empty: list first.
	positionNumber uint64                   // position as a number; 0: it is not a number.
	olderCount     int                      // consecutive responses that show an earlier state of the server.
	seen           map[string]objectVersion // existing objects by namespace/name.
	lastNote       string                   // the last reported error.
}

// objectVersion is the state that is kept of an object.
type objectVersion struct {
	uid, version string
}

// maxOlder is how many responses in a row may show an earlier state. More mean that the server has
// been restored.
const maxOlder = 3

var (
	errShort = errors.New("the watch ended at once")
	errOlder = errors.New("the server has an earlier state than before")
	// errRestored ends a list in which objects have lower versions than before.
	errRestored = errors.New("the server has lost its history")
)

// Run watches until ctx ends. It returns earlier only if the kind may not be
// read, or is not served.
func (w *Watcher) Run(ctx context.Context) error {
	w.seen = map[string]objectVersion{}
	pause := firstPause
	for {
		opened := time.Now()
		news, err := w.follow(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case connection.IsRefused(err) && !w.opened:
			err = fmt.Errorf("%s cannot be watched: %w", w.where(), err)
			w.noteLine(err.Error())
			return err
		case connection.IsExpired(err):
			w.reportGap(false)
			err = nil
		case errors.Is(err, errOlder), apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge):
			if w.olderCount++; w.olderCount >= maxOlder {
				w.reportGap(true)
			}
		}
		if err != nil {
			w.connected(false)
			w.unsure = true
		}
		if news {
			pause, w.olderCount = min(pause, newsPause), 0
		}
		if time.Since(opened) >= shortWatch { // whatever a shorter watch has delivered
			pause = firstPause
			if news && err == nil {
				continue
			}
		}
		wait := pause/2 + rand.N(pause)
		if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
			wait = max(wait, time.Duration(seconds)*time.Second)
		}
		pause = min(2*pause, cmp.Or(w.MaxPause, lastPause))
		w.noteError(err)
		if !sleep.For(ctx, wait) {
			return nil
		}
	}
}

// noteError reports an error, unless it equals the last one.
func (w *Watcher) noteError(err error) {
	if err == nil || errors.Is(err, errShort) || err.Error() == w.lastNote {
		return
	}
	w.lastNote = err.Error()
	w.noteLine(fmt.Sprintf("%s: %v; trying again", w.where(), err))
}

func (w *Watcher) noteLine(line string) {
	if w.Note != nil {
		w.Note(line)
	}
}

func (w *Watcher) connected(now bool) {
	if w.Connected != nil {
		w.Connected(now)
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

// reportGap reports that writes may be missing, and makes the next run list the objects. After a
// restore, no version that was seen before counts.
func (w *Watcher) reportGap(restored bool) {
	if w.position == "" && !restored {
		return
	}
	w.position = ""
	w.Report(Event{Type: watch.Error, Restored: restored})
	if restored {
		w.positionNumber, w.olderCount = 0, 0
		for key, known := range w.seen {
			w.seen[key] = objectVersion{uid: known.uid}
		}
	}
}

// checkVersion returns an error if the server does not have the version yet from which the next
// watch starts. Servers open a watch from a version of the future, and send nothing before it.
func (w *Watcher) checkVersion(ctx context.Context) error {
	page, err := w.Resource.List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return err
	}
	if w.isOlder(page) {
		return errOlder
	}
	w.unsure, w.olderCount = false, 0
	return nil
}

// isOlder reports whether a list shows an earlier state than the one that was reported.
func (w *Watcher) isOlder(page *unstructured.UnstructuredList) bool {
	n := integer.OfVersion(page.GetResourceVersion())
	return n != 0 && n < w.positionNumber
}

// wasNewer reports whether a listed object was seen in a later version. It was restored from a backup
// then, although the list may be newer: a restore may raise the versions of later writes.
func (w *Watcher) wasNewer(u unstructured.Unstructured) bool {
	known, n := w.seen[u.GetNamespace()+"/"+u.GetName()], integer.OfVersion(u.GetResourceVersion())
	return n != 0 && known.uid == string(u.GetUID()) && n < integer.OfVersion(known.version)
}

// follow lists if no position is known, and watches until the watch ends. news
// is true if the watch delivered an event.
func (w *Watcher) follow(ctx context.Context) (news bool, err error) {
	switch {
	case w.position == "":
		err = w.list(ctx)
	case w.unsure:
		err = w.checkVersion(ctx)
	}
	if err != nil {
		return false, err
	}
	seconds := int64((watchTime + rand.N(watchTime)).Seconds())
	from, err := w.Resource.Watch(ctx, metav1.ListOptions{ResourceVersion: w.position, AllowWatchBookmarks: true, TimeoutSeconds: &seconds})
	if err != nil {
		return false, err
	}
	defer from.Stop()
	w.opened = true
	w.connected(true)
	quiet := time.NewTimer(quietTimeout)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return news, ctx.Err()
		case <-quiet.C: // the connection may be dead, or the version of the future
			w.unsure = true
			return news, nil
		case e, open := <-from.ResultChan():
			if !open && !news {
				return false, errShort
			}
			if !open {
				return true, nil
			}
			if err := w.handleEvent(e); err != nil {
				return news, err
			}
			news = true
			quiet.Reset(quietTimeout)
		}
	}
}

// handleEvent handles a watch event.
func (w *Watcher) handleEvent(e watch.Event) error {
	if e.Type == watch.Error {
		return apierrors.FromObject(e.Object)
	}
	u, err := asUnstructured(e.Object)
	if err != nil {
		return err
	}
	if e.Type != watch.Bookmark {
		w.reportVersion(e.Type, u, false)
	}
	w.advance(u.GetResourceVersion())
	return nil
}

// asUnstructured returns an object, or the metadata of an object, as maps.
func asUnstructured(o runtime.Object) (*unstructured.Unstructured, error) {
	switch o := o.(type) {
	case *unstructured.Unstructured:
		return o, nil
	case *metav1.PartialObjectMetadata:
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
		return &unstructured.Unstructured{Object: content}, err
	}
	return nil, fmt.Errorf("want an object, have %T", o)
}

// advance updates the position of the watch.
func (w *Watcher) advance(version string) {
	n := integer.OfVersion(version)
	if version == "" || n != 0 && n < w.positionNumber {
		return
	}
	w.position, w.positionNumber, w.lastNote = version, n, ""
}

// reportVersion reports a version of an object, unless it was reported before.
func (w *Watcher) reportVersion(t watch.EventType, u *unstructured.Unstructured, ok bool) {
	key, version := u.GetNamespace()+"/"+u.GetName(), u.GetResourceVersion()
	known, n := w.seen[key], integer.OfVersion(version)
	isOther := known.uid != "" && known.uid != string(u.GetUID())
	if isOther && (ok || t != watch.Deleted && n > integer.OfVersion(known.version)) {
		w.reportDeleted(key, known) // another object has its name now
		known = objectVersion{}
	}
	switch {
	case known.uid == "" && t == watch.Deleted,
		known.uid == "" && !ok && n != 0 && n <= w.positionNumber,
		known.uid != "" && (known.version == version || n != 0 && n <= integer.OfVersion(known.version)):
		return
	case known.uid == "":
		t = watch.Added
	case t == watch.Added:
		t = watch.Modified // it existed before a gap
	}
	if w.seen[key] = (objectVersion{string(u.GetUID()), version}); t == watch.Deleted {
		delete(w.seen, key)
	}
	u.SetGroupVersionKind(w.Kind)
	w.Report(Event{Type: t, Object: u, Existing: ok && !w.listedOnce})
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

// list lists all objects, and reports the versions that were not reported before.
func (w *Watcher) list(ctx context.Context) error {
	listed, version := map[string]bool{}, ""
	err := connection.EachPage(ctx, metav1.ListOptions{}, w.Resource.List, func(page *unstructured.UnstructuredList, isFirst bool) error {
		switch {
		case w.isOlder(page):
			return errOlder
		case slices.ContainsFunc(page.Items, w.wasNewer):
			w.reportGap(true)
			return errRestored
		}
		for i := range page.Items {
			u := &page.Items[i]
			listed[u.GetNamespace()+"/"+u.GetName()] = true
			w.reportVersion(watch.Added, u, true)
		}
		version = page.GetResourceVersion()
		return nil
	})
	if errors.Is(err, errRestored) {
		return w.list(ctx) // now no object was newer
	}
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(w.seen)) {
		if !listed[key] {
			w.reportDeleted(key, w.seen[key])
		}
	}
	w.advance(version)
	w.position, w.listedOnce, w.unsure, w.olderCount = version, true, false, 0
	if w.Listed != nil {
		w.Listed()
	}
	return nil
}
