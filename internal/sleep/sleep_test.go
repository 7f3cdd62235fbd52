package sleep

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestLinger(t *testing.T) {
	stopped := errors.New("stopped by the test")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		lingering, end := Linger(ctx, time.Second)
		defer end()
		began := time.Now()
		time.AfterFunc(time.Hour, func() { cancel(stopped) })
		<-lingering.Done()
		if took := time.Since(began); took != time.Hour+time.Second || !errors.Is(context.Cause(lingering), stopped) {
			t.Errorf("it ends after %s because of %v", took, context.Cause(lingering))
		}
		late, end := Linger(ctx, time.Second)
		began = time.Now()
		if late.Err() != nil || For(late, time.Minute) {
			t.Error("a context after the end has no grace time, or has no end")
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("it ends after %s, want a second", took)
		}
		end()
		canceled, end := Linger(t.Context(), time.Second)
		end()
		if canceled.Err() == nil {
			t.Error("it does not end with its cancel function")
		}
	})
}
