package cli

import (
	"io"
	"sync"

	"kstatus.dev/internal/text"
)

// Guarded returns the environment with streams on which a CI system takes nothing for a
// command of its own. Logs of CI systems are read for lines that begin with :: and for
// ##[…], on both streams, in an order that nobody knows. So each such mark is broken where
// it is printed, rather than commands switched off for a time. Outside of CI systems and on
// terminals, the streams stay as they are.
func (e Env) Guarded() Env {
	inCI := false
	for _, name := range []string{"CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"} {
		inCI = inCI || e.Getenv(name) != ""
	}
	if inCI {
		e.Out, e.Err = guarded(e.Out), guarded(e.Err)
	}
	return e
}

func guarded(out io.Writer) io.Writer {
	if IsTerminal(out) {
		return out
	}
	return &guard{out: out, start: true}
}

// Commands returns the stream on which commands for a CI system are printed, given the one
// for everything else.
func Commands(out io.Writer) io.Writer {
	if g, ok := out.(*guard); ok {
		return g.out
	}
	return out
}

// A guard escapes CI commands in the text that is written to it. It is safe for concurrent use.
type guard struct {
	out io.Writer

	mu     sync.Mutex // guards what follows
	start  bool       // the line has only blanks so far
	colon  bool       // and a colon behind them
	hashes int        // how many # there are before what is next, up to two
	word   bool       // letters follow two #
}

// Write writes text with a blank in each command.
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
