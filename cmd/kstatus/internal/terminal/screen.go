package terminal

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	xterm "github.com/charmbracelet/x/term"

	"kstatus.dev/internal/crash"
)

// A Screen draws frames on a terminal. Each frame replaces the previous one. Text that is
// written to the Screen appears line by line above the frame, and does not damage it. It is safe
// for concurrent use.
//
// The cursor stays at the beginning of the frame. If a terminal becomes narrower, it wraps the
// lines of the old frame again. They are then still after the cursor, so all of them are erased.
type Screen struct {
	file xterm.File
	view atomicWriter

	mu            sync.Mutex // guards the fields below
	program       *tea.Program
	ended         chan struct{}
	restore       func() // restores the echo of the terminal
	stopRestoring func() // ends the restoration before a sudden end of the process
	Frame         string
	width         int
	height        int
	stopped       bool         // do not draw any more
	partial       bytes.Buffer // an incomplete line
}

// NewScreen returns a screen on a terminal, without drawing.
func NewScreen(file xterm.File) *Screen {
	return &Screen{file: file, view: atomicWriter{out: file}}
}

// Size returns the columns and lines of the terminal.
func (s *Screen) Size() (width, height int) {
	width, height, err := xterm.GetSize(s.file.Fd())
	if err != nil || width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}

// Draw draws a frame. The frame must fit the size of the terminal.
func (s *Screen) Draw(frame string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return
	}
	width, height := s.Size()
	if s.program == nil {
		s.open(width, height)
	}
	if width != s.width || height != s.height {
		s.width, s.height = width, height
		s.program.Send(tea.WindowSizeMsg{Width: width, Height: height})
	}
	if frame != s.Frame {
		s.Frame = frame
		s.program.Send(frameMessage(frame))
	}
}

// framesPerSecond is the maximum rate of updates of the terminal. The caller decides how often a
// frame changes.
const framesPerSecond = 30

// open starts the program that draws. It sends no query to the terminal, since the response
// would look like input. It does not read input.
func (s *Screen) open(width, height int) {
	s.width, s.height = width, height
	s.program = tea.NewProgram(teaModel{},
		tea.WithInput(nil),
		tea.WithOutput(&s.view),
		tea.WithoutSignalHandler(),
		tea.WithoutCatchPanics(),
		tea.WithFPS(framesPerSecond),
		tea.WithWindowSize(width, height),
		tea.WithColorProfile(colorprofile.ANSI256), // the renderer keeps the colours of frames
		tea.WithEnvironment([]string{"TERM=xterm", "SSH_TTY=unasked"}),
	)
	s.restore = withoutEcho(s.file)
	s.stopRestoring = s.restoreAtSuddenEnd()
	s.view.begin(ansi.ResetModeTextCursorEnable)
	program, ended := s.program, make(chan struct{})
	s.ended = ended
	crash.Go(func() {
		defer close(ended)
		_, _ = program.Run() // the screen ends it; errors of writes do not matter
	})
}

// restoreAtSuddenEnd restores the terminal before a signal or a panic of another goroutine ends the
// process, until done is called.
func (s *Screen) restoreAtSuddenEnd() (done func()) {
	restore := func() {
		restored := make(chan struct{})
		crash.Go(func() {
			defer close(restored)
			_ = s.Close("")
		})
		select {
		case <-restored:
		case <-time.After(time.Second): // the terminal accepts no writes, or the panic is of the screen
		}
	}
	noSignal, noPanic := onFatalSignal(restore), crash.Handle(func(*crash.Panic) { restore() })
	return func() {
		noSignal()
		noPanic()
	}
}

// Close replaces the frame by the last text, and restores the terminal.
func (s *Screen) Close(last string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	if s.program == nil {
		_, err := io.WriteString(s.file, last)
		return err
	}
	s.view.hold()
	s.program.Send(frameMessage(""))
	s.program.Quit()
	<-s.ended
	s.program, s.Frame = nil, ""
	s.stopRestoring()
	defer s.restore()
	return s.view.end(ansi.EraseScreenBelow + ansi.SetModeTextCursorEnable + last)
}

// Resume draws again after Close.
func (s *Screen) Resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = false
}

// Write prints complete lines above the frame.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.program == nil {
		return s.file.Write(p)
	}
	s.partial.Write(p)
	whole := bytes.LastIndexByte(s.partial.Bytes(), '\n')
	if whole < 0 {
		return len(p), nil
	}
	text := string(s.partial.Next(whole))
	s.partial.Next(1)
	s.program.Send(tea.Println(ansi.Wrap(text, s.width-1, ""))())
	return len(p), nil
}

// A teaModel is the model of Bubble Tea: the last frame.
type teaModel struct{ frame string }

type frameMessage string

// Init does nothing.
func (c teaModel) Init() tea.Cmd { return nil }

// Update sets the frame.
func (c teaModel) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	if frame, ok := m.(frameMessage); ok {
		c.frame = string(frame)
	}
	return c, nil
}

// View returns the frame, with the cursor at its beginning. The atomicWriter hides the cursor.
func (c teaModel) View() tea.View {
	v := tea.NewView(c.frame)
	v.Cursor = tea.NewCursor(0, 0)
	v.DisableBracketedPasteMode = true
	return v
}

// An atomicWriter writes each change to the terminal as a synchronized update (mode 2026), and
// keeps the cursor hidden. Terminals without that mode ignore it. While the writer holds
// changes, it writes nothing.
type atomicWriter struct {
	out io.Writer

	mu   sync.Mutex // guards the fields below
	held *strings.Builder
}

// cursorChanges removes sequences that show the cursor, or change its style.
var cursorChanges = strings.NewReplacer(ansi.SetModeTextCursorEnable, "", ansi.ResetModeTextCursorEnable, "", ansi.SetCursorStyle(1), "")

// Write writes a change, or holds it.
func (w *atomicWriter) Write(p []byte) (int, error) {
	text := cursorChanges.Replace(string(p))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held != nil {
		w.held.WriteString(text)
		return len(p), nil
	}
	if text == "" {
		return len(p), nil
	}
	_, err := io.WriteString(w.out, ansi.SetModeSynchronizedOutput+text+ansi.ResetModeSynchronizedOutput)
	return len(p), err
}

// begin writes text without synchronization.
func (w *atomicWriter) begin(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = io.WriteString(w.out, text) // later writes report a closed terminal
}

func (w *atomicWriter) hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = new(strings.Builder)
}

// end writes the held changes and text as one change.
func (w *atomicWriter) end(text string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := ansi.SetModeSynchronizedOutput + w.held.String() + text + ansi.ResetModeSynchronizedOutput
	w.held = nil
	_, err := io.WriteString(w.out, all)
	return err
}
