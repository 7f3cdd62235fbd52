package source

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// errHalted is the error of an answer of which nothing more comes.
var errHalted = fmt.Errorf("nothing more of the answer has come for %s", delay)

// progressing makes a request and gives the answer up when nothing of it has
// come for delay. That a connection is alive does not mean that an answer is.
// Watches may be silent; they are checked otherwise.
func progressing(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	if r.URL.Query().Get("watch") != "" {
		return next.RoundTrip(r)
	}
	ctx, stop := context.WithCancelCause(r.Context())
	response, err := next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		stop(nil)
		return nil, err
	}
	response.Body = &progress{body: response.Body, ctx: ctx, stop: stop, over: time.AfterFunc(delay, func() { stop(errHalted) })}
	return response, nil
}

// A progress is the body of an answer that must go on to come.
type progress struct {
	body io.ReadCloser
	ctx  context.Context // of the request
	stop context.CancelCauseFunc
	over *time.Timer // runs out when nothing comes
}

// Read reads what has come.
func (p *progress) Read(b []byte) (int, error) {
	p.over.Reset(delay)
	n, err := p.body.Read(b)
	p.over.Stop()
	if err != nil && context.Cause(p.ctx) == errHalted {
		err = errHalted
	}
	return n, err
}

// Close ends the answer.
func (p *progress) Close() error {
	p.over.Stop()
	err := p.body.Close()
	p.stop(nil)
	return err
}
