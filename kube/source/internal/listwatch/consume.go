package listwatch

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// hear takes what a watch tells until it ends.
func (s *Stream) consume(ctx context.Context, w watch.Interface) error {
	ctx, cancel := context.WithCancel(ctx)
	looks := make(chan verified, 1)
	looking := false
	defer func() {
		cancel()
		if looking {
			<-looks
		}
		drain(w)
	}()
	began, events := time.Now(), 0
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if !looking {
			timer.Reset(s.next())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e, ok := <-w.ResultChan():
			if !ok && endedAtOnce(events, began) {
				return errShort
			}
			if !ok {
				return nil
			}
			events++
			if err := s.event(e); err != nil {
				return err
			}
		case <-timer.C:
			if s.listing {
				s.plain = true
				return errStall
			}
			if q, ok := s.verification(); ok {
				looking = true
				go func() { looks <- s.verify(ctx, q) }()
			}
		case l := <-looks:
			looking = false
			if err := s.apply(l); err != nil {
				return err
			}
		}
	}
}

// drain ends a watch, so that nothing of it outlives it.
func drain(w watch.Interface) {
	w.Stop()
	for range w.ResultChan() {
	}
}

// short reports whether a watch has ended at once. The server ends watches
// every few minutes, which is as it should be.
func endedAtOnce(events int, began time.Time) bool {
	return events == 0 && time.Since(began) < time.Second
}

// endsList reports whether a bookmark ends a list that is streamed.
func endsList(o metav1.Object) bool {
	return o.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true"
}

// event takes one event of a watch.
func (s *Stream) event(e watch.Event) error {
	if e.Type == watch.Error {
		return apierrors.FromObject(e.Object)
	}
	o, ok := e.Object.(metav1.Object)
	if !ok {
		return fmt.Errorf("read %s: want an object, have %T", s.Scope.Kind(), e.Object)
	}
	if s.listing {
		s.staleness.news()
	}
	switch e.Type {
	case watch.Added, watch.Modified:
		s.see(o)
	case watch.Deleted:
		if s.Sink.Wants(o.GetNamespace(), o.GetName()) {
			s.unconfirm(o)
		}
	case watch.Bookmark:
		if s.listing && endsList(o) {
			return s.complete(o.GetResourceVersion())
		}
	}
	if !s.listing {
		s.version = o.GetResourceVersion()
		s.high = max(s.high, VersionOf(s.version))
	}
	return nil
}

// see gives an object to the sink.
func (s *Stream) see(o metav1.Object) {
	delete(s.unconfirmed, Key{o.GetNamespace(), o.GetName()})
	if s.Sink.See(o) {
		s.staleness.news()
	}
}

// expired reports whether a watch cannot go on from where it was.
func isExpired(err error) bool { return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) }
