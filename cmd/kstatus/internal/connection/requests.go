package connection

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// A roundTrip is an http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip makes a request.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A Requests ends the requests of a cluster when its context ends. Discovery and
// cli-runtime's builder do not take a context.
type Requests struct {
	mu  sync.Mutex // guards ctx
	ctx context.Context
}

// UseContext makes later requests end with another context.
func (l *Requests) UseContext(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ctx = ctx
}

func (l *Requests) within(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		l.mu.Lock()
		life := l.ctx
		l.mu.Unlock()
		both, cancel := context.WithCancelCause(r.Context())
		stop := context.AfterFunc(life, func() { cancel(context.Cause(life)) })
		end := func() {
			stop()
			cancel(nil)
		}
		answer, err := next.RoundTrip(r.WithContext(both))
		if err != nil {
			end()
			return nil, err
		}
		answer.Body = &endingBody{answer.Body, end}
		return answer, nil
	})
}

// An endingBody calls a function when it has been read or closed.
type endingBody struct {
	io.ReadCloser
	end func() // may be called more than once
}

// Read reads from the body.
func (b *endingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
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
