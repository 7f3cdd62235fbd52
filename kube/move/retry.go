package move

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// Delays between attempts.
const (
	firstDelay = 100 * time.Millisecond
	lastDelay  = 5 * time.Second
)

// retry calls do until it succeeds, fails with an error that another attempt cannot repair, or the
// timeout has passed. what names the operation in notes and errors.
func (m *Mover) retry(ctx context.Context, what string, do func() error) error {
	deadline := time.Now().Add(m.o.Timeout)
	noted := false
	for delay := firstDelay; ; delay = min(2*delay, lastDelay) {
		err := do()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("%s: %w", what, errors.Join(context.Cause(ctx), err))
		case !isTransient(err) || time.Now().Add(delay).After(deadline):
			return fmt.Errorf("%s: %w", what, err)
		}
		if !noted {
			noted = true
			m.note("", "%s: %v; trying again", what, err)
		}
		wait := delay/2 + rand.N(delay)
		if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
			wait = max(wait, time.Duration(seconds)*time.Second)
		}
		if !sleep(ctx, wait) {
			return fmt.Errorf("%s: %w", what, context.Cause(ctx))
		}
	}
}

// isTransient reports whether another attempt may succeed: the server is overloaded, restarts or
// cannot be reached.
func isTransient(err error) bool {
	var timeout net.Error
	return apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsInternalError(err) || apierrors.IsServiceUnavailable(err) || apierrors.IsUnexpectedServerError(err) ||
		utilnet.IsConnectionRefused(err) || utilnet.IsConnectionReset(err) || utilnet.IsProbableEOF(err) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &timeout) && timeout.Timeout()
}

// sleep waits, and reports whether ctx is still valid then.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
