package source

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/observe"
)

const (
	firstPause = 500 * time.Millisecond // before a stream tries again, at first
	lastPause  = 30 * time.Second       // and at most
	openPause  = 5 * time.Second        // at most while something is waited for
	pollPause  = 2 * time.Second        // between looks at what may not be watched
	stall      = time.Minute            // how long a list that is streamed may say nothing
)

// A sink takes what a stream reads. One thing at a time is given to it.
type sink interface {
	wants(namespace, name string) bool                  // whether an object is of interest
	begin()                                             // all objects there are follow, up to end
	see(o metav1.Object) (news bool)                    // an object as it is; news if it is of interest and had not been seen
	lose(namespace, name string, version uint64)        // it is certain that an object is gone
	end(version uint64)                                 // all objects there are have been seen since begin
	fail(why *observe.Unreadable, err error)            // nothing can be read for the time being
	forget()                                            // versions seen so far are worth nothing any more
	awaited() (versions map[key]uint64, waitedFor bool) // what must not be missed, as it was seen last
}

// A stream lists and watches the objects of a scope.
type stream struct {
	link  *link
	scope scope
	sink  sink
	whole bool   // the sink wants all objects of the scope
	note  string // what to say once something has been read
	last  bool   // there is no other way to read them: what is refused is told

	trusting     bool          // a watch is believed: what it misses costs little
	pollPause    time.Duration // between lists of what may not be watched
	refusedPause time.Duration // before what may not be listed is tried again; zero: as after any other failure

	version  string        // up to which all has been seen; empty if a list is needed
	high     uint64        // the highest there has been
	older    int           // how many lists in a row were older than that
	plain    bool          // list instead of having the list streamed, which did not work
	listing  bool          // a list is being read
	listed   time.Time     // when that has come to its end last
	barred   error         // why it may not be watched; nil as far as is known
	again    time.Time     // when to try to watch all the same
	patience time.Duration // before that is tried once more
	quiet    quiet
	doubts   map[key]uint64 // what a watch said is gone, and as of which version
	doubted  time.Time      // since when there are any
	blind    bool           // single objects may not be looked at
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
func (s *stream) run(ctx context.Context) error {
	pause := firstPause
	for {
		began := time.Now()
		err := s.follow(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if s.decides(err) {
			return err
		}
		if time.Since(began) > openPause {
			pause = firstPause
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
func (s *stream) decides(err error) bool {
	switch {
	case apierrors.IsNotFound(err):
		return true
	case refused(err):
		return !s.last
	case apierrors.IsUnauthorized(err):
		return s.link.credentials.lost()
	case unselectable(err):
		return s.scope.name != "" && !s.last
	}
	return false
}

// fault tells what went wrong, if anything did, and returns how long to pause.
// Where all has been listed meanwhile it is only the watch that went wrong:
// then that is done again instead.
func (s *stream) fault(ctx context.Context, err error, pause *time.Duration, listed bool) time.Duration {
	wait := *pause/2 + rand.N(*pause)
	*pause = min(2**pause, lastPause)
	switch {
	case errors.Is(err, errMissed), expired(err):
		s.version = ""
		return wait / 5
	case errors.Is(err, errOlder):
		s.version = ""
		if s.older++; s.older > 2 { // the server has lost its history, as when it was restored
			s.high = 0
			s.sink.forget()
		}
	}
	verb := "watch"
	if s.version == "" {
		verb = "list"
	}
	s.version = "" // what is told now has to be told anew when all is well
	if !listed || refused(err) {
		s.sink.fail(s.link.unreadable(ctx, s.scope, verb, err), err)
	}
	if _, open := s.sink.awaited(); open && !refused(err) {
		*pause = min(*pause, openPause)
		wait = min(wait, openPause)
	}
	if refused(err) && s.refusedPause > 0 {
		wait = s.refusedPause
	}
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
		wait = max(wait, time.Duration(seconds)*time.Second)
	}
	return wait
}

// follow lists, and watches from there on until something goes wrong.
func (s *stream) follow(ctx context.Context) error {
	for {
		w, err := s.open(ctx)
		switch {
		case err != nil:
			return err
		case w == nil:
			continue
		}
		opened := time.Now()
		err = s.hear(ctx, w)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case s.listing: // whatever has kept the list from coming to its end, it is read as a whole now
			s.plain = true
			continue
		case time.Since(opened) > openPause:
			s.plain = false
		}
		if err != nil {
			return err
		}
	}
}

// open opens a watch, or does what comes before it or instead of it.
func (s *stream) open(ctx context.Context) (watch.Interface, error) {
	if s.link.every > 0 || s.barred != nil && time.Now().Before(s.again) {
		return nil, s.poll(ctx)
	}
	s.listing = s.version == "" && !s.plain && !s.link.unstreamed.Load()
	if s.version == "" && !s.listing {
		if err := s.list(ctx); err != nil {
			return nil, err
		}
	}
	w, err := s.link.watch(ctx, s.scope, s.version)
	switch {
	case err == nil:
		s.barred, s.patience = nil, 0
		if s.listing {
			s.quiet.heard()
			s.begin()
		}
		return w, nil
	case refused(err):
		s.barred = err
		s.patience = min(max(2*s.patience, firstProbe), lastProbe)
		s.again = time.Now().Add(s.patience)
		return nil, nil
	case s.listing && unselectable(err):
		s.plain = true
		if s.scope.name == "" && s.scope.match == "" {
			s.link.unstreamed.Store(true)
		}
		return nil, nil
	case s.listing:
		s.plain = true // whatever stands in the way of streaming, the next attempt is without
	}
	return nil, err
}

// begin says that a list of all objects begins. What was in doubt before it is
// not any more, but what goes while it is streamed is.
func (s *stream) begin() {
	clear(s.doubts)
	s.sink.begin()
}

// list reads all objects of the scope.
func (s *stream) list(ctx context.Context) error {
	s.begin()
	version, err := s.link.list(ctx, s.scope, s.see)
	if err != nil {
		return err
	}
	return s.complete(version)
}

// complete says that all objects have been seen as of a version.
func (s *stream) complete(version string) error {
	n := versionOf(version)
	if n != 0 && n < s.high {
		return errOlder
	}
	s.version, s.high, s.older, s.listing, s.listed = version, n, 0, false, time.Now()
	s.quiet.checked()
	s.link.notes.say(s.note)
	s.sink.end(n)
	return nil
}

// poll lists, and pauses. A list that takes long is read less often.
func (s *stream) poll(ctx context.Context) error {
	began := time.Now()
	s.version = ""
	if err := s.list(ctx); err != nil {
		return err
	}
	took := time.Since(began)
	wait := max(s.link.every-took, took)
	if s.link.every == 0 {
		if !s.trusting {
			s.link.notes.say(s.link.unreadable(ctx, s.scope, "watch", s.barred).Text + ": it is listed every few seconds")
		}
		wait = jitter(max(s.pollPause, 10*took))
	}
	if !pause(ctx, wait) {
		return ctx.Err()
	}
	return s.link.pace(ctx)
}
