package managers

import (
	"context"
	"time"
)

// interval is the time between two checks of a state.
const interval = 50 * time.Millisecond

// Until returns when a check succeeds, or with the cause of the end of ctx. It repeats the check.
func Until(ctx context.Context, is func() bool) error {
	again := time.NewTicker(interval)
	defer again.Stop()
	for !is() {
		select {
		case <-again.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
