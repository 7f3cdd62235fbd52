package stream

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
)

// follow sends the events of w until it ends, and keeps the version of the last one.
func (s *Stream) follow(ctx context.Context, w watch.Interface, version *string, sink Sink) error {
	defer w.Stop()
	quiet := time.NewTimer(Quiet)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-quiet.C:
			if sink.Stale(ctx) {
				return errStale
			}
			quiet.Reset(Quiet)
		case e, ok := <-w.ResultChan():
			if !ok {
				return nil
			}
			quiet.Reset(Quiet)
			u, err := s.handle(e, sink)
			if err != nil {
				return err
			}
			*version = u.GetResourceVersion()
		}
	}
}

// handle sends the object of an event, and returns it.
func (s *Stream) handle(e watch.Event, sink Sink) (*unstructured.Unstructured, error) {
	if e.Type == watch.Error {
		return nil, apierrors.FromObject(e.Object)
	}
	u, ok := e.Object.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("watch of %s: want an unstructured object, have %T", s.Kind, e.Object)
	}
	switch e.Type {
	case watch.Added, watch.Modified:
		s.send(u, sink)
	case watch.Deleted:
		if s.Wants == nil || s.Wants(u) {
			sink.Deleted(u)
		}
	}
	return u, nil
}
