package listwatch

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"time"

	"kstatus.dev/kube/source/internal/client"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/observe"
)

// A sink takes what a stream reads. One thing at a time is given to it.
type Sink interface {
	Wants(namespace, name string) bool                  // whether an object is of interest
	Begin()                                             // all objects there are follow, up to end
	See(o metav1.Object) (news bool)                    // an object as it is; news if it is of interest and had not been seen
	Lose(namespace, name string, version uint64)        // it is certain that an object is gone
	End(version uint64)                                 // all objects there are have been seen since begin
	Fail(why *observe.Unreadable, err error)            // nothing can be read for the time being
	Forget()                                            // versions seen so far are worth nothing any more
	Pending() (versions map[Key]uint64, waitedFor bool) // what must not be missed, as it was seen last
}

// A stream lists and watches the objects of a scope.
type Stream struct {
	Client *client.Client
	Scope  client.Scope
	Sink   Sink
	Whole  bool   // the sink wants all objects of the scope
	Note   string // what to say once something has been read
	Last   bool   // there is no other way to read them: what is refused is told

	Trusting     bool          // a watch is believed: what it misses costs little
	PollPause    time.Duration // between lists of what may not be watched
	RefusedPause time.Duration // before what may not be listed is tried again; zero: as after any other failure

	version          string        // up to which all has been seen; empty if a list is needed
	high             uint64        // the highest there has been
	older            int           // how many lists in a row were older than that
	plain            bool          // list instead of having the list streamed, which did not work
	listing          bool          // a list is being read
	listed           time.Time     // when that has come to its end last
	denied           error         // why it may not be watched; nil as far as is known
	retryWatch       time.Time     // when to try to watch all the same
	watchPause       time.Duration // before that is tried once more
	staleness        stalenessTimer
	unconfirmed      map[Key]uint64 // what a watch said is gone, and as of which version
	unconfirmedSince time.Time      // since when there are any
	blind            bool           // single objects may not be looked at
}

var (
	errMissed = errors.New("something has changed of which the watch has told nothing")
	errOlder  = errors.New("the list is older than what has been seen")
	errShort  = errors.New("the watch ended at once")
	errStall  = errors.New("the list does not come to its end")
)

// run reads until ctx ends, again and again; what goes wrong is told. It
// returns early where another must decide: when the scope may not be listed
// and that is not the last way to read it, when its kind is not served like
// this, and when credentials are lost.
func (s *Stream) Run(ctx context.Context) error {
	pause := FirstPause
	for {
		began := time.Now()
		err := s.follow(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if s.isForCaller(err) {
			return err
		}
		if time.Since(began) > PendingPause {
			pause = FirstPause
		}
		wait := s.fault(ctx, err, &pause, s.listed.After(began))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// decides reports whether somebody else must decide what to do about an error.
func (s *Stream) isForCaller(err error) bool {
	switch {
	case apierrors.IsNotFound(err):
		return true
	case client.IsRefused(err):
		return !s.Last
	case apierrors.IsUnauthorized(err):
		return s.Client.Credentials.Lost()
	case client.IsUnselectable(err):
		return s.Scope.Name != "" && !s.Last
	}
	return false
}

// fault tells what went wrong, if anything did, and returns how long to pause.
// Where all has been listed meanwhile it is only the watch that went wrong:
// then that is done again instead.
func (s *Stream) fault(ctx context.Context, err error, pause *time.Duration, listed bool) time.Duration {
	wait := *pause/2 + rand.N(*pause)
	*pause = min(2**pause, LastPause)
	switch {
	case errors.Is(err, errMissed), isExpired(err):
		s.version = ""
		return wait / 5
	case errors.Is(err, errOlder):
		s.version = ""
		if s.older++; s.older > 2 { // the server has lost its history, as when it was restored
			s.high = 0
			s.Sink.Forget()
		}
	}
	verb := "watch"
	if s.version == "" {
		verb = "list"
	}
	s.version = "" // what is told now has to be told anew when all is well
	if !listed || client.IsRefused(err) {
		s.Sink.Fail(s.Client.Unreadable(ctx, s.Scope, verb, err), err)
	}
	if _, open := s.Sink.Pending(); open && !client.IsRefused(err) {
		*pause = min(*pause, PendingPause)
		wait = min(wait, PendingPause)
	}
	if client.IsRefused(err) && s.RefusedPause > 0 {
		wait = s.RefusedPause
	}
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
		wait = max(wait, time.Duration(seconds)*time.Second)
	}
	return wait
}

// follow lists, and watches from there on until something goes wrong.
func (s *Stream) follow(ctx context.Context) error {
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
		case s.listing: // whatever has kept the list from coming to its end, it is read as a whole now
			s.plain = true
			continue
		case time.Since(opened) > PendingPause:
			s.plain = false
		}
		if err != nil {
			return err
		}
	}
}

// open opens a watch, or does what comes before it or instead of it.
func (s *Stream) open(ctx context.Context) (watch.Interface, error) {
	if s.Client.Every > 0 || s.denied != nil && time.Now().Before(s.retryWatch) {
		return nil, s.poll(ctx)
	}
	s.listing = s.version == "" && !s.plain && !s.Client.Unstreamed.Load()
	if s.version == "" && !s.listing {
		if err := s.list(ctx); err != nil {
			return nil, err
		}
	}
	w, err := s.Client.Watch(ctx, s.Scope, s.version)
	switch {
	case err == nil:
		s.denied, s.watchPause = nil, 0
		if s.listing {
			s.staleness.news()
			s.begin()
		}
		return w, nil
	case client.IsRefused(err):
		s.denied = err
		s.watchPause = min(max(2*s.watchPause, FirstProbe), LastProbe)
		s.retryWatch = time.Now().Add(s.watchPause)
		return nil, nil
	case s.listing && client.IsUnselectable(err):
		s.plain = true
		if s.Scope.Name == "" && s.Scope.Match == "" {
			s.Client.Unstreamed.Store(true)
		}
		return nil, nil
	case s.listing:
		s.plain = true // whatever stands in the way of streaming, the next attempt is without
	}
	return nil, err
}

// begin says that a list of all objects begins. What was in doubt before it is
// not any more, but what goes while it is streamed is.
func (s *Stream) begin() {
	clear(s.unconfirmed)
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

// complete says that all objects have been seen as of a version.
func (s *Stream) complete(version string) error {
	n := VersionOf(version)
	if n != 0 && n < s.high {
		return errOlder
	}
	s.version, s.high, s.older, s.listing, s.listed = version, n, 0, false, time.Now()
	s.staleness.checked()
	s.Client.Notes.Once(s.Note)
	s.Sink.End(n)
	return nil
}

// poll lists, and pauses. A list that takes long is read less often.
func (s *Stream) poll(ctx context.Context) error {
	began := time.Now()
	s.version = ""
	if err := s.list(ctx); err != nil {
		return err
	}
	took := time.Since(began)
	wait := max(s.Client.Every-took, took)
	if s.Client.Every == 0 {
		if !s.Trusting {
			s.Client.Notes.Once(s.Client.Unreadable(ctx, s.Scope, "watch", s.denied).Text + ": it is listed every few seconds")
		}
		wait = Jitter(max(s.PollPause, 10*took))
	}
	if !Sleep(ctx, wait) {
		return ctx.Err()
	}
	return s.Client.Pace(ctx)
}

// A key names an object among those of its kind.
type Key struct{ Namespace, Name string }

// versionOf reads a resourceVersion; zero if it cannot be compared.
func VersionOf(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
