package move

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/redact"
)

// A view shows the progress of a move.
type view interface {
	event(e move.Event)
	// end ends the view, so that other text may be printed.
	end()
}

// none shows no progress.
type none struct{}

func (none) event(move.Event) {}
func (none) end()             {}

// phaseText is what a phase does, for people.
var phaseText = map[move.Phase]string{
	move.Planned:     "checking the plan",
	move.Pausing:     "pausing in the source, until every controller has stopped",
	move.Creating:    "creating objects in the target",
	move.Verifying:   "comparing the copies with their originals",
	move.Deleting:    "deleting the originals",
	move.Unpausing:   "unpausing in the target, until every controller has reported",
	move.Cleaning:    "removing the marks of the move",
	move.Done:        "done",
	move.RollingBack: "rolling back",
	move.RolledBack:  "rolled back",
}

// hasSteps reports whether a phase goes through the steps of the plan.
func hasSteps(p move.Phase) bool { return p == move.Creating || p == move.Deleting }

// line returns an event as one line of text, without its time.
func line(e move.Event) string {
	s := string(e.Phase)
	if e.Steps > 0 && hasSteps(e.Phase) {
		s += fmt.Sprintf(" step %d of %d", e.Step, e.Steps)
	}
	if e.Total > 0 {
		s += fmt.Sprintf(" %d/%d", e.Done, e.Total)
	}
	for _, part := range []string{e.Object, e.Message} {
		if part != "" {
			s += ": " + part
		}
	}
	return text.Line(redact.Text(s))
}

// A waiting list has the objects whose controllers have not reacted yet, in the order in which
// they became busy.
type waitingList struct {
	all  map[string]bool // the objects that were seen in this phase
	busy []message
}

// A message is the latest event about an object.
type message struct {
	object, text string
	at           time.Time
}

// add adds an event, and reports whether it is about the reaction of a controller.
func (l *waitingList) add(e move.Event) bool {
	if e.Pause == nil || !slices.Contains([]pause.State{"", pause.Acknowledged, pause.Busy, pause.Unknown}, e.Pause.State) {
		return false
	}
	if l.all == nil {
		l.all = map[string]bool{}
	}
	l.all[e.Object] = true
	i := slices.IndexFunc(l.busy, func(m message) bool { return m.object == e.Object })
	switch isBusy := e.Pause.State == pause.Busy; {
	case isBusy && i < 0:
		l.busy = append(l.busy, message{e.Object, e.Message, e.Time})
	case isBusy:
		l.busy[i].text = e.Message
	case i >= 0:
		l.busy = slices.Delete(l.busy, i, i+1)
	}
	if e.Pause.State == "" {
		delete(l.all, e.Object)
	}
	return true
}

// counts returns how many controllers have reacted, as text.
func (l *waitingList) counts() string {
	return fmt.Sprintf("%d of %s have reacted", len(l.all)-len(l.busy), text.Count(len(l.all), "object"))
}

// betweenCounts is the shortest time between two lines of a log that differ only in their counts.
const betweenCounts = 5 * time.Second

// A logView prints a line for each phase, for each step that is done, and for each special event.
// It prints other counts, and the objects that it waits for, now and then.
type logView struct {
	out   io.Writer
	began time.Time
	now   func() time.Time
	stop  func()

	mu      sync.Mutex // guards the fields below
	last    move.Event // that was printed
	waiting waitingList
	waited  time.Time // when the waiting list was printed, or the phase began
}

// betweenLists is the time between two lines about what a log waits for.
const betweenLists = 15 * time.Second

// newLogView returns a log. Its times count from now.
func newLogView(out io.Writer, now func() time.Time) *logView {
	v := &logView{out: out, began: now(), now: now}
	ended := make(chan struct{})
	var ticks crash.Group
	v.stop = sync.OnceFunc(func() {
		close(ended)
		ticks.Wait()
	})
	ticks.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(time.Second):
				v.tick()
			}
		}
	})
	return v
}

func (v *logView) end() { v.stop() }

func (v *logView) event(e move.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	isNew := e.Phase != v.last.Phase
	if isNew {
		v.print(e.Time, fmt.Sprintf("%s: %s", e.Phase, phaseText[e.Phase]))
		v.waiting, v.waited = waitingList{}, e.Time
	}
	isDue := e.Done == e.Total || e.Time.Sub(v.last.Time) >= betweenCounts
	switch {
	case v.waiting.add(e):
		if !isNew {
			return
		}
	case e.Message != "", e.Total > 0 && isDue:
		v.print(e.Time, line(e))
	case !isNew:
		return
	}
	v.last = e
}

// tick prints what the log waits for, if it is time.
func (v *logView) tick() {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	if len(v.waiting.busy) == 0 || now.Sub(v.waited) < betweenLists {
		return
	}
	v.waited = now
	v.print(now, fmt.Sprintf("%s: %s", v.last.Phase, v.waiting.counts()))
	const most = 5
	for _, m := range v.waiting.busy[:min(most, len(v.waiting.busy))] {
		v.print(now, fmt.Sprintf("  %s: %s (for %s)", m.object, m.text, duration.Text(now.Sub(m.at))))
	}
	if more := len(v.waiting.busy) - most; more > 0 {
		v.print(now, fmt.Sprintf("  and %s", text.Count(more, "other object")))
	}
}

func (v *logView) print(at time.Time, s string) {
	fmt.Fprintf(v.out, "%s %s\n", duration.Clock(at.Sub(v.began)), text.Line(redact.Text(s)))
}

// A liveView draws the phase, the counts and the last messages on a terminal.
type liveView struct {
	screen *terminal.Screen
	style  terminal.Style
	began  time.Time
	now    func() time.Time
	stop   func()

	mu       sync.Mutex // guards the fields below
	last     move.Event
	counts   move.Event // the last event with a count in this phase
	waiting  waitingList
	messages []string // the newest last
	done     []string // the phases that are over
}

// betweenFrames is the time between two frames.
const betweenFrames = 200 * time.Millisecond

// newLiveView begins to draw.
func newLiveView(screen *terminal.Screen, style terminal.Style, now func() time.Time) *liveView {
	v := &liveView{screen: screen, style: style, began: now(), now: now}
	ended := make(chan struct{})
	var ticks crash.Group
	resume := terminal.OnSuspend(func() { _ = screen.Close("") }, screen.Resume)
	v.stop = sync.OnceFunc(func() {
		resume()
		close(ended)
		ticks.Wait()
		_ = screen.Close("") // the terminal is closed, or nothing was drawn
	})
	ticks.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(betweenFrames):
				width, height := screen.Size()
				screen.Draw(v.frame(max(1, width-1), max(1, height-1)))
			}
		}
	})
	return v
}

func (v *liveView) event(e move.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if e.Phase != v.last.Phase {
		if v.last.Phase != "" {
			v.done = append(v.done, string(v.last.Phase))
		}
		v.counts, v.waiting, v.messages = move.Event{}, waitingList{}, nil
	}
	v.last = e
	if e.Total > 0 || e.Steps > 0 && hasSteps(e.Phase) {
		v.counts = e
	}
	if !v.waiting.add(e) && e.Message != "" {
		const most = 10
		e.Steps, e.Total = 0, 0
		v.messages = append(v.messages, line(e))
		v.messages = v.messages[max(0, len(v.messages)-most):]
	}
}

func (v *liveView) end() { v.stop() }

// frame returns the lines of a frame.
func (v *liveView) frame(width, height int) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	style := v.style
	style.Width = width
	phase := cmp.Or(phaseText[v.last.Phase], "reading both clusters")
	lines := []string{duration.Text(now.Sub(v.began).Truncate(time.Second)) + "  " + strings.Join(append(slices.Clone(v.done), phase), " > ")}
	if v.counts.Steps > 0 || v.counts.Total > 0 {
		e := v.counts
		e.Object, e.Message = "", ""
		lines = append(lines, line(e))
		if e.Total > 0 {
			lines = append(lines, bar(style, e.Done, e.Total, min(width, 60)))
		}
	}
	lines = append(lines, v.messages...)
	if len(v.waiting.all) > 0 {
		lines = append(lines, v.waiting.counts())
	}
	for _, m := range v.waiting.busy {
		lines = append(lines, fmt.Sprintf("%6s  %s: %s", duration.Text(now.Sub(m.at)), m.object, m.text))
	}
	if more := len(lines) - height; more > 0 {
		lines = append(lines[:height-1], fmt.Sprintf("and %d more", more+1))
	}
	for i, l := range lines {
		lines[i] = style.Cut(style.Text(l, width), width)
	}
	return strings.Join(lines, "\n")
}

// bar returns a bar that shows how much is done.
func bar(style terminal.Style, done, total, width int) string {
	full, empty := "#", "."
	if style.UTF8 {
		full, empty = "█", "░"
	}
	n := width * min(done, total) / total
	return strings.Repeat(full, n) + strings.Repeat(empty, width-n)
}
