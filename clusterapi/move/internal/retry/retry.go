// Package retry repeats requests that fail for a time, and joins the errors of many.
package retry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/connection"
)

// Delays between attempts.
const (
	FirstDelay = 100 * time.Millisecond
	LastDelay  = 5 * time.Second
)

// Do calls do until it succeeds, fails with an error that another attempt cannot repair, or the
// timeout has passed. The context of do ends then, so do ends even if the server does not answer.
// what names the operation in errors. note is called with the first error that is repeated.
func Do(ctx context.Context, timeout time.Duration, what string, note func(error), do func(context.Context) error) error {
	deadline := time.Now().Add(timeout)
	limited, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	var last error // of an attempt that has not ended because of the deadline
	for delay := FirstDelay; ; delay = min(2*delay, LastDelay) {
		err := do(limited)
		if err == nil {
			return nil
		}
		wait := delay/2 + rand.N(delay)
		if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
			wait = max(wait, time.Duration(seconds)*time.Second)
		}
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("%s: %w", what, errors.Join(context.Cause(ctx), err))
		case limited.Err() != nil:
			return fmt.Errorf("%s: no success within %s: %w", what, duration.Text(timeout), cmp.Or(last, err))
		case !connection.IsTransient(err) || time.Now().Add(wait).After(deadline):
			return fmt.Errorf("%s: %w", what, err)
		}
		if last == nil {
			note(err)
		}
		last = err
		if !sleep.For(ctx, wait) {
			return fmt.Errorf("%s: %w", what, context.Cause(ctx))
		}
	}
}

// maxConflicts is how often an object may change during one operation.
const maxConflicts = 10

// OnConflict calls do until it does not fail because somebody else has changed an object. do must
// read the object again.
func OnConflict(ctx context.Context, do func() error) error {
	for attempt := 0; ; attempt++ {
		err := do()
		switch {
		case !apierrors.IsConflict(err) || attempt == maxConflicts:
			return err
		case !sleep.For(ctx, FirstDelay<<min(attempt, 5)):
			return context.Cause(ctx)
		}
	}
}

// Join joins errors, each text once and at most ten of them.
func Join(errs []error) error {
	const most = 10
	var kept []error
	seen, left := map[string]bool{}, 0
	for _, err := range errs {
		switch {
		case err == nil || seen[err.Error()]:
		case len(kept) == most:
			left++
		default:
			seen[err.Error()] = true
			kept = append(kept, err)
		}
	}
	if left > 0 {
		kept = append(kept, fmt.Errorf("and %d other errors", left))
	}
	return errors.Join(kept...)
}
