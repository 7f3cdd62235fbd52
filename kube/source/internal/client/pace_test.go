package client

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"
)

// All streams together reopen at most 50 watches per second, after the first 100.
func TestWatchesAreReopenedAtARate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New(&rest.Config{Host: "http://example.com"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for range 600 {
			if err := c.PaceWatches(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took < 9*time.Second || took > 11*time.Second {
			t.Errorf("600 watches take %s, want 10 s", took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if c.PaceWatches(ctx) == nil {
			t.Error("a stream whose context has ended opens another watch")
		}
	})
}
