//go:build unix

package waitview

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/planted"
)

// TestNoSecretIsShownLive waits for objects with secrets. It searches every frame on the
// terminal, and the lines at the end.
func TestNoSecretIsShownLive(t *testing.T) {
	for _, show := range []bool{false, true} {
		for _, bare := range []bool{false, true} {
			e := newEmulator(t, 400, 100)
			screen := terminal.NewScreen(e.tty)
			t.Cleanup(func() { _ = screen.Close("") })
			var result bytes.Buffer
			clock := NewEventClock(time.Now())
			live := NewLive(Config{Out: &result, Now: time.Now, EventTime: clock.Now, Began: clock.First, Full: true},
				Display{Mode: cli.ProgressLive, Screen: screen, Style: terminal.Style{UTF8: true}})
			live.Bare = bare
			plants := waitForPlants(t, live, clock, show)
			e.untilCursor()
			e.mu.Lock()
			shown := e.raw.String() + result.String()
			e.mu.Unlock()
			found := planted.Count(plants, shown)
			if !show && found > 0 || show && found == 0 || strings.Count(shown, "\n") < 100 {
				t.Errorf("show is %t, bare is %t: %d of %d secrets in %d bytes", show, bare, found, len(plants), len(shown))
			}
		}
	}
}
