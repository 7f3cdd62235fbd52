package listwatch

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/integer"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/observe"
)

// A Sink receives what a Stream reads. A Stream makes one call at a time.
type Sink interface {
	// Wants reports whether an object is of interest.
	Wants(namespace, name string) bool
	// Begin precedes a list of all objects.
	Begin()
	// See receives an object. It reports whether the object is new to the Sink.
	See(o metav1.Object) (news bool)
	// Lose receives a confirmed deletion.
	Lose(namespace, name string, version uint64)
	// End follows the list that Begin preceded, and is the list's version.
	End(version uint64)
	// Fail receives the reason why the objects cannot be read at the moment.
	Fail(why *observe.Unreadable, err error)
	// Forget invalidates the versions seen so far: the server has lost its history.
	Forget()
	// Pending returns the versions of the objects of which no change may be missed, 0 for an object
	// that does not exist. It also reports whether any of them is pending.
	Pending() (versions map[Key]uint64, any bool)
}

// A Stream lists and watches the objects of a scope. Client, Scope and Sink are required.
type Stream struct {
	Client *client.Session
	Scope  client.Scope
	Sink   Sink
	Note   string // sent to the client's notes after the first read
	Options

	position              position
	refusal               refusal
	staleness             stalenessTimer
	unconfirmed           unconfirmed
	watched               bool          // a watch has been opened before
	reopenPause           time.Duration // after the next short watch; zero: the last one was not short
	verificationForbidden bool          // verification is forbidden
}

// Options configure a Stream.
type Options struct {
	WholeScope   bool          // the Sink wants every object of the scope
	NoFallback   bool          // the scope has no fallback: forbidden requests are failures, and are retried
	TrustWatches bool          // trust watches, since a missed change costs little; also send no notes
	PollPause    time.Duration // between lists of a scope that may not be watched
	RefusedPause time.Duration // before a refused list is tried again; zero: as after any failure
}

var (
	errMissed = errors.New("the watch has missed a change")
	errOlder  = errors.New("the list is older than an earlier one")
	errShort  = errors.New("the watch ended at once")
	errStall  = errors.New("the list does not come to its end")
)

// Run reads until ctx ends, and reports failures to the Sink. It returns earlier with an error that
// the caller must handle. Such errors are a forbidden list unless Last is set, a kind that is not
// served, an unsupported selector, and lost credentials.
func (s *Stream) Run(ctx context.Context) error {
	pause := FirstPause
	for {
		began := time.Now()
		err := s.listAndWatch(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if s.isReturned(err) {
			return err
		}
		if time.Since(began) > PendingPause {
			pause = FirstPause
		}
		wait := s.fail(ctx, err, &pause, s.position.listed.After(began))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// isReturned reports whether Run returns the error.
func (s *Stream) isReturned(err error) bool {
	switch {
	case apierrors.IsNotFound(err), s.Client.Credentials.Lost(err):
		return true
	case connection.IsRefused(err):
		return !s.NoFallback
	case client.IsUnselectable(err):
		return s.Scope.Name != "" && !s.NoFallback
	}
	return false
}

// fail reports an error to the Sink and returns how long to wait before the next
// attempt. If a list was complete in the meantime, only the watch has failed: it
// is retried without a report.
func (s *Stream) fail(ctx context.Context, err error, pause *time.Duration, listed bool) time.Duration {
	wait := *pause/2 + rand.N(*pause)
	*pause = min(2**pause, LastPause)
	switch {
	case errors.Is(err, errMissed), connection.IsExpired(err):
		s.position.version = ""
		return wait / 5
	case errors.Is(err, errOlder):
		s.position.version = ""
		if s.position.older++; s.position.older > 2 { // the server has lost its history, for example in a restore
			s.position.highest = 0
			s.Sink.Forget()
		}
	}
	verb := "watch"
	if s.position.version == "" {
		verb = "list"
	}
	s.position.version = "" // after a failure, every object is reported again
	if !listed || connection.IsRefused(err) {
		s.Sink.Fail(s.Client.Unreadable(ctx, s.Scope, verb, err), err)
	}
	if _, pending := s.Sink.Pending(); pending && !connection.IsRefused(err) {
		*pause = min(*pause, PendingPause)
		wait = min(wait, PendingPause)
	}
	if connection.IsRefused(err) && s.RefusedPause > 0 {
		wait = s.RefusedPause
	}
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
		wait = max(wait, time.Duration(seconds)*time.Second)
	}
	return wait
}

// listAndWatch lists, and watches from the version of the list until an error.
func (s *Stream) listAndWatch(ctx context.Context) error {
	for {
		w, err := s.open(ctx)
		switch {
		case err != nil:
			return err
		case w == nil:
			continue
		}
		opened := time.Now()
		err = s.consume(ctx, w)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case s.position.listing: // the streamed list was not complete, for whatever reason
			s.position.noStreaming = true
			continue
		case time.Since(opened) > PendingPause:
			s.position.noStreaming = false
		}
		if err == nil {
			err = s.pauseAfter(ctx, time.Since(opened))
		}
		if err != nil {
			return err
		}
	}
}

// pauseAfter waits after a watch has ended without an error, unless it lasted as long as servers
// permit. The delay doubles with each short watch, whatever events it had.
func (s *Stream) pauseAfter(ctx context.Context, lasted time.Duration) error {
	if lasted >= shortWatch {
		s.reopenPause = 0
		return nil
	}
	limit := LastPause
	if _, pending := s.Sink.Pending(); pending {
		limit = PollPause
	}
	s.reopenPause = min(max(2*s.reopenPause, firstReopen), limit)
	if !sleep.For(ctx, Jitter(s.reopenPause)) {
		return ctx.Err()
	}
	return nil
}

// open opens a watch. It returns nil if it has listed instead, or has to use another way.
func (s *Stream) open(ctx context.Context) (watch.Interface, error) {
	if s.Client.Every > 0 || s.refusal.isActive() {
		return nil, s.poll(ctx)
	}
	p := &s.position
	p.events, p.marks = 0, 0
	p.listing = p.version == "" && !p.noStreaming && !s.Client.Unstreamed.Load()
	if p.version == "" && !p.listing {
		if err := s.list(ctx); err != nil {
			return nil, err
		}
	}
	if s.watched && s.Client.PaceWatches(ctx) != nil {
		return nil, ctx.Err()
	}
	s.watched = true
	w, err := s.Client.Watch(ctx, s.Scope, p.version)
	switch {
	case err == nil:
		s.refusal = refusal{}
		if p.listing {
			s.staleness.news()
			s.begin()
		}
		return w, nil
	case connection.IsRefused(err):
		s.refusal.extend(err)
		return nil, nil
	case p.listing && client.IsUnselectable(err):
		p.noStreaming = true
		if s.Scope.Name == "" && !s.Scope.HasSelector() {
			s.Client.Unstreamed.Store(true)
		}
		return nil, nil
	case p.listing:
		p.noStreaming = true // the next attempt does not stream
	}
	return nil, err
}

// begin begins a list of all objects. The list confirms earlier deletions, but not those during
// a streamed list.
func (s *Stream) begin() {
	s.unconfirmed.clear()
	s.Sink.Begin()
}

// list reads all objects of the scope.
func (s *Stream) list(ctx context.Context) error {
	s.begin()
	version, err := s.Client.List(ctx, s.Scope, s.see)
	if err != nil {
		return err
	}
	return s.complete(version)
}

// complete ends a list of all objects at a version.
func (s *Stream) complete(version string) error {
	n := integer.OfVersion(version)
	if n != 0 && n < s.position.highest {
		return errOlder
	}
	s.position = position{version: version, highest: n, listed: time.Now(), noStreaming: s.position.noStreaming}
	s.staleness.checked()
	s.Client.Notes.Once(s.Note)
	s.Sink.End(n)
	return nil
}

// poll lists, and pauses. The longer a list takes, the longer it pauses.
func (s *Stream) poll(ctx context.Context) error {
	began := time.Now()
	s.position.version = ""
	if err := s.list(ctx); err != nil {
		return err
	}
	took := time.Since(began)
	wait := max(s.Client.Every-took, took)
	if s.Client.Every == 0 {
		if !s.TrustWatches {
			s.Client.Notes.Once(s.Client.Unreadable(ctx, s.Scope, "watch", s.refusal.err).Text + ": it is listed every few seconds")
		}
		wait = Jitter(max(s.PollPause, 10*took))
	}
	if !sleep.For(ctx, wait) {
		return ctx.Err()
	}
	return s.Client.Pace(ctx)
}
