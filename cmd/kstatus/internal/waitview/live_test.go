//go:build unix

package waitview

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

var update = flag.Bool("update", false, "rewrite testdata/live and docs/pictures")

var liveStart = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A liveScript is a simulated wait for the objects of a shop.
type liveScript struct {
	now       time.Time
	config    Config
	board     observe.Board
	durations *Durations
	views     Multi
}

// A liveStep is the events at one time.
type liveStep struct {
	at      time.Duration
	updates []observe.Update
	note    string
}

func targetOf(kind, group, name string) observe.Target {
	return observe.Target{Kind: status.Kind{Group: group, Kind: kind}, Namespace: "shop", Name: name}
}

// shopTargets are the objects of the play, in the order of the play.
var shopTargets = []observe.Target{
	targetOf("Deployment", "apps", "api"), targetOf("StatefulSet", "apps", "db"), targetOf("Certificate", "cert-manager.io", "web-tls"),
	targetOf("Deployment", "apps", "web"), targetOf("Deployment", "apps", "products-and-prices-of-every-shop"), targetOf("Job", "batch", "migrate"),
	targetOf("ConfigMap", "", "api"), targetOf("ConfigMap", "", "web"), targetOf("ConfigMap", "", "db"),
	targetOf("Service", "", "api"), targetOf("Service", "", "web"), targetOf("Service", "", "db"),
}

// shopSteps returns the steps of the play: start, progress, a problem, and a failure.
func shopSteps() []liveStep {
	update := func(i int, s status.Status, reason, message string, standing observe.Progress) observe.Update {
		return observe.Update{
			Target: shopTargets[i], Progress: standing, Since: liveStart, Version: observe.Version{UID: "1", Generation: 1},
			Result: status.Result{Status: s, Reason: reason, Message: message, Confidence: status.ConfidenceStrong},
		}
	}
	progress := func(i int, message string) observe.Update {
		return update(i, status.InProgressStatus, "NotAvailable", message, observe.ProgressPending)
	}
	done := func(i int) observe.Update {
		return update(i, status.CurrentStatus, "Available", "", observe.ProgressReached)
	}
	first := []observe.Update{
		progress(0, "0/3 updated"), progress(1, "0/3 ready"), progress(2, "Ready is False: Issuing certificate as Secret does not exist"),
		progress(3, "0/2 available"), progress(4, "0/1 available"), progress(5, "0/1 completed"),
	}
	for i := 6; i < len(shopTargets); i++ {
		first = append(first, done(i))
	}
	first[len(first)-1].Synced = true
	failing := progress(0, "2/3 available")
	failing.Parts = &status.Parts{Count: 1, Kind: "Pod", Name: "api-7c9f-x2x4p", Reason: "CrashLoop", Message: "CrashLoopBackOff: container api exits with code 1 (4 restarts)"}
	failing.Progress, failing.FailsAt, failing.Result.Failure = observe.ProgressFailing, liveStart.Add(110*time.Second), status.FailureRecoverable
	failing.Result.Reason = "CrashLoop"
	failed := failing
	failed.Progress, failed.FailsAt, failed.Result.Status = observe.ProgressFailed, time.Time{}, status.FailedStatus
	return []liveStep{
		{at: time.Second, updates: first},
		{at: 12 * time.Second, updates: []observe.Update{done(3), done(4), progress(0, "2/3 available")}},
		{at: 20 * time.Second, updates: []observe.Update{done(5)}, note: "note: shop: watch is not permitted, so it is listed every 10s; this is said above, on as many lines as it takes"},
		{at: 54 * time.Second, updates: []observe.Update{progress(1, "1/3 ready; Pod db-1: its containers are being created")}},
		{at: 80 * time.Second, updates: []observe.Update{failing}},
		{at: 102 * time.Second},
		{at: 110 * time.Second, updates: []observe.Update{failed}},
	}
}

func newLiveScript(show func(Config) View) *liveScript {
	p := &liveScript{now: liveStart}
	p.durations = NewDurations("", "prod", func() time.Time { return p.now }, nil)
	p.durations.Progress.Usual = func(t observe.Target) (time.Duration, bool) {
		return 130 * time.Second, t.Name == "db"
	}
	p.config = Config{
		Now: func() time.Time { return p.now }, EventTime: func() time.Time { return p.now }, Began: liveStart, Progress: p.durations.Progress,
		Brief: Brief{
			Request: output.Summary{Subject: "12 objects", Objects: 12, Namespaces: []string{"shop"}, Contexts: []string{"prod"}},
			Goals:   []observe.Goal{goal.Current()}, Timeout: new(10 * time.Minute),
		},
	}
	p.views = Multi{p.durations, show(p.config)}
	return p
}

// begin passes the targets to the views.
func (p *liveScript) begin(t *testing.T, targets []observe.Target) {
	t.Helper()
	if err := p.views.Start(); err != nil {
		t.Fatal(err)
	}
	all := make([]Target, len(targets))
	for i, t := range targets {
		all[i].Target = t
	}
	p.views.SetTargets(all)
}

// play passes the events of a step to the views.
func (p *liveScript) play(t *testing.T, s liveStep) {
	t.Helper()
	p.now = liveStart.Add(s.at)
	for _, u := range s.updates {
		p.board.Add(u)
		if err := p.views.Update(NewEvent(u), &p.board); err != nil {
			t.Fatal(err)
		}
	}
}

// golden compares text with a file of testdata. -update rewrites the file.
func golden(t *testing.T, name, have string) {
	t.Helper()
	file := filepath.Join("testdata", "live", name)
	if *update {
		if err := os.WriteFile(file, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != have {
		t.Errorf("%s: have\n%s\nwant\n%s", file, have, want)
	}
}

// A liveTerminal shows a script on a terminal. The script decides when frames are drawn.
type liveTerminal struct {
	*liveScript
	terminal *emulator
	screen   *terminal.Screen
	live     *Live
	result   bytes.Buffer
}

func newLiveTerminal(t *testing.T, columns, rows int, f terminal.Style) *liveTerminal {
	s := &liveTerminal{terminal: newEmulator(t, columns, rows)}
	s.screen = terminal.NewScreen(s.terminal.tty)
	s.liveScript = newLiveScript(func(l Config) View {
		l.Out = &s.result
		s.live = NewLive(l, Display{Mode: cli.ProgressLive, Screen: s.screen, Style: f})
		s.live.finalFrameOnly = true // the script draws frames itself
		return s.live
	})
	t.Cleanup(func() { _ = s.screen.Close("") })
	return s
}

// draw draws a frame, and waits until the terminal shows it.
func (s *liveTerminal) draw() (frame string) {
	s.live.mu.Lock()
	s.live.dirty = true
	s.live.mu.Unlock()
	s.live.show()
	frame = s.screen.Frame
	columns, rows := s.screen.Size()
	for line := range strings.SplitSeq(uncoloured(frame), "\n") {
		if n := ansi.StringWidthWc(line); n >= columns {
			s.terminal.t.Errorf("a line has %d of %d columns: the last one is to be left free\n%s", n, columns, line)
		}
	}
	if n := strings.Count(frame, "\n") + 1; n >= rows {
		s.terminal.t.Errorf("a frame has %d of %d lines: the last one is to be left free", n, rows)
	}
	s.terminal.until(func(screen string) bool { return strings.HasSuffix(screen, uncoloured(frame)) }, "the frame\n"+frame)
	return uncoloured(frame)
}

// TestLive plays a wait on terminals of several widths. It compares the screen after each step,
// the screen at the end, and the last line with golden files. It also checks that the terminal
// showed no other states in between.
func TestLive(t *testing.T) {
	for _, c := range []struct {
		columns, rows int
		frame         terminal.Style
	}{
		{60, 24, terminal.Style{UTF8: true, Colour: true}},
		{100, 24, terminal.Style{UTF8: true, Colour: true}},
		{200, 24, terminal.Style{UTF8: true, Colour: true}},
		{80, 12, terminal.Style{}},
	} {
		name := fmt.Sprintf("%dx%d.golden", c.columns, c.rows)
		t.Run(name, func(t *testing.T) {
			s := newLiveTerminal(t, c.columns, c.rows, c.frame)
			s.begin(t, shopTargets)
			var all strings.Builder
			frames := []string{""}
			for _, step := range shopSteps() {
				s.play(t, step)
				if step.note != "" {
					fmt.Fprintln(s.screen, step.note)
				}
				frames = append(frames, s.draw())
				fmt.Fprintf(&all, "-- %s\n%s\n", step.at, s.terminal.now())
				s.checkStates(frames)
			}
			e := Result{Code: exit.Failed}
			if err := s.views.End(&s.board, e); err != nil {
				t.Fatal(err)
			}
			if err := s.views.Result(&s.board, e); err != nil {
				t.Fatal(err)
			}
			s.terminal.untilCursor()
			fmt.Fprintf(&all, "-- at the end\n%s\n-- standard output\n%s", s.terminal.now(), &s.result)
			golden(t, name, all.String())
		})
	}
}

// checkStates checks every state of the screen: each is a complete frame, and an old frame only
// comes before the next one.
func (s *liveTerminal) checkStates(frames []string) {
	s.terminal.t.Helper()
	for _, state := range s.terminal.newStates() {
		last, before := frames[len(frames)-1], frames[len(frames)-2]
		if !strings.HasSuffix(state, last) && !strings.HasSuffix(state, before) {
			s.terminal.t.Errorf("the screen shows\n%s\nwhich is neither\n%s\nnor\n%s", state, before, last)
		}
	}
}

func uncoloured(text string) string {
	for {
		i := strings.Index(text, "\x1b[")
		if i < 0 {
			return text
		}
		n := strings.IndexByte(text[i:], 'm')
		text = text[:i] + text[i+n+1:]
	}
}

// TestLiveAsLog prints the same play as a plain log.
func TestLiveAsLog(t *testing.T) {
	var out bytes.Buffer
	p := newLiveScript(func(l Config) View {
		l.Out = &out
		return NewLog(l)
	})
	p.begin(t, shopTargets)
	for _, step := range shopSteps() {
		if step.note != "" {
			fmt.Fprintln(&out, step.note)
		}
		if step.at == 102*time.Second { // a heartbeat
			step.updates = []observe.Update{{}}
		}
		p.play(t, step)
	}
	e := Result{Code: exit.Failed}
	if err := p.views.End(&p.board, e); err != nil {
		t.Fatal(err)
	}
	if err := p.views.Result(&p.board, e); err != nil {
		t.Fatal(err)
	}
	golden(t, "log.golden", out.String())
}

// TestLivePrintsNotesAboutAnnotations checks that the live view ends with the notes about
// annotations that the log has. It prints each note once per kind, for any outcome, and other warnings
// at success. A bare view prints none.
func TestLivePrintsNotesAboutAnnotations(t *testing.T) {
	const note = "its annotation kstatus.dev/ignore was not used\x1b[2J"
	for _, c := range []struct {
		name string
		code exit.Code
		bare bool
		want int
	}{{"at success", exit.OK, false, 1}, {"after a failure", exit.Failed, false, 1}, {"in a bare view", exit.OK, true, 0}} {
		t.Run(c.name, func(t *testing.T) {
			s := newLiveTerminal(t, 200, 24, terminal.Style{})
			s.live.Bare = c.bare
			pods := []observe.Target{{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "a"}, {Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "b"}}
			s.begin(t, pods)
			var updates []observe.Update
			for _, pod := range pods {
				updates = append(updates, observe.Update{Target: pod, Progress: observe.ProgressReached, Since: liveStart,
					Result: status.Result{Status: status.CurrentStatus, Reason: "Ready", Confidence: status.ConfidenceStrong, Warnings: []string{"odd", note}}})
			}
			updates[1].Synced = true
			s.play(t, liveStep{at: time.Second, updates: updates})
			s.draw()
			if err := s.views.End(&s.board, Result{Code: c.code}); err != nil {
				t.Fatal(err)
			}
			s.terminal.untilCursor()
			screen := s.terminal.now()
			if n := strings.Count(screen, "NOTE"); n != c.want || strings.Contains(screen, "current, but odd") != (c.want > 0 && c.code == exit.OK) {
				t.Errorf("%d notes, want %d:\n%s", n, c.want, screen)
			}
			if c.want > 0 && !strings.Contains(screen, "Pod/shop/a: its annotation kstatus.dev/ignore was not used") {
				t.Errorf("the note is not on\n%s", screen)
			}
		})
	}
}
