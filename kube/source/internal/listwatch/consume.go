package listwatch

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/integer"
)

// consume reads the events of a watch until it ends, and verifies the watch while it is open. At
// most one verification runs at a time.
func (s *Stream) consume(ctx context.Context, w watch.Interface) error {
	ctx, cancel := context.WithCancel(ctx)
	results := make(chan verified, 1)
	verifying := false
	defer func() {
		cancel()
		if verifying {
			<-results
		}
		drain(w)
	}()
	began, news := time.Now(), false
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if !verifying {
			timer.Reset(s.untilVerification())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e, ok := <-w.ResultChan():
			if !ok && !news && time.Since(began) < minWatchTime {
				return errShort
			}
			if !ok {
				return nil
			}
			news = news || e.Type != watch.Bookmark
			if err := s.event(e); err != nil {
				return err
			}
		case <-timer.C:
			if s.position.listing {
				s.position.noStreaming = true
				return errStall
			}
			if v, ok := s.verification(); ok {
				verifying = true
				crash.Go(func() { results <- s.verify(ctx, v) })
			}
		case result := <-results:
			verifying = false
			if err := s.apply(result); err != nil {
				return err
			}
		}
	}
}

// drain stops a watch and reads its remaining events, so that its goroutine ends.
func drain(w watch.Interface) {
	w.Stop()
	for range w.ResultChan() {
	}
}

// endsList reports whether a bookmark ends a streamed list.
func endsList(o metav1.Object) bool {
	return o.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true"
}

// event handles one event of a watch.
func (s *Stream) event(e watch.Event) error {
	if e.Type == watch.Error {
		return apierrors.FromObject(e.Object)
	}
	o, ok := e.Object.(metav1.Object)
	if !ok {
		return fmt.Errorf("read %s: want an object, have %T", s.Scope.Kind(), e.Object)
	}
	p := &s.position
	if p.listing {
		if err := s.countListed(e.Type); err != nil {
			return err
		}
	}
	switch e.Type {
	case watch.Added, watch.Modified:
		s.see(o)
	case watch.Deleted:
		if s.Sink.Wants(o.GetNamespace(), o.GetName()) {
			s.deletion(o)
		}
	case watch.Bookmark:
		if p.listing && endsList(o) {
			return s.complete(o.GetResourceVersion())
		}
	}
	if !p.listing {
		p.version = o.GetResourceVersion()
		p.highest = max(p.highest, integer.OfVersion(p.version))
	}
	return nil
}

// Limits of the events in a streamed list.
const (
	maxListed      = 1_000_000 // the same number as in a paged list
	maxListedNamed = 100       // for one object by its name
	maxMarks       = 100       // bookmarks that do not end it; servers send none
)

// countListed counts an event of a streamed list, and fails above the limit.
func (s *Stream) countListed(t watch.EventType) error {
	p, limit := &s.position, maxListed
	if s.Scope.Name != "" {
		limit = maxListedNamed
	}
	if t == watch.Bookmark {
		p.marks++
	} else {
		p.events++
		s.staleness.news()
	}
	if p.events > limit || p.marks > maxMarks {
		return errStall
	}
	return nil
}

// see passes an object to the Sink.
func (s *Stream) see(o metav1.Object) {
	s.unconfirmed.remove(Key{o.GetNamespace(), o.GetName()})
	if s.Sink.See(o) {
		s.staleness.news()
	}
}
