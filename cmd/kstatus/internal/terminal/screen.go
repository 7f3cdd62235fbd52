package terminal

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	xterm "github.com/charmbracelet/x/term"
)

// A Screen draws frames on a terminal, each in the place of the one before.
// What is written to it meanwhile, for people, passes above them line by line,
// so that nothing ever tears a frame. Any goroutine may use it.
//
// The terminal's cursor rests where the frame begins. However a terminal that is
// made narrower wraps the lines of the old frame anew, they stand behind the
// cursor then and are all erased.
type Screen struct {
	file xterm.File
	view atomicWriter

	mu      sync.Mutex // guards what follows
	program *tea.Program
	ended   chan struct{}
	restore func() // gives the terminal its echo back
	rescued func() // ends the watch for signals that end the process
	Frame   string
	width   int
	height  int
	halted  bool         // no frame is drawn any more
	partial bytes.Buffer // a line that has not ended yet
}

// NewScreen returns a screen on a terminal. Nothing is drawn yet.
func NewScreen(file xterm.File) *Screen {
	return &Screen{file: file, view: atomicWriter{out: file}}
}

// Size returns how many columns and lines the terminal has.
func (s *Screen) Size() (width, height int) {
	width, height, err := xterm.GetSize(s.file.Fd())
	if err != nil || width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}

// Draw shows a frame of at most so many columns and lines as the terminal has.
func (s *Screen) Draw(frame string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.halted {
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

// framesPerSecond is how often the terminal is updated at most. The caller decides how often a
// frame changes.
const framesPerSecond = 30

// open starts the program that draws. It sends no query to the terminal, whose response would
// look like input. It does not read input either.
func (s *Screen) open(width, height int) {
	s.width, s.height = width, height
	s.program = tea.NewProgram(teaModel{},
		tea.WithInput(nil),
		tea.WithOutput(&s.view),
		tea.WithoutSignalHandler(),
		tea.WithoutCatchPanics(),
		tea.WithFPS(framesPerSecond),
		tea.WithWindowSize(width, height),
		tea.WithColorProfile(colorprofile.ANSI256), // frames have colours where they are wanted only
		tea.WithEnvironment([]string{"TERM=xterm", "SSH_TTY=unasked"}),
	)
	s.restore = withoutEcho(s.file)
	s.rescued = beforeDeath(func() { _ = s.Close("") })
	s.view.begin(ansi.ResetModeTextCursorEnable)
	s.ended = make(chan struct{})
	go func(program *tea.Program, ended chan struct{}) {
		defer close(ended)
		_, _ = program.Run() // it ends on request; errors of writes do not matter
	}(s.program, s.ended)
}

// Close takes the frame away, writes the last text in its place, and leaves the
// terminal as it was.
func (s *Screen) Close(last string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.halted = true
	if s.program == nil {
		_, err := io.WriteString(s.file, last)
		return err
	}
	s.view.hold()
	s.program.Send(frameMessage(""))
	s.program.Quit()
	<-s.ended
	s.program, s.Frame = nil, ""
	s.rescued()
	defer s.restore()
	return s.view.end(ansi.EraseScreenBelow + ansi.SetModeTextCursorEnable + last)
}

// Resume draws again after close.
func (s *Screen) Resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.halted = false
}

// Write takes lines for people.
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

// Init has nothing to do.
func (c teaModel) Init() tea.Cmd { return nil }

// Update takes a frame.
func (c teaModel) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	if frame, ok := m.(frameMessage); ok {
		c.frame = string(frame)
	}
	return c, nil
}

// View returns the frame. The cursor has its place at the beginning; that it is
// not seen there is up to the atomicWriter.
func (c teaModel) View() tea.View {
	v := tea.NewView(c.frame)
	v.Cursor = tea.NewCursor(0, 0)
	v.DisableBracketedPasteMode = true
	return v
}

// An atomicWriter hands each write to the terminal as one change that is shown
// at once, as far as the terminal knows how to (mode 2026, which others pass
// over), and keeps the cursor hidden. While it holds, nothing is shown.
type atomicWriter struct {
	out io.Writer

	mu   sync.Mutex // guards what follows
	held *strings.Builder
}

// What a frame may not do: show the cursor, or change how it looks.
var cursorChanges = strings.NewReplacer(ansi.SetModeTextCursorEnable, "", ansi.ResetModeTextCursorEnable, "", ansi.SetCursorStyle(1), "")

// Write shows a change.
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

// begin writes text, and shows from then on what is written.
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

// end shows what was held and the text as one change.
func (w *atomicWriter) end(text string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := ansi.SetModeSynchronizedOutput + w.held.String() + text + ansi.ResetModeSynchronizedOutput
	w.held = nil
	_, err := io.WriteString(w.out, all)
	return err
}
