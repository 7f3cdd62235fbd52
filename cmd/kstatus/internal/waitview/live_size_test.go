//go:build unix

package waitview

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// TestLiveResized changes the size of terminals with a frame. Some wrap their lines again,
// others cut them. The next frame must fit, and the old one must be erased.
func TestLiveResized(t *testing.T) {
	for _, wraps := range []bool{true, false} {
		t.Run(fmt.Sprintf("wraps %v", wraps), func(t *testing.T) {
			s := newLiveTerminal(t, 120, 30, terminal.Style{UTF8: true})
			s.begin(t, shopTargets)
			s.play(t, shopSteps()[0])
			s.draw()
			for i, size := range [][2]int{{90, 30}, {60, 30}, {61, 12}, {200, 40}, {130, 7}, {60, 24}, {100, 24}, {2, 2}, {100, 24}} {
				s.now = s.now.Add(time.Second)
				s.terminal.resize(size[0], size[1], wraps)
				frame := s.draw()
				if size[0] < 20 {
					continue
				}
				s.terminal.until(func(screen string) bool {
					return strings.Count(screen, "/12 current") == 1 && strings.HasSuffix(screen, frame)
				}, fmt.Sprintf("just one frame after size %d: %v", i, size))
			}
		})
	}
}

// The text at the end has the width that the terminal has then.
func TestLiveEndsWithTheNewWidth(t *testing.T) {
	s := newLiveTerminal(t, 120, 30, terminal.Style{UTF8: true})
	s.live.Columns, s.live.log.Page.Width = 120, 120
	s.begin(t, shopTargets)
	s.play(t, shopSteps()[0])
	s.draw()
	s.terminal.resize(60, 30, true)
	if err := s.views.End(&s.board, Result{Code: exit.Failed}); err != nil {
		t.Fatal(err)
	}
	if err := s.views.Result(&s.board, Result{Code: exit.Failed}); err != nil {
		t.Fatal(err)
	}
	if s.live.log.Page.Width != 59 {
		t.Errorf("the explanation has %d columns", s.live.log.Page.Width)
	}
	for line := range strings.Lines(s.result.String()) {
		if n := len(strings.TrimRight(line, "\n")); n > 59 {
			t.Errorf("the result has a line of %d columns: %s", n, line)
		}
	}
}

// manyTargets returns the objects of a large wait.
func manyTargets(n int) (targets []observe.Target) {
	for i := range n {
		targets = append(targets, targetOf("Deployment", "apps", fmt.Sprintf("web-%03d", i)))
	}
	return targets
}

// TestLiveOfMany shows 500 objects that change continuously, with the real clock. It checks that
// there are at most ten frames a second. Each frame is complete, as high as the terminal, and
// contains only what changed.
func TestLiveOfMany(t *testing.T) {
	const columns, rows, objects = 100, 30, 500
	s := newLiveTerminal(t, columns, rows, terminal.Style{UTF8: true, Colour: true})
	s.live.finalFrameOnly = false
	s.live.Config.Now = time.Now
	s.live.Began = time.Now()
	began := time.Now()
	s.begin(t, manyTargets(objects))
	targets := manyTargets(objects)
	for round := range 60 {
		for i, target := range targets {
			u := observe.Update{
				Target: target, Progress: observe.ProgressPending, Since: began, Synced: true,
				Result: status.Result{Status: status.InProgressStatus, Reason: "NotAvailable", Message: fmt.Sprintf("%d/60 available", round)},
			}
			if i < round*5 {
				u.Progress, u.Result = observe.ProgressReached, status.Result{Status: status.CurrentStatus, Confidence: status.ConfidenceStrong}
			}
			if err := s.live.Update(NewEvent(u), nil); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(20 * time.Millisecond) // the pace of the updates; the live view draws by the real clock
	}
	s.terminal.until(func(screen string) bool { return strings.Contains(screen, "295/500 current, 205 in progress") }, "the last state")
	took := time.Since(began)
	states := s.terminal.newStates()
	if most := int(took/betweenFrames) + 5; len(states) > most {
		t.Errorf("%d changes of the screen in %v, want %d at most", len(states), took, most)
	}
	for _, state := range states {
		checkWholeFrame(t, state, rows)
	}
	s.terminal.mu.Lock()
	raw := s.terminal.raw.String()
	s.terminal.mu.Unlock()
	if n := strings.Count(raw, "\x1b[J"); n > 2 { // at the start, and with the first objects
		t.Errorf("the screen is erased %d times, want what has changed to be drawn only", n)
	}
	t.Logf("%d objects, %d updates in %v: %d changes of the screen, %d bytes", objects, 60*objects, took.Round(time.Millisecond), len(states), len(raw))
}

// checkWholeFrame checks that a state of the screen is a complete frame of many objects.
func checkWholeFrame(t *testing.T, state string, rows int) {
	t.Helper()
	lines := strings.Split(state, "\n")
	if len(lines) == 1 && strings.Contains(lines[0], "START") || strings.Contains(state, "not read yet") {
		return // before the first frame, or before every object has a line
	}
	head := strings.Index(state, "shop  ")
	frame := strings.Split(state[max(0, head):], "\n")
	switch {
	case head < 0 || !strings.Contains(frame[0], "/500 current"):
		t.Errorf("the screen has no head:\n%s", state)
	case len(frame) == 1 && strings.Contains(frame[0], "500 not read yet"):
	case len(frame) != rows-1:
		t.Errorf("the frame has %d lines, want %d:\n%s", len(frame), rows-1, state)
	case !strings.HasPrefix(frame[1], "  STATUS"), !strings.Contains(state, "… and "):
		t.Errorf("the frame is torn:\n%s", state)
	}
}
