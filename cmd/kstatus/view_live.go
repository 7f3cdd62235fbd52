package main

import (
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/observe"
)

// A liveView shows a wait on a terminal: one frame that changes in place, and at
// the end, in lines that stay, where everything stands.
type liveView struct {
	config
	log    *logView // says the same in lines, for the beginning and the end
	screen *screen
	style  style  // how frames look; their size is that of the terminal
	most   int    // columns, by COLUMNS; zero: as many as the terminal has
	still  bool   // nothing is drawn before the end
	bare   bool   // nothing is said but what there is to see
	quit   func() // ends the clock
	ticked sync.WaitGroup

	mu      sync.Mutex // guards what follows
	board   observe.Board
	pending pending
	dirty   bool      // there is more to see than on the last frame
	drawn   time.Time // when the last frame was
}

// newLiveView returns a live view. All but the last line goes to its screen.
func newLiveView(l config, s display) *liveView {
	said := l
	said.out = s.screen
	return &liveView{
		config: l, log: newLogView(said), screen: s.screen, style: s.style, most: s.most,
		still: l.brief.once(), quit: func() {},
	}
}

func (v *liveView) start() error {
	if v.bare {
		return nil
	}
	var line strings.Builder
	v.log.out = &line
	err := v.log.start()
	width, _ := v.screen.size()
	_, werr := io.WriteString(v.screen, ansi.Wrap(line.String(), width-1, ""))
	return errors.Join(err, werr)
}

// know begins to draw: now that a server has answered, nothing that asks for a
// password is in the way any more.
func (v *liveView) know(all []target) {
	v.log.know(all)
	v.mu.Lock()
	v.pending.know(all)
	v.mu.Unlock()
	if v.still {
		return
	}
	ended := make(chan struct{})
	resume := aroundStops(func() { _ = v.screen.close("") }, v.screen.resume)
	v.quit = sync.OnceFunc(func() {
		resume()
		close(ended)
		v.ticked.Wait()
	})
	v.ticked.Go(func() { v.tick(ended) })
}

// Frames are this far apart at least, and those that differ in nothing but the
// time so far.
const (
	betweenFrames = 100 * time.Millisecond
	betweenClocks = time.Second
)

// tick draws until ended. A frame that takes long to make is not made often.
func (v *liveView) tick(ended <-chan struct{}) {
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

// show draws a frame if there is something new to see.
func (v *liveView) show() {
	width, height := v.screen.size()
	if v.most > 0 {
		width = min(width, v.most)
	}
	f := v.style
	f.width, f.height = max(1, width-1), max(1, height-1) // what is written into the last column or line may move the rest
	v.mu.Lock()
	now := v.now()
	if !v.dirty && now.Sub(v.drawn) < betweenClocks && v.style.width == f.width && v.style.height == f.height {
		v.mu.Unlock()
		return
	}
	v.dirty, v.drawn, v.style = false, now, f
	at := v.input(now)
	at.most = f.height
	s := at.model()
	v.mu.Unlock()
	v.screen.draw(renderer{f}.draw(s))
}

func (v *liveView) input(now time.Time) modelInput {
	return modelInput{look: v.config, pending: &v.pending, board: &v.board, progress: v.progress, now: now}
}

func (v *liveView) update(u event, _ *observe.Board) error {
	if u.tick() {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.board.Add(u.Update)
	v.pending.hear(u.Target)
	v.log.hear(u.Target)
	v.dirty = true
	return nil
}

// end takes the frame away and tells in full where everything stands.
func (v *liveView) end(b *observe.Board, e result) error {
	v.quit()
	full := v.style
	full.width, full.height = 0, 0
	v.mu.Lock()
	text := renderer{full}.draw(v.input(v.now()).model()) + "\n"
	v.mu.Unlock()
	if b.Len() == 0 {
		text = ""
	}
	var rest strings.Builder
	v.log.out = &rest
	var err error
	switch {
	case v.bare:
	case e.code == exitOK:
		err = v.log.warnings(b)
	default:
		err = v.log.unheard()
	}
	return errors.Join(err, v.screen.close(text+rest.String()))
}

// why tells why below where everything stands.
func (v *liveView) why(e *explained) error {
	v.log.out = v.screen
	return v.log.why(e)
}

func (v *liveView) result(b *observe.Board, e result) error {
	if v.bare {
		return nil
	}
	v.log.out = v.out
	return v.log.result(b, e)
}
