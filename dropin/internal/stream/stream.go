// Package stream lists and watches the objects of one kind in one scope.
//
// A Stream sends one request where the server streams the first objects, and otherwise lists
// pages. It watches again from its last version after each interruption, and lists again only
// when that version has expired or a check finds a difference. stream.go has the life of a
// stream, initial.go how it begins, and follow.go how it continues.
package stream

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/kube/connection"
)

// Quiet is how long a watch may be silent before its targets are checked.
const Quiet = 30 * time.Second

// A Sink receives the objects of a Stream. Its methods are called on one goroutine.
type Sink interface {
	Begin()                            // all objects follow
	Object(*unstructured.Unstructured) // exists in this state
	Deleted(*unstructured.Unstructured)
	End() // all objects have been sent, and later changes will be

	// Fail receives an error and reports whether the stream continues after a pause.
	Fail(error) (again bool)

	// Stale reports whether a read shows that changes are missing.
	Stale(context.Context) bool
}

// A Stream reads the objects of one kind in one scope.
type Stream struct {
	Objects dynamic.ResourceInterface
	Kind    string // names the kind in errors
	Options metav1.ListOptions
	Wants   func(*unstructured.Unstructured) bool // other objects are dropped at once

	// Streaming requests the first objects as events. The stream sets it to false if the server
	// does not support that.
	Streaming bool

	listNext bool // watches do not work
}

var (
	errStale   = errors.New("a read shows changes that the watch did not send")
	errNoWatch = errors.New("watches end before they send anything")
)

// Run reads until ctx ends, or until sink does not continue after an error.
func (s *Stream) Run(ctx context.Context, sink Sink) {
	var pause Pause
	for ctx.Err() == nil {
		begin := time.Now()
		err := s.listAndWatch(ctx, sink)
		s.listNext = errors.Is(err, errNoWatch)
		longest := maxPause
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, errNoWatch): // lists replace the watches
			longest = listPause
		case err == nil, connection.IsExpired(err), errors.Is(err, errStale):
		case !sink.Fail(err):
			return
		}
		if time.Since(begin) > 20*time.Second {
			pause = Pause{}
		}
		pause.Wait(ctx, longest)
	}
}

const (
	maxShort  = 2                // watches in a row that end without an event, before a list
	longWatch = 10 * time.Second // a watch that lasts longer is not short
	nextPause = 2 * time.Second  // the longest pause between two watches
	listPause = 4 * time.Second  // the longest pause between lists that replace watches
)

// listAndWatch reads until the objects must be listed again.
func (s *Stream) listAndWatch(ctx context.Context, sink Sink) error {
	w, version, err := s.initial(ctx, sink)
	if err != nil {
		return err
	}
	sink.End()
	var pause Pause
	for short := 0; ; {
		begin, before := time.Now(), version
		if w != nil {
			err = s.follow(ctx, w, &version, sink)
		}
		if ctx.Err() != nil || version == "" || version == "0" || permanent(err) {
			return err
		}
		switch {
		case time.Since(begin) > longWatch:
			pause, short = Pause{}, 0
		case version != before:
			short = 0
		default:
			if short++; short > maxShort {
				return errNoWatch
			}
		}
		pause.Wait(ctx, nextPause)
		if w, err = s.watch(ctx, version); permanent(err) {
			return err
		}
	}
}

// permanent reports whether a watch cannot continue from its version.
func permanent(err error) bool {
	return err != nil && (errors.Is(err, errStale) || connection.IsExpired(err) || apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) ||
		apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err) || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err))
}

// A Pause grows with each use, from a moment to a limit.
type Pause struct{ last time.Duration }

const (
	firstPause = 200 * time.Millisecond
	maxPause   = 15 * time.Second // after errors
)

// Wait waits until the pause is over or ctx ends. A pause is not longer than longest, except for a
// random part.
func (p *Pause) Wait(ctx context.Context, longest time.Duration) {
	p.last = min(max(firstPause, 2*p.last), longest)
	t := time.NewTimer(p.last + rand.N(p.last/4+1))
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
