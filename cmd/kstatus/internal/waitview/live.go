package waitview

import (
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/frame"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/crash"
	"kstatus.dev/observe"
)

// A Live shows a wait on a terminal: one frame that changes in place, and finally lines with the
// last verdicts.
type Live struct {
	Config
	log            *Log // the lines at the beginning and the end
	screen         *terminal.Screen
	style          terminal.Style // the style of frames; their size is that of the terminal.
	maxWidth       int            // the number of columns in COLUMNS; zero for the terminal's
	finalFrameOnly bool           // no frame is drawn before the end
	panicked       atomic.Pointer[crash.Panic]
	Bare           bool   // only the frame is shown, without the lines of a log
	stopClock      func() // ends the clock
	clockDone      crash.Group

	liveState
}

// liveState is changed by updates and shown in frames.
type liveState struct {
	mu      sync.Mutex // guards the fields below
	board   observe.Board
	pending Pending
	dirty   bool      // the state has changed since the last frame
	drawn   time.Time // the time of the last frame
}

// NewLive returns a live view. All lines except the last go to its screen.
func NewLive(l Config, s Display) *Live {
	said := l
	said.Out = s.Screen
	return &Live{
		Config: l, log: NewLog(said), screen: s.Screen, style: s.Style, maxWidth: s.MaxWidth,
		finalFrameOnly: l.Brief.once(), stopClock: func() {},
	}
}

// Start prints the first line, unless the view is bare.
func (v *Live) Start() error {
	if v.Bare {
		return nil
	}
	var line strings.Builder
	v.log.Out = &line
	v.log.Columns, _ = v.size()
	err := v.log.Start()
	_, werr := io.WriteString(v.screen, line.String())
	return errors.Join(err, werr)
}

// SetTargets starts drawing. A server has responded by then, so the terminal no longer shows a
// prompt for a password.
func (v *Live) SetTargets(all []Target) {
	v.log.SetTargets(all)
	v.mu.Lock()
	v.pending.SetTargets(all)
	v.mu.Unlock()
	if v.finalFrameOnly {
		return
	}
	ended := make(chan struct{})
	resume := terminal.OnSuspend(func() { _ = v.screen.Close("") }, v.screen.Resume)
	v.stopClock = sync.OnceFunc(func() {
		resume()
		close(ended)
		v.clockDone.Wait()
	})
	v.clockDone.Go(func() { v.tick(ended) })
}

// betweenFrames is the minimum time between two frames, betweenClocks between two that differ
// only in the time.
const (
	betweenFrames = 100 * time.Millisecond
	betweenClocks = time.Second
)

// firstFrameDelay is how long a bare view waits for the first objects. A frame without objects
// would only count the selections.
const firstFrameDelay = 2 * time.Second

// tick draws until ended. If a frame takes long, frames are less frequent.
func (v *Live) tick(ended <-chan struct{}) {
	defer func() {
		if p := recover(); p != nil {
			v.panicked.Store(crash.New(p))
		}
	}()
	wait := time.NewTimer(0)
	defer wait.Stop()
	for {
		select {
		case <-ended:
			return
		case <-wait.C:
		}
		began := time.Now()
		v.show()
		wait.Reset(max(betweenFrames, 10*time.Since(began)))
	}
}

// show draws a frame if the state has changed.
func (v *Live) show() {
	f := v.style
	f.Width, f.Height = v.size()
	if s, ok := v.next(f); ok {
		v.screen.Draw(frame.Renderer{Style: f}.Draw(s))
	}
}

// size returns the maximum columns and lines of a frame. Output in the last column or line of a
// terminal may scroll.
func (v *Live) size() (width, height int) {
	width, height = v.screen.Size()
	if v.maxWidth > 0 {
		width = min(width, v.maxWidth)
	}
	return max(1, width-1), max(1, height-1)
}

// next returns the model of the next frame, unless it is unchanged.
func (v *Live) next(f terminal.Style) (frame.Model, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.Now()
	if v.Bare && v.drawn.IsZero() && len(v.pending.unreported()) > 0 && now.Sub(v.Began) < firstFrameDelay {
		return frame.Model{}, false
	}
	if !v.dirty && now.Sub(v.drawn) < betweenClocks && v.style.Width == f.Width && v.style.Height == f.Height {
		return frame.Model{}, false
	}
	v.dirty, v.drawn, v.style = false, now, f
	at := v.input(now)
	at.most = f.Height
	return at.model(), true
}

// relay panics in this goroutine if the goroutine that draws has panicked.
func (v *Live) relay() {
	if p := v.panicked.Load(); p != nil {
		panic(p)
	}
}

func (v *Live) input(now time.Time) modelInput {
	return modelInput{config: v.Config, pending: &v.pending, board: &v.board, progress: v.Progress, now: now, endless: v.Bare}
}

// Update adds an update to the drawn state.
func (v *Live) Update(u Event, _ *observe.Board) error {
	v.relay()
	if u.Tick() {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.board.Add(u.Update)
	v.pending.MarkReported(u.Target)
	v.log.MarkReported(u.Target)
	v.dirty = true
	return nil
}

// End removes the frame and prints the last verdicts in full.
func (v *Live) End(b *observe.Board, e Result) error {
	v.stopClock()
	v.relay()
	full := v.style
	full.Width, full.Height = 0, 0
	columns, _ := v.size()
	if v.log.Page.Width > 0 { // the terminal may have another size than at the start
		v.log.Page.Width = columns
	}
	if v.Columns > 0 {
		v.Columns = columns
	}
	v.mu.Lock()
	last := v.input(v.Now())
	last.limited = true
	text := frame.Renderer{Style: full, Wrap: columns}.Draw(last.model()) + "\n"
	v.mu.Unlock()
	if b.Len() == 0 {
		text = ""
	}
	var rest strings.Builder
	v.log.Out, v.log.Columns = &rest, columns
	var err error
	switch {
	case v.Bare:
	case e.Code == exit.OK:
		err = v.log.warnings(b)
	default:
		err = v.log.unread(e)
	}
	for _, u := range b.Updates() {
		if !v.Bare {
			err = errors.Join(err, v.log.note(u))
		}
	}
	return errors.Join(err, v.screen.Close(text+rest.String()))
}

// Explain prints the explanation below the last verdicts.
func (v *Live) Explain(e *explainer.Explanation) error {
	v.log.Out = v.screen
	return v.log.Explain(e)
}

// Result prints the last line to the output.
func (v *Live) Result(b *observe.Board, e Result) error {
	if v.Bare {
		return nil
	}
	v.log.Out, v.log.Columns = v.Out, v.Columns
	return v.log.Result(b, e)
}
