package tree

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kstatus.dev/status"
)

const (
	atOnce   = 6                // how many requests are under way at the same time
	patience = 10 * time.Second // how long each may take, unless that is said
)

// A request is one request to the cluster, and what becomes of its answer.
type request struct {
	what string      // for people: "pods in namespace shop"
	of   status.Kind // of the objects that are to be judged; zero if none are
	ask  func(context.Context) (answer, error)
	take func(answer, error) []request // called in the order of the requests; returns what is to be asked instead
}

// An answer is what a request was answered; which of its fields is set depends on
// what was asked.
type answer struct {
	objects []object
	text    []byte
	more    string // the server has more to tell from here on
}

// make makes requests, several at a time, and those that come of them. Their
// answers are taken in order, so that the facts do not depend on which came first.
func (c *collection) make(ctx context.Context, requests []request) {
	for len(requests) > 0 && ctx.Err() == nil {
		var now []request
		for _, r := range requests {
			if c.over || c.made >= c.Most {
				c.left = append(c.left, r.what)
				continue
			}
			c.made++
			now = append(now, r)
		}
		c.teach(ctx, now)
		answers, errs := c.ask(ctx, now)
		requests = nil
		for i, r := range now {
			requests = append(requests, r.take(answers[i], errs[i])...)
		}
	}
}

func (c *collection) ask(ctx context.Context, requests []request) ([]answer, []error) {
	answers, errs := make([]answer, len(requests)), make([]error, len(requests))
	slots := make(chan struct{}, atOnce)
	var work sync.WaitGroup
	for i, r := range requests {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			ctx, cancel := c.patiently(ctx)
			defer cancel()
			answers[i], errs[i] = r.ask(ctx)
			if errs[i] != nil && ctx.Err() != nil {
				errs[i] = context.Cause(ctx)
			}
		})
	}
	work.Wait()
	return answers, errs
}

// patiently returns a context that ends when an answer is not to be waited for any more.
func (c *collection) patiently(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, c.Patience, fmt.Errorf("no answer within %s", c.Patience))
}
