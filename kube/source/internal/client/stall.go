package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"kstatus.dev/internal/crash"
)

// errStalled is the error of a response that has stalled.
var errStalled = fmt.Errorf("nothing more of the answer has come for %s", responseTimeout)

// withStallTimeout sends a request and fails if the response stalls for responseTimeout, even if
// the connection is alive. Watches may be silent; they are verified separately.
func withStallTimeout(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	if r.URL.Query().Get("watch") != "" {
		return next.RoundTrip(r)
	}
	ctx, stop := context.WithCancelCause(r.Context())
	response, err := next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		stop(nil)
		return nil, err
	}
	response.Body = &stallingBody{body: response.Body, ctx: ctx, stop: stop, timer: time.AfterFunc(responseTimeout, crash.Guarded(func() { stop(errStalled) }))}
	return response, nil
}

// A stallingBody is the body of a response that must not stall.
type stallingBody struct {
	body  io.ReadCloser
	ctx   context.Context // of the request
	stop  context.CancelCauseFunc
	timer *time.Timer // cancels the request after the timeout
}

// Read implements io.Reader.
func (p *stallingBody) Read(b []byte) (int, error) {
	p.timer.Reset(responseTimeout)
	n, err := p.body.Read(b)
	p.timer.Stop()
	if err != nil && context.Cause(p.ctx) == errStalled {
		err = errStalled
	}
	return n, err
}

// Close implements io.Closer.
func (p *stallingBody) Close() error {
	p.timer.Stop()
	err := p.body.Close()
	p.stop(nil)
	return err
}
