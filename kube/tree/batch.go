package tree

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kstatus.dev/internal/crash"
	"kstatus.dev/status"
)

const (
	maxParallel    = 6                // concurrent requests.
	defaultTimeout = 10 * time.Second // default timeout of a request.
)

// A request is one request to the cluster, with the function that handles its
// response.
type request struct {
	what   string      // for messages: "pods in namespace shop"
	kind   status.Kind // of the objects in the response; zero: none
	send   func(context.Context) (answer, error)
	handle func(answer, error) []request // called in the order of the requests; returns further requests
}

// An answer is the response to a request. The request determines which fields
// are set.
type answer struct {
	objects []object
	text    []byte
	more    string // the token to continue a list; empty at its end
}

// execute sends requests concurrently, and then the requests that their
// handlers return. It handles responses in the order of the requests, so that
// the facts do not depend on timing.
func (c *collection) execute(ctx context.Context, requests []request) {
	for len(requests) > 0 && ctx.Err() == nil && !c.isSilent {
		var now []request
		for _, r := range requests {
			if c.unauthorized || c.requestCount >= c.MaxRequests {
				c.skipped = append(c.skipped, r.what)
				continue
			}
			c.requestCount++
			now = append(now, r)
		}
		c.loadSchemas(ctx, now)
		answers, errs := c.send(ctx, now)
		c.loadEvictions(ctx, answers)
		if isSilence(errs) {
			c.isSilent = true
		}
		requests = nil
		for i, r := range now {
			requests = append(requests, r.handle(answers[i], errs[i])...)
		}
	}
}

func (c *collection) send(ctx context.Context, requests []request) ([]answer, []error) {
	answers, errs := make([]answer, len(requests)), make([]error, len(requests))
	crash.Each(len(requests), maxParallel, func(i int) {
		ctx, cancel := c.withTimeout(ctx)
		defer cancel()
		answers[i], errs[i] = requests[i].send(ctx)
		if errs[i] != nil && ctx.Err() != nil {
			errs[i] = context.Cause(ctx)
		}
	})
	return answers, errs
}

// errNoAnswer reports that a request has reached its timeout.
var errNoAnswer = errors.New("no answer")

// isSilence reports whether the server has answered none of some requests.
func isSilence(errs []error) bool {
	return len(errs) > 0 && !slices.ContainsFunc(errs, func(err error) bool { return !errors.Is(err, errNoAnswer) })
}

// withTimeout returns a context with the timeout of one request.
func (c *collection) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, c.RequestTimeout, fmt.Errorf("%w within %s", errNoAnswer, c.RequestTimeout))
}
