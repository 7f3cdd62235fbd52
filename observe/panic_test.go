package observe_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
)

// A brokenObject panics when it is judged.
type brokenObject struct{}

func (brokenObject) UnstructuredContent() map[string]any { panic("nobody expected this") }

// A source judges objects in goroutines of its own. A panic there would end the process, and no
// caller could recover it. So it continues in the goroutine that ranges over the updates.
func TestPanicsOfASourceReachTheCaller(t *testing.T) {
	for _, row := range []struct {
		it   string
		ends bool // the source ends after the panic
	}{
		{"panics while the source goes on", false},
		{"panics when the source has ended", true},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stopped := make(chan struct{})
				source := scriptedSource(func(ctx context.Context, report func(observe.Event) bool) error {
					defer close(stopped)
					inner := make(chan bool)
					broken := widget("a", "False", "1", nil)
					broken.Object = brokenObject{}
					go func() { inner <- report(broken) }()
					if open := <-inner; open {
						t.Error("the target is still waited for")
					}
					if !row.ends {
						<-ctx.Done()
					}
					return nil
				})
				defer func() {
					have, ok := recover().(interface {
						Value() any
						Stack() []byte
					})
					if !ok || have.Value() != "nobody expected this" || !strings.Contains(string(have.Stack()), "brokenObject") {
						t.Errorf("want a panic with the value and the stack of the object, have %v", have)
					}
					<-stopped
				}()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				for range (observe.Watcher{Source: source}).Updates(ctx, target("a")) {
				}
			})
		})
	}
}
