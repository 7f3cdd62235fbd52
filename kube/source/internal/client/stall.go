package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// errHalted is the error of an answer of which nothing more comes.
var errStalled = fmt.Errorf("nothing more of the answer has come for %s", responseTimeout)

// progressing makes a request and gives the answer up when nothing of it has
// come for delay. That a connection is alive does not mean that an answer is.
// Watches may be silent; they are checked otherwise.
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
	response.Body = &stallingBody{body: response.Body, ctx: ctx, stop: stop, timer: time.AfterFunc(responseTimeout, func() { stop(errStalled) })}
	return response, nil
}

// A progress is the body of an answer that must go on to come.
type stallingBody struct {
	body  io.ReadCloser
	ctx   context.Context // of the request
	stop  context.CancelCauseFunc
	timer *time.Timer // runs out when nothing comes
}

// Read reads what has come.
func (p *stallingBody) Read(b []byte) (int, error) {
	p.timer.Reset(responseTimeout)
	n, err := p.body.Read(b)
	p.timer.Stop()
	if err != nil && context.Cause(p.ctx) == errStalled {
		err = errStalled
	}
	return n, err
}

// Close ends the answer.
func (p *stallingBody) Close() error {
	p.timer.Stop()
	err := p.body.Close()
	p.stop(nil)
	return err
}
