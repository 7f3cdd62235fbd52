// Package poll waits for states that a test can only read repeatedly. Examples are those of an API
// server, of a process or of a terminal.
//
// The result of a test does not depend on the interval between two reads. Nor does it depend on
// the patience, which only ends a test that would otherwise hang.
package poll

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// Patience bounds the waits of Wait and Check. It is long, because a machine may be slow.
const Patience = 4 * time.Minute

// interval is the time between two reads.
const interval = 25 * time.Millisecond

// errPatience is the cause of a wait that ends without its state.
var errPatience = fmt.Errorf("not within %s", Patience)

// Until repeats a check until it returns nil, or until ctx ends. Its error contains the last error
// of the check.
func Until(ctx context.Context, check func() error) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		case <-tick.C:
		}
	}
}

// Check waits until a check returns nil. If it does not, the test fails with its last error. Unlike
// the context of the test, it also works in a cleanup.
func Check(t testing.TB, check func() error) {
	t.Helper()
	ctx, stop := context.WithTimeoutCause(context.WithoutCancel(t.Context()), Patience, errPatience)
	defer stop()
	if err := Until(ctx, check); err != nil {
		t.Fatal(err)
	}
}

// Wait waits until a state is reached. Its description completes the sentence "it never happens that …".
func Wait(t testing.TB, what string, reached func() bool) {
	t.Helper()
	never := errors.New("it never happens that " + what)
	Check(t, func() error {
		if reached() {
			return nil
		}
		return never
	})
}

// Second waits until the clock shows a later second than a time. Times in objects, such as those of
// managed fields, are whole seconds.
func Second(ctx context.Context, after time.Time) error {
	return Until(ctx, func() error {
		if time.Now().Unix() > after.Unix() {
			return nil
		}
		return errSecond
	})
}

var errSecond = errors.New("the second has not ended")

// NextSecond is Second in a test.
func NextSecond(t testing.TB, after time.Time) {
	t.Helper()
	if err := Second(t.Context(), after); err != nil {
		t.Fatal(err)
	}
}
