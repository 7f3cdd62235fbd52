package writes

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/audit"
)

const (
	pageSize     = 500                    // objects per page.
	firstPause   = 200 * time.Millisecond // first delay before a retry.
	lastPause    = 30 * time.Second       // longest delay.
	newsPause    = 2 * time.Second        // longest delay after a watch that has delivered something.
	watchTime    = 5 * time.Minute        // shortest duration of a watch; the longest is twice that.
	shortWatch   = 5 * time.Second        // after a watch of this duration, the next is opened at once.
	quietTimeout = 90 * time.Second       // servers send a bookmark at least once a minute.
)

// A watcher watches one kind in one namespace, or in all.
type watcher struct {
	watchedKind
	namespace string
	resource  dynamic.ResourceInterface
	stream    *stream
	note      func(string)
	listed    func()

	listedOnce     bool                     // all existing objects were reported.
	opened         bool                     // a watch has been open.
	position       string                   // the resourceVersion that was reported last; empty: list first.
	positionNumber uint64                   // position as a number; 0: it is not a number.
	tooNewCount    int                      // consecutive responses in which the server did not have that version yet.
	seen           map[string]objectVersion // existing objects by namespace/name.
	lastNote       string                   // the last reported error.
}

// objectVersion is the state that is kept of an object.
type objectVersion struct {
	uid, version string
}

var errShort = errors.New("the watch ended at once")

// run watches until ctx ends. It returns earlier only if the kind may not be
// read, or is not served.
func (w *watcher) run(ctx context.Context) error {
	pause := firstPause
	for {
		opened := time.Now()
		news, err := w.follow(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case isDenied(err) && !w.opened:
			err = fmt.Errorf("%s cannot be watched: %w", w.where(), err)
			w.note(err.Error())
			return err
		case isExpired(err):
			w.reportGap()
			err = nil
		case apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge):
			if w.tooNewCount++; w.tooNewCount > 3 { // the server has lost its history, as after a restore
				w.reportGap()
				w.positionNumber = 0
			}
		}
		if news {
			pause, w.tooNewCount = min(pause, newsPause), 0
		}
		if time.Since(opened) >= shortWatch { // whatever a shorter watch has delivered
			pause, w.tooNewCount = firstPause, 0
			if news && err == nil {
				continue
			}
		}
		wait := pause/2 + rand.N(pause)
		if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
			wait = max(wait, time.Duration(seconds)*time.Second)
		}
		pause = min(2*pause, lastPause)
		w.noteError(err)
		if !sleep(ctx, wait) {
			return nil
		}
	}
}

// noteError reports an error, unless it equals the last one.
func (w *watcher) noteError(err error) {
	if err == nil || errors.Is(err, errShort) || err.Error() == w.lastNote {
		return
	}
	w.lastNote = err.Error()
	w.note(fmt.Sprintf("%s: %v; trying again", w.where(), err))
}

// where names the watched kind as kubectl does: "lamps.example.com in namespace
// shop".
func (w *watcher) where() string {
	if w.namespace == "" {
		return w.String()
	}
	return w.String() + " in namespace " + w.namespace
}

// reportGap reports that writes may be missing, and makes the next run list the objects.
func (w *watcher) reportGap() {
	if w.position == "" {
		return
	}
	w.position = ""
	about := map[string]any{"apiVersion": w.resourceVersion(), "kind": w.kind}
	if w.namespace != "" {
		about["metadata"] = map[string]any{"namespace": w.namespace}
	}
	w.stream.report(audit.Write{Type: audit.WriteGap, Object: about})
}

func (w *watcher) resourceVersion() string { return w.watchedKind.resource.GroupVersion().String() }

// follow lists if no position is known, and watches until the watch ends. news
// is true if the watch delivered an event.
func (w *watcher) follow(ctx context.Context) (news bool, err error) {
	if w.position == "" {
		if err := w.list(ctx); err != nil {
			return false, err
		}
	}
	seconds := int64((watchTime + rand.N(watchTime)).Seconds())
	from, err := w.resource.Watch(ctx, metav1.ListOptions{ResourceVersion: w.position, AllowWatchBookmarks: true, TimeoutSeconds: &seconds})
	if err != nil {
		return false, err
	}
	defer from.Stop()
	w.opened = true
	quiet := time.NewTimer(quietTimeout)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return news, ctx.Err()
		case <-quiet.C: // the connection may be dead
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

// types maps watch events with an object to types of writes.
var types = map[watch.EventType]audit.WriteType{watch.Added: audit.WriteAdded, watch.Modified: audit.WriteModified, watch.Deleted: audit.WriteDeleted}

// handleEvent handles a watch event.
func (w *watcher) handleEvent(e watch.Event) error {
	if e.Type == watch.Error {
		return apierrors.FromObject(e.Object)
	}
	u, ok := e.Object.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("want an object, have %T", e.Object)
	}
	if t, about := types[e.Type]; about {
		w.reportVersion(t, u, false)
	}
	w.advance(u.GetResourceVersion())
	return nil
}

// advance updates the position of the watch.
func (w *watcher) advance(version string) {
	n := versionNumber(version)
	if version == "" || n != 0 && n < w.positionNumber {
		return
	}
	w.position, w.positionNumber, w.lastNote = version, n, ""
}

// reportVersion reports a version of an object, unless it was reported before.
func (w *watcher) reportVersion(t audit.WriteType, u *unstructured.Unstructured, ok bool) {
	key, version := u.GetNamespace()+"/"+u.GetName(), u.GetResourceVersion()
	known, n := w.seen[key], versionNumber(version)
	if known.uid != "" && known.uid != string(u.GetUID()) && ok {
		w.reportDeleted(key, known) // another object has its name now
		known = objectVersion{}
	}
	switch {
	case known.uid == "" && t == audit.WriteDeleted,
		known.uid == "" && !ok && n != 0 && n <= w.positionNumber,
		known.uid != "" && (known.version == version || n != 0 && n <= versionNumber(known.version)):
		return
	case known.uid == "":
		t = audit.WriteAdded
	case t == audit.WriteAdded:
		t = audit.WriteModified // it existed before a gap
	}
	if w.seen[key] = (objectVersion{string(u.GetUID()), version}); t == audit.WriteDeleted {
		delete(w.seen, key)
	}
	u.SetGroupVersionKind(w.watchedKind.resource.GroupVersion().WithKind(w.kind))
	w.stream.report(audit.Write{Type: t, Object: u.Object, Existing: ok && !w.listedOnce, Related: w.related})
}

// reportDeleted reports that an object was deleted while no watch was open.
// Only its identity is known.
func (w *watcher) reportDeleted(key string, s objectVersion) {
	delete(w.seen, key)
	namespace, name := split(key)
	object := identityOf(map[string]any{"apiVersion": w.resourceVersion(), "kind": w.kind,
		"metadata": map[string]any{"namespace": namespace, "name": name, "uid": s.uid, "resourceVersion": s.version}})
	w.stream.report(audit.Write{Type: audit.WriteDeleted, Object: object, Related: w.related})
}

// list lists all objects, and reports the versions that were not reported before.
func (w *watcher) list(ctx context.Context) error {
	ok := map[string]bool{}
	for o := (metav1.ListOptions{Limit: pageSize}); ; {
		page, err := w.resource.List(ctx, o)
		switch {
		case isExpired(err) && o.Limit > 0:
			o.Limit, o.Continue = 0, "" // listing in pages took too long
			continue
		case err != nil:
			return err
		}
		for i := range page.Items {
			u := &page.Items[i]
			ok[u.GetNamespace()+"/"+u.GetName()] = true
			w.reportVersion(audit.WriteAdded, u, true)
		}
		if o.Continue = page.GetContinue(); o.Continue != "" {
			continue
		}
		for _, key := range sortedKeys(w.seen) {
			if !ok[key] {
				w.reportDeleted(key, w.seen[key])
			}
		}
		w.advance(page.GetResourceVersion())
		w.position, w.listedOnce = page.GetResourceVersion(), true
		w.listed()
		return nil
	}
}

// isExpired reports whether the server no longer has that version.
func isExpired(err error) bool { return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) }

// versionNumber parses a resourceVersion. It returns 0 if it is not a number,
// as in some aggregated APIs.
func versionNumber(version string) uint64 {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
