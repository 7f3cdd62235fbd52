package poll_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/test/lib/poll"
)

var errUnready = errors.New("unready")

func TestUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		check := func() error {
			if reads++; reads < 3 {
				return errUnready
			}
			return nil
		}
		if err := poll.Until(t.Context(), check); err != nil || reads != 3 {
			t.Errorf("Until = %v after %d reads, want nil after 3", err, reads)
		}
	})
}

// The error contains the end of the context and the last error of the check.
func TestUntilEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		err := poll.Until(ctx, func() error { return errUnready })
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, errUnready) {
			t.Errorf("Until = %v, want the end of the context and %v", err, errUnready)
		}
	})
}

func TestNextSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		poll.NextSecond(t, began)
		if took := time.Since(began); took < time.Second || took > 2*time.Second {
			t.Errorf("NextSecond took %s, want about a second", took)
		}
		later := time.Now()
		poll.NextSecond(t, began)
		if !time.Now().Equal(later) {
			t.Error("NextSecond waits although the second has passed")
		}
	})
}
