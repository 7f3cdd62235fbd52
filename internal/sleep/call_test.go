package sleep

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// The last steps of a call share one grace time, however late they begin.
func TestCall(t *testing.T) {
	for _, row := range []struct {
		it    string
		ends  time.Duration // when the context of the call ends
		begin time.Duration // when the last steps begin
		want  time.Duration // when their context ends
	}{
		{"ends a grace time after the call", time.Minute, time.Minute, 61 * time.Second},
		{"ends a grace time after the call, also if it begins later", time.Minute, time.Minute + 600*time.Millisecond, 61 * time.Second},
		{"ends a grace time after the call, also if that is canceled later", time.Minute, 50 * time.Second, 61 * time.Second},
		{"ends after its own time", time.Hour, time.Minute, 80 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var call Call
			defer call.Follow(ctx)()
			began := time.Now()
			time.AfterFunc(row.ends, cancel)
			For(t.Context(), row.begin)
			synctest.Wait()
			last, end := call.Last(ctx, 20*time.Second, time.Second)
			defer end()
			<-last.Done()
			if took := time.Since(began); took != row.want {
				t.Errorf("it %s: it ends after %s, want %s", row.it, took, row.want)
			}
		})
	}
}
