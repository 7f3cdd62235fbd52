package watcher

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/connection"
)

// A Stream lists and watches the objects of a scope, and continues after each interruption. It keeps
// no objects. Requests and Sink are required.
type Stream struct {
	Requests Requests
	Sink     Sink
	Options  metav1.ListOptions // the selectors of all requests

	// Unstreamed is true while the server does not stream lists. A Stream without selectors sets it.
	// Streams of one server may share it. Nil: lists are never streamed.
	Unstreamed *atomic.Bool
	// Silence is how long a streamed list may send nothing. Zero is 10 seconds.
	Silence time.Duration
	// Verifier finds changes that a watch has missed. Nil: a watch that is silent for too long is
	// opened again, if the server still has its position.
	Verifier Verifier
	// IsRestored, if set, reports whether a page of a list has objects from a backup. The server has
	// lost its history then.
	IsRestored func(page []metav1.Object) bool
	// AcceptOlder makes the first list of an earlier state count. Otherwise several in a row are needed,
	// since a server that lags behind others has earlier states too.
	AcceptOlder bool
	// Connected, if set, is called with true when a watch is open, and with false after a failure.
	Connected func(bool)

	// MaxPause returns the longest pause after an error, or after a short watch if err is nil. Nil:
	// UrgentPause and LastReopen.
	MaxPause func(err error) time.Duration
	// RefusedPause is the pause after a list that is refused. Zero: as after any failure.
	RefusedPause time.Duration
	// Every is the interval of lists in place of watches. Zero: watch.
	Every time.Duration
	// PollPause is the pause between lists while watches are refused. Zero: that is a failure.
	PollPause time.Duration
	// Pace, if set, waits until a request with this verb may be repeated.
	Pace func(ctx context.Context, verb string) error

	position position
	refusal  refusal
	verb     string    // of the last request: list or watch
	paced    bool      // a watch has been opened before
	began    time.Time // when the last pause after a failure was over
	failures int       // since a watch has sent an event, or lasted
	failure  Pause     // after a failure
	reopen   Pause     // after a short watch
}

// A Sink receives what a Stream reads, one call at a time.
type Sink interface {
	// Begin precedes a list of all objects. A list that fails is begun again.
	Begin()
	// Object receives a state of an object, in a list or by a watch. The Stream does not keep it.
	Object(o metav1.Object, listed bool) error
	// Deleted receives the last state of an object.
	Deleted(o metav1.Object) error
	// End follows the objects of a list, and has the version of the list.
	End(version string)
	// Lost is called when the server no longer has the position of the watch. A list follows, and some
	// versions may be missing. If restored is true, the server has lost its history, as after the
	// restore of a backup, and objects may have lower versions than before.
	Lost(restored bool)
	// Fail receives a failure, and returns what the Stream does after it.
	Fail(Failure) Reaction
}

// A Failure is why objects cannot be read at the moment.
type Failure struct {
	Err      error
	Verb     string // of the request: list or watch
	Streamed bool   // a list that the server was to stream could not begin
	Listed   bool   // since the last failure, all objects have been listed
	Count    int    // the failures since a watch has sent an event or lasted, with this one
}

// IsResumable reports whether a watch should be tried once more from its position: the one before has
// not failed, and another answer is possible.
func (f Failure) IsResumable() bool {
	return f.Verb == "watch" && f.Count == 1 && !errors.Is(f.Err, ErrShort) && !connection.IsRefused(f.Err) && !apierrors.IsUnauthorized(f.Err) &&
		!apierrors.IsNotFound(f.Err) && !connection.IsRejected(f.Err)
}

// A Reaction is what a Stream does after a failure and a pause.
type Reaction int

const (
	ReactionResume  Reaction = iota // watch from the last version
	ReactionList                    // list, so that each object is reported again
	ReactionListNow                 // the same, without a pause
	ReactionEnd                     // nothing: Run returns the error
)

var (
	// ErrMissed is the error of a watch that has missed a change. All objects are listed again.
	ErrMissed = errors.New("the watch has missed a change")
	// ErrShort is the error of a watch that ends at once and sends nothing.
	ErrShort = errors.New("the watch ended at once")

	errOlder    = errors.New("the server has an earlier state than before")
	errRestored = errors.New("the server has lost its history")
	errStall    = errors.New("the list does not come to its end")
	errQuiet    = errors.New("the watch is silent")
)

// maxOlder is how many answers in a row may show an earlier state. More mean that the server has been
// restored.
const maxOlder = 3

// Run reads until ctx ends. It returns earlier with an error after which the Sink wants to end.
func (s *Stream) Run(ctx context.Context) error {
	s.began = time.Now()
	for {
		opened, err := s.attempt(ctx)
		if ctx.Err() != nil {
			return nil
		}
		wait, end := s.next(opened, err)
		if end != nil {
			s.position.version = ""
			return end
		}
		if wait > 0 && !sleep.For(ctx, wait) {
			return nil
		}
		if err != nil {
			s.began = time.Now()
		}
	}
}

// Refused returns why watches are refused; nil if they are not.
func (s *Stream) Refused() error { return s.refusal.err }

// attempt lists if there is no position, and follows a watch until that ends. It returns when the
// watch was opened. It returns no error and no time if the next attempt has to use another way.
func (s *Stream) attempt(ctx context.Context) (opened time.Time, err error) {
	p := &s.position
	p.listing, p.events, p.marks = false, 0, 0
	if s.Every > 0 || s.refusal.isActive() {
		return opened, s.poll(ctx)
	}
	switch {
	case p.version == "" && !p.noStreaming && s.Unstreamed != nil && !s.Unstreamed.Load():
		p.listing, p.maxEvents = true, s.maxEvents()
	case p.version == "":
		err = s.list(ctx)
	case p.unsure:
		err = s.check(ctx)
	}
	if err != nil {
		return opened, err
	}
	w, err := s.open(ctx)
	if w == nil || err != nil {
		return opened, err
	}
	opened = time.Now()
	return opened, s.follow(ctx, w)
}

// open opens a watch from the position. Without one it streams a list first, or sends the changes from
// now on. It returns no watch if the next attempt has to use another way.
func (s *Stream) open(ctx context.Context) (watch.Interface, error) {
	p := &s.position
	if s.paced && s.Pace != nil {
		if err := s.Pace(ctx, "watch"); err != nil {
			return nil, err
		}
	}
	s.paced = true
	s.verb = "watch"
	if p.listing {
		s.verb = "list"
	}
	w, err := s.Requests.Watch(ctx, s.watchOptions())
	switch {
	case err == nil:
		s.refusal = refusal{}
		if p.listing {
			s.Sink.Begin()
		}
		s.connected(true)
		return w, nil
	case connection.IsRefused(err) && s.PollPause > 0:
		s.refusal.extend(err)
		return nil, nil
	case !p.listing:
		return nil, err
	}
	p.noStreaming = true
	switch {
	case connection.IsRejected(err):
		if !s.selects() {
			s.Unstreamed.Store(true)
		}
		return nil, nil
	case connection.IsRefused(err): // a list may be permitted
		return nil, nil
	}
	return nil, err
}

func (s *Stream) connected(now bool) {
	if s.Connected != nil {
		s.Connected(now)
	}
}

// next decides what follows an attempt: it returns the pause before the next one, or the error with
// which Run ends.
func (s *Stream) next(opened time.Time, err error) (wait time.Duration, end error) {
	p, watched := &s.position, !opened.IsZero()
	lasted := time.Since(opened)
	switch {
	case watched && p.listing: // the streamed list is not complete, whatever the reason
		p.noStreaming = true
		return 0, nil
	case watched && lasted >= shortWatch:
		p.noStreaming, s.failures = false, 0
	}
	switch {
	case err == nil && !watched:
		return 0, nil
	case err == nil && lasted >= shortWatch:
		s.reopen = Pause{}
		return 0, nil
	case err == nil: // whatever the watch has sent
		return s.reopen.next(firstReopen, s.maxPause(nil)), nil
	case errors.Is(err, errQuiet):
		p.unsure = true
		return 0, nil
	}
	if time.Since(s.began) > shortWatch {
		s.failure = Pause{}
	}
	if errors.Is(err, ErrMissed) || connection.IsExpired(err) {
		s.lose(false)
		return s.failure.Next(s.maxPause(err)) / 2, nil
	}
	return s.fail(err)
}

// lose records that the position is lost.
func (s *Stream) lose(restored bool) {
	p := &s.position
	if p.version == "" && !restored {
		return
	}
	p.version = ""
	s.Sink.Lost(restored)
	if restored {
		p.highest, p.older = 0, 0
	}
}

// fail handles a failure, and returns like next.
func (s *Stream) fail(err error) (wait time.Duration, end error) {
	p := &s.position
	if errors.Is(err, errOlder) || apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) {
		if p.older++; p.older >= maxOlder {
			s.lose(true)
		}
	}
	s.failures++
	reaction := s.Sink.Fail(Failure{Err: err, Verb: s.verb, Streamed: p.listing, Listed: p.listed.After(s.began), Count: s.failures})
	if reaction == ReactionEnd {
		return 0, err
	}
	if p.unsure = true; reaction != ReactionResume {
		p.version = ""
	}
	s.connected(false)
	if reaction == ReactionListNow {
		return 0, nil
	}
	wait = s.failure.Next(s.maxPause(err)) // the failure may have made it more urgent
	if connection.IsRefused(err) && s.RefusedPause > 0 {
		wait = s.RefusedPause
	}
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
		wait = max(wait, time.Duration(seconds)*time.Second)
	}
	return wait, nil
}

func (s *Stream) maxPause(err error) time.Duration {
	switch {
	case s.MaxPause != nil:
		return s.MaxPause(err)
	case err == nil:
		return LastReopen
	}
	return UrgentPause
}
