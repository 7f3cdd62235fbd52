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
	pageSize   = 500                    // how many objects are listed at once
	firstPause = 200 * time.Millisecond // before something is tried again, at first
	lastPause  = 30 * time.Second       // and at most
	watchTime  = 5 * time.Minute        // how long a watch lasts at least; at most twice as long
	mostQuiet  = 90 * time.Second       // servers say at least once a minute how far a watch has come
)

// A watching is the watch of one kind in one namespace, or in all.
type watching struct {
	subject
	namespace string
	resource  dynamic.ResourceInterface
	stream    *stream
	say       func(string)
	listed    func()

	began   bool            // all there was has been told
	watched bool            // a watch has been open
	version string          // up to which all has been told; empty: there must be a list
	high    uint64          // the same as a number; 0: it is none
	ahead   int             // how often in a row the server did not know that version yet
	seen    map[string]seen // the objects there are, by namespace/name
	told    string          // what was said last of trouble
}

// seen is what is kept of an object.
type seen struct {
	uid, version string
}

var errShort = errors.New("the watch ended at once")

// run watches until ctx ends, again and again. It returns early only where the
// kind may not be read at all, or is not served.
func (w *watching) run(ctx context.Context) error {
	pause := firstPause
	for {
		opened := time.Now()
		news, err := w.follow(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case denied(err) && !w.watched:
			err = fmt.Errorf("%s cannot be watched: %w", w.where(), err)
			w.say(err.Error())
			return err
		case expired(err):
			w.lose()
			err = nil
		case apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge):
			if w.ahead++; w.ahead > 3 { // the server has lost its history, as when it was restored
				w.lose()
				w.high = 0
			}
		}
		if news || time.Since(opened) > lastPause {
			pause, w.ahead = firstPause, 0
		}
		wait := pause/2 + rand.N(pause)
		if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
			wait = max(wait, time.Duration(seconds)*time.Second)
		}
		pause = min(2*pause, lastPause)
		w.complain(err)
		if !sleep(ctx, wait) {
			return nil
		}
	}
}

// complain says what goes wrong, once.
func (w *watching) complain(err error) {
	if err == nil || errors.Is(err, errShort) || err.Error() == w.told {
		return
	}
	w.told = err.Error()
	w.say(fmt.Sprintf("%s: %v; it is tried again", w.where(), err))
}

// where names what is watched as kubectl would: "lamps.example.com in namespace shop".
func (w *watching) where() string {
	if w.namespace == "" {
		return w.String()
	}
	return w.String() + " in namespace " + w.namespace
}

// lose says that writes may be missing, and has the objects listed anew.
func (w *watching) lose() {
	if w.version == "" {
		return
	}
	w.version = ""
	about := map[string]any{"apiVersion": w.resourceVersion(), "kind": w.kind}
	if w.namespace != "" {
		about["metadata"] = map[string]any{"namespace": w.namespace}
	}
	w.stream.tell(audit.Write{Type: audit.Gap, Object: about})
}

func (w *watching) resourceVersion() string { return w.subject.resource.GroupVersion().String() }

// follow lists if there must be a list, and watches until the watch ends; news
// if it was told anything.
func (w *watching) follow(ctx context.Context) (news bool, err error) {
	if w.version == "" {
		if err := w.list(ctx); err != nil {
			return false, err
		}
	}
	seconds := int64((watchTime + rand.N(watchTime)).Seconds())
	from, err := w.resource.Watch(ctx, metav1.ListOptions{ResourceVersion: w.version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds})
	if err != nil {
		return false, err
	}
	defer from.Stop()
	w.watched = true
	quiet := time.NewTimer(mostQuiet)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return news, ctx.Err()
		case <-quiet.C: // it may be that nobody is there any more
			return news, nil
		case e, open := <-from.ResultChan():
			if !open && !news {
				return false, errShort
			}
			if !open {
				return true, nil
			}
			if err := w.hear(e); err != nil {
				return news, err
			}
			news = true
			quiet.Reset(mostQuiet)
		}
	}
}

// types says which events are about a version of an object.
var types = map[watch.EventType]audit.Type{watch.Added: audit.Added, watch.Modified: audit.Modified, watch.Deleted: audit.Deleted}

// hear takes an event.
func (w *watching) hear(e watch.Event) error {
	if e.Type == watch.Error {
		return apierrors.FromObject(e.Object)
	}
	u, ok := e.Object.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("want an object, have %T", e.Object)
	}
	if t, about := types[e.Type]; about {
		w.take(t, u, false)
	}
	w.advance(u.GetResourceVersion())
	return nil
}

// advance notes how far the watch has come.
func (w *watching) advance(version string) {
	n := number(version)
	if version == "" || n != 0 && n < w.high {
		return
	}
	w.version, w.high, w.told = version, n, ""
}

// take tells of a version, unless it has been told before.
func (w *watching) take(t audit.Type, u *unstructured.Unstructured, there bool) {
	key, version := u.GetNamespace()+"/"+u.GetName(), u.GetResourceVersion()
	known, n := w.seen[key], number(version)
	if known.uid != "" && known.uid != string(u.GetUID()) && there {
		w.gone(key, known) // and this one has come in its place
		known = seen{}
	}
	switch {
	case known.uid == "" && t == audit.Deleted,
		known.uid == "" && !there && n != 0 && n <= w.high,
		known.uid != "" && (known.version == version || n != 0 && n <= number(known.version)):
		return
	case known.uid == "":
		t = audit.Added
	case t == audit.Added:
		t = audit.Modified // it was there before a gap
	}
	if w.seen[key] = (seen{string(u.GetUID()), version}); t == audit.Deleted {
		delete(w.seen, key)
	}
	u.SetGroupVersionKind(w.subject.resource.GroupVersion().WithKind(w.kind))
	w.stream.tell(audit.Write{Type: t, Object: u.Object, Existing: there && !w.began, Related: w.related})
}

// gone tells that an object went while nobody looked. There is no more of it
// than what names it.
func (w *watching) gone(key string, s seen) {
	delete(w.seen, key)
	namespace, name := split(key)
	object := bare(map[string]any{"apiVersion": w.resourceVersion(), "kind": w.kind,
		"metadata": map[string]any{"namespace": namespace, "name": name, "uid": s.uid, "resourceVersion": s.version}})
	w.stream.tell(audit.Write{Type: audit.Deleted, Object: object, Related: w.related})
}

// list tells of all objects whose version has not been told.
func (w *watching) list(ctx context.Context) error {
	there := map[string]bool{}
	for o := (metav1.ListOptions{Limit: pageSize}); ; {
		page, err := w.resource.List(ctx, o)
		switch {
		case expired(err) && o.Limit > 0:
			o.Limit, o.Continue = 0, "" // it has taken too long for pages
			continue
		case err != nil:
			return err
		}
		for i := range page.Items {
			u := &page.Items[i]
			there[u.GetNamespace()+"/"+u.GetName()] = true
			w.take(audit.Added, u, true)
		}
		if o.Continue = page.GetContinue(); o.Continue != "" {
			continue
		}
		for _, key := range sortedKeys(w.seen) {
			if !there[key] {
				w.gone(key, w.seen[key])
			}
		}
		w.advance(page.GetResourceVersion())
		w.version, w.began = page.GetResourceVersion(), true
		w.listed()
		return nil
	}
}

// expired reports whether the server does not remember that far back.
func expired(err error) bool { return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) }

// number reads a version, which the versions of one kind can be ordered by; 0
// if it is not a number, as those of some aggregated APIs are not.
func number(version string) uint64 {
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
