//go:build unix

package waitview

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// An emulator is a terminal that records every state of its screen.
type emulator struct {
	t      *testing.T
	master *os.File
	tty    *os.File
	done   chan struct{}

	mu     sync.Mutex // guards the fields below
	vt     vt10x.Terminal
	raw    bytes.Buffer
	states []string // the screen after each synchronized update
}

// The sequences at the start and the end of a synchronized update.
const changeBegins, changeEnds = "\x1b[?2026h", "\x1b[?2026l"

func newEmulator(t *testing.T, columns, rows int) *emulator {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	e := &emulator{t: t, master: master, tty: tty, done: make(chan struct{}), vt: vt10x.New(vt10x.WithSize(columns, rows))}
	e.setSize(columns, rows)
	go e.read()
	t.Cleanup(func() {
		tty.Close()
		<-e.done
		master.Close()
	})
	return e
}

func (e *emulator) setSize(columns, rows int) {
	if err := pty.Setsize(e.tty, &pty.Winsize{Rows: uint16(rows), Cols: uint16(columns)}); err != nil {
		e.t.Fatal(err)
	}
}

// read shows the output, one update at a time.
func (e *emulator) read() {
	defer close(e.done)
	buffer := make([]byte, 1<<16)
	var rest []byte
	for {
		n, err := e.master.Read(buffer)
		rest = e.show(append(rest, buffer[:n]...))
		if err != nil {
			return
		}
	}
}

// show shows all complete updates, and returns the rest of the text.
func (e *emulator) show(text []byte) (rest []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(text) > 0 {
		n := len(text)
		if i := bytes.Index(text, []byte(changeBegins)); i == 0 {
			if n = bytes.Index(text, []byte(changeEnds)); n < 0 {
				return bytes.Clone(text)
			}
			n += len(changeEnds)
		} else if i > 0 {
			n = i
		}
		e.raw.Write(text[:n])
		_, _ = e.vt.Write(text[:n])
		e.states = append(e.states, e.screen())
		text = text[n:]
	}
	return nil
}

// screen returns the lines of the screen without trailing blanks.
func (e *emulator) screen() string {
	lines := strings.Split(e.vt.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \x00")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func (e *emulator) now() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.screen()
}

// resize changes the size of the terminal. If it wraps lines again, the cursor stays at its
// character.
func (e *emulator) resize(columns, rows int, wraps bool) {
	e.mu.Lock()
	if wraps {
		e.vt = rewrapped(e.vt, columns, rows)
	} else {
		e.vt.Resize(columns, rows)
	}
	e.mu.Unlock()
	e.setSize(columns, rows)
}

// rewrapped returns a terminal of another size with the same lines, wrapped to its width. Lines
// that do not fit scroll out at the top.
func rewrapped(old vt10x.Terminal, columns, rows int) vt10x.Terminal {
	cursor := old.Cursor()
	var lines []string
	at := 0
	for y, line := range strings.Split(strings.TrimRight(old.String(), "\n "), "\n") {
		if y == cursor.Y {
			at = len(lines) + cursor.X/columns
		}
		runes := []rune(strings.TrimRight(line, " "))
		for len(runes) > columns {
			lines = append(lines, string(runes[:columns]))
			runes = runes[columns:]
		}
		lines = append(lines, string(runes))
	}
	above := max(0, min(at, len(lines)-rows))
	lines = lines[above:min(len(lines), above+rows)]
	fresh := vt10x.New(vt10x.WithSize(columns, rows))
	_, _ = io.WriteString(fresh, strings.Join(lines, "\r\n")+"\x1b[H")
	for range at - above {
		_, _ = io.WriteString(fresh, "\n")
	}
	return fresh
}

// until waits until wanted accepts the screen.
func (e *emulator) until(wanted func(screen string) bool, what string) {
	e.t.Helper()
	deadline := time.Now().Add(time.Minute) // far more than it takes
	for !wanted(e.now()) {
		if time.Now().After(deadline) {
			e.t.Fatalf("the screen never shows %s; it shows\n%s", what, e.now())
		}
		time.Sleep(5 * time.Millisecond) // between two looks at the screen, which a goroutine writes
	}
}

// untilCursor waits until the terminal shows its cursor again.
func (e *emulator) untilCursor() {
	e.t.Helper()
	e.until(func(string) bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.vt.CursorVisible()
	}, "its cursor again")
}

// newStates returns the states of the screen since the last call.
func (e *emulator) newStates() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	states := e.states
	e.states = nil
	return states
}
