package cli

import (
	"context"
	"io"
	"log"
	"strings"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/text"
)

// WithGuard returns the environment with streams that print no command for a CI system by
// accident. CI systems search both streams for lines that begin with :: and for ##[…], and mix
// the streams in any order. Switching commands off for a time is therefore unreliable, and
// WithGuard breaks each such mark where it is printed. Outside of CI systems and on terminals, the
// streams do not change.
func (e Env) WithGuard() Env {
	inCI := false
	for _, name := range []string{"CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"} {
		inCI = inCI || e.Getenv(name) != ""
	}
	if inCI {
		e.Out, e.Err = withGuard(e.Out), withGuard(e.Err)
	}
	return e
}

// GuardLogs makes the text that libraries write to the standard logger a note, and discards that of
// klog, such as of client-go. Such text may be from a server or a file. Panics of goroutines of
// client-go get the handlers of package crash. It changes variables of the process, so only main
// calls it.
func (e Env) GuardLogs() {
	guarded := e.WithGuard()
	klog.SetLogger(klog.Logger{}) // its important messages are also errors or verdicts
	utilruntime.PanicHandlers = []func(context.Context, any){func(_ context.Context, value any) { crash.Report(value) }}
	log.SetFlags(0)
	log.SetOutput(notes(func(line string) { guarded.Print("note: %s", line) }))
}

// notes is a stream that passes each line to a function.
type notes func(line string)

// Write passes the lines of a text.
func (n notes) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if line = strings.TrimSpace(line); line != "" {
			n(line)
		}
	}
	return len(p), nil
}

func withGuard(out io.Writer) io.Writer {
	if IsTerminal(out) {
		return out
	}
	return &guard{out: out, start: true}
}

// Commands returns the stream for commands to a CI system, given the stream for all other
// output.
func Commands(out io.Writer) io.Writer {
	if g, ok := out.(*guard); ok {
		return g.out
	}
	return out
}

// A guard escapes CI commands in the text that is written to it. It is safe for concurrent use.
type guard struct {
	out io.Writer

	mu     sync.Mutex // guards the fields below.
	start  bool       // the line has only blanks so far.
	colon  bool       // and a colon after them.
	hashes int        // consecutive # before the next character, at most 2.
	word   bool       // letters follow the two #
}

// Write writes text, with a blank in each CI command.
func (g *guard) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make([]byte, 0, len(p)+1)
	for _, c := range p {
		if c == ':' && g.colon || c == '[' && g.hashes == 2 {
			out = append(out, ' ')
		}
		g.colon = c == ':' && g.start && !g.colon
		g.start = c == '\n' || c == '\r' || g.start && (c == ' ' || c == '\t' || c >= 0x80)
		switch {
		case c == '#' && !g.word:
			g.hashes = min(g.hashes+1, 2)
		case c == '#':
			g.hashes, g.word = 1, false
		case g.hashes == 2 && text.IsCommandLetter(c):
			g.word = true
		default:
			g.hashes, g.word = 0, false
		}
		out = append(out, c)
	}
	if _, err := g.out.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
