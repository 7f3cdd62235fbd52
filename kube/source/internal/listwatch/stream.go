package listwatch

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/integer"
	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/watcher"
	"kstatus.dev/observe"
)

const (
	PollPause = 2 * time.Second // between reads of objects that may not be watched

	listSilence = time.Minute // how long a streamed list may be silent
)

// nameOf returns the name of an object among those of its kind.
func nameOf(o metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: o.GetNamespace(), Name: o.GetName()}
}

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
	Pending() (versions map[types.NamespacedName]uint64, any bool)
}

// A Stream lists and watches the objects of a scope. Client, Scope and Sink are required.
type Stream struct {
	Client *client.Session
	Scope  client.Scope
	Sink   Sink
	Note   string // sent to the client's notes after the first read
	Options

	loop                  *watcher.Stream
	staleness             stalenessTimer
	unconfirmed           unconfirmed
	verificationForbidden bool // verification is forbidden
}

// Options configure a Stream.
type Options struct {
	WholeScope   bool          // the Sink wants every object of the scope
	NoFallback   bool          // the scope has no fallback: forbidden requests are failures, and are retried
	TrustWatches bool          // trust watches, since a missed change costs little; also send no notes
	PollPause    time.Duration // between lists of a scope that may not be watched
	RefusedPause time.Duration // before a refused list is tried again; zero: as after any failure
}

// Run reads until ctx ends, and reports failures to the Sink. It returns earlier with an error that
// the caller must handle. Such errors are a forbidden list unless NoFallback is set, a kind that is not
// served, an unsupported selector, and lost credentials.
func (s *Stream) Run(ctx context.Context) error {
	if s.loop == nil {
		s.loop = &watcher.Stream{
			Requests: s.Client.Requests(s.Scope), Options: s.Scope.Options(), Unstreamed: &s.Client.Unstreamed, Silence: listSilence,
			Verifier: verifier{s}, MaxPause: s.maxPause, RefusedPause: s.RefusedPause, Every: s.Client.Every, PollPause: s.PollPause, Pace: s.pace,
		}
	}
	s.loop.Sink = loopSink{s, ctx}
	return s.loop.Run(ctx)
}

// isReturned reports whether Run returns the error.
func (s *Stream) isReturned(err error) bool {
	switch {
	case apierrors.IsNotFound(err), s.Client.Credentials.Lost(err):
		return true
	case connection.IsRefused(err):
		return !s.NoFallback
	case connection.IsRejected(err):
		return s.Scope.Name != "" && !s.NoFallback
	}
	return false
}

// maxPause returns the longest pause after an error, or after a short watch. Only pending targets are
// urgent, and only if a retry may help.
func (s *Stream) maxPause(err error) time.Duration {
	_, pending := s.Sink.Pending()
	switch {
	case !pending, connection.IsRefused(err):
		return watcher.LastPause
	case err == nil:
		return watcher.LastReopen
	}
	return watcher.UrgentPause
}

// pace waits until a request may be repeated.
func (s *Stream) pace(ctx context.Context, verb string) error {
	if verb == "watch" {
		return s.Client.PaceWatches(ctx)
	}
	return s.Client.Pace(ctx)
}

// see passes an object to the Sink.
func (s *Stream) see(o metav1.Object) {
	s.unconfirmed.remove(nameOf(o))
	if s.Sink.See(o) {
		s.staleness.news()
	}
}

// A loopSink passes what the loop of a Stream reads to its Sink.
type loopSink struct {
	*Stream
	ctx context.Context // of Run
}

// Begin begins a list of all objects. The list confirms earlier deletions, but not those during a
// streamed list.
func (s loopSink) Begin() {
	s.unconfirmed.clear()
	s.Sink.Begin()
}

func (s loopSink) Object(o metav1.Object, _ bool) error {
	s.see(o)
	return nil
}

func (s loopSink) Deleted(o metav1.Object) error {
	if s.Sink.Wants(o.GetNamespace(), o.GetName()) {
		s.deletion(o)
	}
	return nil
}

func (s loopSink) End(version string) {
	s.staleness.checked()
	s.Client.Notes.Once(s.Note)
	s.Sink.End(integer.OfVersion(version))
	if err := s.loop.Refused(); err != nil && s.Client.Every == 0 && !s.TrustWatches {
		s.Client.Notes.Once(s.Client.Unreadable(s.ctx, s.Scope, "watch", err).Text + ": it is listed every few seconds")
	}
}

func (s loopSink) Lost(restored bool) {
	if restored {
		s.Sink.Forget()
	}
}

// Fail reports a failure. If a list was complete in the meantime, only the watch has failed: it is
// retried without a report. After a failure, every object is reported again.
func (s loopSink) Fail(f watcher.Failure) watcher.Reaction {
	if s.isReturned(f.Err) {
		return watcher.ReactionEnd
	}
	if !f.Listed || connection.IsRefused(f.Err) {
		s.Sink.Fail(s.Client.Unreadable(s.ctx, s.Scope, f.Verb, f.Err), f.Err)
	}
	return watcher.ReactionList
}
