package connection

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"kstatus.dev/internal/crash"
)

// A roundTrip is a function that is an http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip calls f.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A wrapper is a roundTrip that calls another transport.
type wrapper struct {
	roundTrip
	next http.RoundTripper
}

// WrappedRoundTripper lets client-go close the wrapped transport.
func (w *wrapper) WrappedRoundTripper() http.RoundTripper { return w.next }

// A Requests ends the requests of a cluster when its context ends. It is needed because
// discovery and cli-runtime's builder do not take a context.
//
// After a connection reset, client-go repeats the request ten times, once a second, and commands
// send several requests. If only resets follow each other, requests fail at once from the fifth
// reset on.
//
// Of the documents about the served kinds, it requests only a few at a time. There may be thousands of
// groups.
type Requests struct {
	documents chan struct{} // holds an element for each document that is being read

	mu     sync.Mutex // guards the fields below
	ctx    context.Context
	resets int // connections that were reset since the last response

	answered, cut bool      // whether a request was answered, and whether the end of a context has ended one
	failing       time.Time // when the first request failed
	giveUp        func(error)
}

// unreachedLimit is how long the requests of a wait may fail before the server counts as down, if it
// has answered none. Without cached discovery, the first failure ends a wait.
const unreachedLimit = 5 * time.Second

// An UnreachedError is the error of a server that has answered no request.
type UnreachedError struct{ err error }

// Error returns the error of the last request.
func (e *UnreachedError) Error() string {
	return "the API server has not been reached: " + e.err.Error()
}

// OnUnreached sets a function that is called once if requests fail for some seconds, and the server has
// answered none.
func (l *Requests) OnUnreached(giveUp func(error)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.giveUp = giveUp
}

// maxDocuments is how many documents about the served kinds are requested at a time.
const maxDocuments = 32

func newRequests(ctx context.Context) *Requests {
	return &Requests{documents: make(chan struct{}, maxDocuments), ctx: ctx}
}

// takeDocument waits until a request may be sent. The caller must call end after it.
func (l *Requests) takeDocument(ctx context.Context, r *http.Request) (end func(), err error) {
	if !isOfKinds(r.URL.Path) {
		return func() {}, nil
	}
	select {
	case l.documents <- struct{}{}:
		return sync.OnceFunc(func() { <-l.documents }), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// isOfKinds reports whether a path is that of a document about the served kinds, and not that of
// objects. The path of the server may have more parts before.
func isOfKinds(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if i := slices.Index(parts, "apis"); i >= 0 {
		return len(parts)-i <= 3
	}
	i := slices.Index(parts, "api")
	return i < 0 || len(parts)-i <= 2
}

// Silent reports whether the server has left requests without an answer, and has answered none.
func (l *Requests) Silent() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cut && !l.answered
}

// note remembers whether a request was answered, or has ended with its context.
func (l *Requests) note(ctx context.Context, answered bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answered = l.answered || answered
	l.cut = l.cut || !answered && ctx.Err() != nil
}

// noteFailure remembers that a request could not be sent, and gives up if none could for long.
func (l *Requests) noteFailure(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failing.IsZero() {
		l.failing = time.Now()
	}
	if l.giveUp != nil && !l.answered && time.Since(l.failing) >= unreachedLimit {
		l.giveUp(&UnreachedError{err})
		l.giveUp = nil
	}
}

// maxResets is how many resets in a row mean that the server is gone.
const maxResets = 5

// resetError returns the error of a request. After maxResets resets, client-go does not retry
// the returned error.
func (l *Requests) resetError(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !utilnet.IsConnectionReset(err) && !utilnet.IsProbableEOF(err) {
		if err == nil {
			l.resets = 0
		}
		return err
	}
	if l.resets++; l.resets < maxResets {
		return err
	}
	return fmt.Errorf("the server has reset %d connections in a row", l.resets) // client-go reads the text of other errors, too
}

// UseContext makes later requests end with ctx.
func (l *Requests) UseContext(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ctx = ctx
}

func (l *Requests) bindContext(next http.RoundTripper) http.RoundTripper {
	return &wrapper{next: next, roundTrip: func(r *http.Request) (*http.Response, error) {
		l.mu.Lock()
		commandCtx := l.ctx
		l.mu.Unlock()
		both, cancel := context.WithCancelCause(r.Context())
		stop := context.AfterFunc(commandCtx, crash.Guarded(func() { cancel(context.Cause(commandCtx)) }))
		free, err := l.takeDocument(both, r)
		if err != nil {
			stop()
			cancel(nil)
			return nil, err
		}
		end := func() {
			stop()
			cancel(nil)
			free()
		}
		answer, err := next.RoundTrip(r.WithContext(both))
		if err = l.resetError(err); err == nil {
			err = postpone(both, r, answer)
		}
		if err != nil {
			l.note(both, false)
			if both.Err() == nil {
				l.noteFailure(err)
			}
			end()
			return nil, err
		}
		streams, failed := r.URL.Query().Has("watch"), isBusy(answer)
		answer.Body = &endingBody{answer.Body, end, func(n int, err error) {
			l.note(both, !failed && (err == io.EOF || streams && n > 0))
		}}
		return answer, nil
	}}
}

// An endingBody calls a function when it has been read or closed.
type endingBody struct {
	io.ReadCloser
	end  func() // may be called more than once
	note func(n int, err error)
}

// Read reads from the body.
func (b *endingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.note(n, err)
	if err != nil {
		b.end()
	}
	return n, err
}

// Close closes the body.
func (b *endingBody) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}
