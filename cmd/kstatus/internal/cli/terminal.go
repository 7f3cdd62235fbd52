package cli

import (
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	xterm "github.com/charmbracelet/x/term"

	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// LiveTerminal returns standard error if a live view can be drawn on it, otherwise nil. Standard
// error must be a terminal with a movable cursor, and the process must be in its foreground.
func (e Env) LiveTerminal() xterm.File {
	file, ok := e.Err.(xterm.File)
	if !ok || !IsTerminal(e.Err) || !terminal.InForeground(file) {
		return nil
	}
	if name := e.Getenv("TERM"); name == "dumb" || name == "" && runtime.GOOS != "windows" {
		return nil
	}
	return file
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(out any) bool {
	file, ok := out.(xterm.File)
	return ok && xterm.IsTerminal(file.Fd())
}

// Style returns the style of text on out, given the value of --color.
func (e Env) Style(out io.Writer, colour string) terminal.Style {
	width := e.width(out)
	return terminal.Style{Width: width, Colour: e.HasColours(out, colour), UTF8: width > 0 && e.isUTF8()}
}

// LiveStyle returns the style of frames on standard error, given the value of --color. The style
// has no size: frames fill the screen.
func (e Env) LiveStyle(colour string) terminal.Style {
	return terminal.Style{Colour: e.HasColours(e.Err, colour), UTF8: e.isUTF8()}
}

// Page returns the page for explanations on out.
func (e Env) Page(out io.Writer, colour string) terminal.Page {
	return terminal.Page{Out: out, Style: e.Style(out, colour)}
}

// HasColours reports whether text on out is coloured, given the value of --color. With auto,
// text is coloured on a terminal, unless NO_COLOR is set or TERM is dumb. Elsewhere, it is
// coloured only if CLICOLOR_FORCE is set.
func (e Env) HasColours(out io.Writer, mode string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return e.Getenv("NO_COLOR") == "" && colorprofile.Detect(out, e.Environ) >= colorprofile.ANSI
}

// width returns the maximum number of columns of a line on out. It returns zero, for no limit,
// if out is not a terminal. COLUMNS overrides the size of the terminal.
func (e Env) width(out io.Writer) int {
	file, ok := out.(xterm.File)
	if !ok || !xterm.IsTerminal(file.Fd()) {
		return 0
	}
	if n := e.Columns(); n > 0 {
		return n
	}
	width, _, err := xterm.GetSize(file.Fd())
	if err != nil {
		return 0
	}
	return width
}

// isUTF8 reports whether the locale is UTF-8. On Windows, which has no such locale, it returns
// true.
func (e Env) isUTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(e.Getenv(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return runtime.GOOS == "windows"
}

// Columns returns the number in COLUMNS, or zero if COLUMNS has no number.
func (e Env) Columns() int {
	n, err := strconv.Atoi(e.Getenv("COLUMNS"))
	if err != nil {
		return 0
	}
	return max(0, n)
}
