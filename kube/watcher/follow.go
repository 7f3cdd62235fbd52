package watcher

import (
	"cmp"
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/crash"
)

// follow reads the events of a watch until it ends, and verifies the watch while it is open. At most
// one verification runs at a time.
func (s *Stream) follow(ctx context.Context, w watch.Interface) error {
	ctx, cancel := context.WithCancel(ctx)
	results := make(chan func() error, 1)
	verifying := false
	defer func() {
		cancel()
		if verifying {
			<-results
		}
		drain(w)
	}()
	verifier := s.verifier()
	verifier.Event()
	began, event, news := time.Now(), false, false
	last := began // the time of the last event of a streamed list
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		switch {
		case s.position.listing:
			timer.Reset(time.Until(last.Add(cmp.Or(s.Silence, listSilence))))
		case !verifying:
			timer.Reset(max(0, verifier.Due()))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e, ok := <-w.ResultChan():
			if !ok && !news && time.Since(began) < minWatchTime {
				return ErrShort
			}
			if !ok {
				// A verifier notices by itself what a watch without an event means.
				s.position.unsure = !event && s.Verifier == nil
				return nil
			}
			if event = true; e.Type != watch.Bookmark {
				news, last = true, time.Now()
			}
			verifier.Event()
			if err := s.handle(e); err != nil {
				return err
			}
		case <-timer.C:
			if s.position.listing {
				return errStall
			}
			if read := verifier.Verify(); read != nil {
				verifying = true
				crash.Go(func() { results <- read(ctx) })
			}
		case apply := <-results:
			verifying = false
			if err := apply(); err != nil {
				return err
			}
		}
	}
}

// drain stops a watch and reads its remaining events, so that its goroutine ends. It gives up a watch
// that does not end.
func drain(w watch.Interface) {
	w.Stop()
	timer := time.NewTimer(drainTimeout)
	defer timer.Stop()
	for {
		select {
		case _, open := <-w.ResultChan():
			if !open {
				return
			}
		case <-timer.C:
			return
		}
	}
}

// handle handles an event of a watch.
func (s *Stream) handle(e watch.Event) (err error) {
	if e.Type == watch.Error {
		return apierrors.FromObject(e.Object)
	}
	o, ok := e.Object.(metav1.Object)
	if !ok {
		return fmt.Errorf("want an object, have %T", e.Object)
	}
	p := &s.position
	if p.listing {
		if err := p.count(e.Type); err != nil {
			return err
		}
	}
	switch e.Type {
	case watch.Added, watch.Modified:
		err = s.Sink.Object(o, p.listing)
	case watch.Deleted:
		err = s.Sink.Deleted(o)
	case watch.Bookmark:
		if p.listing && o.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
			return s.complete(o.GetResourceVersion())
		}
	}
	if err == nil && !p.listing {
		p.advance(o.GetResourceVersion())
		s.failures = 0
	}
	return err
}
