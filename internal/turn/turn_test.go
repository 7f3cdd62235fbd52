package turn_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"kstatus.dev/internal/turn"
)

func TestTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns turn.Turn
		end, err := turns.Take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		why := errors.New("no time")
		ctx, stop := context.WithCancelCause(t.Context())
		late, next := make(chan error), make(chan error)
		go func() {
			_, err := turns.Take(ctx)
			late <- err
		}()
		go func() {
			end, err := turns.Take(t.Context())
			if err == nil {
				end()
			}
			next <- err
		}()
		synctest.Wait()
		stop(why)
		if err := <-late; !errors.Is(err, why) {
			t.Errorf("a caller whose context has ended gets %v, want %v", err, why)
		}
		select {
		case <-next:
			t.Error("two callers have the turn")
		default:
		}
		end()
		if err := <-next; err != nil {
			t.Errorf("the next caller gets %v", err)
		}
		if _, err := turns.Take(ctx); !errors.Is(err, why) {
			t.Errorf("a free turn with a context that has ended: %v", err)
		}
	})
}
