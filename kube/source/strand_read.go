package source

import (
	"context"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/observe"
)

// A round is what a strand reads at one cover. Unlike a target, a part that is
// missed costs a verdict nothing but its explanation, so a watch is believed.
type round struct {
	strand *strand
	link   *link
	scope  scope
	plain  bool            // list instead of having the list streamed
	listed map[string]bool // while the parts are listed: those that matter, by name
}

// follow lists and watches until ctx ends.
func (s *strand) follow(ctx context.Context, c *cover) {
	f := s.family
	r := &round{strand: s, link: f.all.link, scope: scope{
		mapping:   &meta.RESTMapping{Resource: s.resource, GroupVersionKind: s.resource.GroupVersion().WithKind(s.kind.Kind), Scope: meta.RESTScopeNamespace},
		namespace: f.namespace,
		match:     observe.Matching(c.String(), ""),
		lean:      s.kind == replicaSetKind, // its revision and its owner are in the metadata
	}}
	backoff := firstPause
	for ctx.Err() == nil {
		began := time.Now()
		listed, err := r.read(ctx)
		wait := backoff/2 + rand.N(backoff)
		if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
			wait = max(wait, time.Duration(seconds)*time.Second)
		}
		backoff = min(2*backoff, openPause)
		switch {
		case listed && r.link.every > 0:
			wait = r.link.every
		case listed && refused(err):
			wait = partsPoll
		case refused(err):
			s.bar(ctx, err)
			wait = partsProbe
		case expired(err), time.Since(began) > openPause:
			backoff = firstPause
		}
		pause(ctx, wait)
	}
}

// read lists the parts and watches them until something goes wrong. It returns
// whether they have been listed.
func (r *round) read(ctx context.Context) (listed bool, err error) {
	version := ""
	r.listed = map[string]bool{}
	if r.plain || r.link.every > 0 || r.link.unstreamed.Load() {
		if version, err = r.link.list(ctx, r.scope, r.see); err != nil {
			return false, err
		}
		r.end()
	}
	for r.link.every == 0 {
		w, err := r.link.watch(ctx, r.scope, version)
		if err == nil {
			version, err = r.hear(ctx, w, version)
		}
		if err != nil && version == "" && !r.plain && ctx.Err() == nil {
			r.plain = true // whatever stands in the way of streaming, the next attempt is without
			return r.read(ctx)
		}
		if err != nil {
			return version != "", err
		}
	}
	return true, nil
}

// hear takes what a watch tells until it ends, and returns up to which version
// that is; none if the list that it began with has not come to its end.
func (r *round) hear(ctx context.Context, w watch.Interface, version string) (string, error) {
	defer drain(w)
	stalled := time.NewTimer(stall)
	defer stalled.Stop()
	for began, events := time.Now(), 0; ; events++ {
		select {
		case <-ctx.Done():
			return version, ctx.Err()
		case <-stalled.C:
			if version == "" {
				return "", errStall
			}
		case e, ok := <-w.ResultChan():
			switch {
			case !ok && (version == "" || short(events, began)):
				return version, errShort
			case !ok:
				return version, nil
			case e.Type == watch.Error:
				return version, apierrors.FromObject(e.Object)
			}
			version = r.event(e, version)
			if version == "" {
				stalled.Reset(stall)
			}
		}
	}
}

// event takes one event of a watch, and returns up to which version all has
// been seen.
func (r *round) event(e watch.Event, version string) string {
	o, ok := e.Object.(metav1.Object)
	if !ok {
		return version
	}
	switch e.Type {
	case watch.Added, watch.Modified:
		r.see(o)
	case watch.Deleted:
		r.lose(o)
	case watch.Bookmark:
		if version == "" && endsList(o) {
			r.end()
			return o.GetResourceVersion()
		}
	}
	if version == "" {
		return ""
	}
	return o.GetResourceVersion()
}

// see takes note of a part as it is.
func (r *round) see(o metav1.Object) {
	f, matters := r.strand.family, false
	switch o := o.(type) {
	case *unstructured.Unstructured:
		u := &unstructured.Unstructured{Object: o.Object} // o is used for another one
		if r.strand.kind == endpointSlice {
			matters = f.sawSlice(u, false)
		} else {
			matters = f.sawPod(u)
		}
	case *metav1.PartialObjectMetadata:
		matters = f.sawSet(o, false)
	}
	if r.listed != nil && matters {
		r.listed[o.GetName()] = true
	}
}

// lose takes note that a part is gone.
func (r *round) lose(o metav1.Object) {
	f := r.strand.family
	delete(r.listed, o.GetName())
	switch o := o.(type) {
	case *unstructured.Unstructured:
		if r.strand.kind == endpointSlice {
			f.sawSlice(o, true)
		} else {
			f.lostPod(o.GetName())
		}
	case *metav1.PartialObjectMetadata:
		f.sawSet(o, true)
	}
}

// end takes note that all parts there are have been seen.
func (r *round) end() {
	r.strand.family.only(r.strand.kind, r.listed)
	r.strand.unbar()
	r.listed = nil
}
