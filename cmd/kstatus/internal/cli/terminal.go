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

// LiveTerminal returns the terminal that is standard error, if a view can be
// drawn on it: it can move its cursor, and this process is the one in front.
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

func IsTerminal(out any) bool {
	file, ok := out.(xterm.File)
	return ok && xterm.IsTerminal(file.Fd())
}

// Style returns how text on out is shown to people, by --color.
func (e Env) Style(out io.Writer, colour string) terminal.Style {
	width := e.width(out)
	return terminal.Style{Width: width, Colour: e.ColoursOn(out, colour), UTF8: width > 0 && e.UTF8()}
}

// LiveStyle returns how frames are shown on the terminal that is standard error,
// by --color. Their size is that of the screen.
func (e Env) LiveStyle(colour string) terminal.Style {
	return terminal.Style{Colour: e.ColoursOn(e.Err, colour), UTF8: e.UTF8()}
}

// Page returns where explanations are shown to people.
func (e Env) Page(out io.Writer, colour string) terminal.Page {
	return terminal.Page{Out: out, Style: e.Style(out, colour)}
}

// ColoursOn decides whether text on out is coloured. By itself that is so on a
// terminal, unless NO_COLOR is set or TERM is dumb, and elsewhere only if
// CLICOLOR_FORCE asks for it.
func (e Env) ColoursOn(out io.Writer, mode string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return e.Getenv("NO_COLOR") == "" && colorprofile.Detect(out, e.Environ) >= colorprofile.ANSI
}

// width returns how many columns a line on out may take; zero if out is no
// terminal, where nothing is to be cut. COLUMNS goes before what the terminal says.
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

// UTF8 reports whether the locale says that characters are UTF-8. On Windows,
// where there is no such locale, they are.
func (e Env) UTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(e.Getenv(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return runtime.GOOS == "windows"
}

// Columns returns what COLUMNS says; zero if it says nothing that can be meant.
func (e Env) Columns() int {
	n, err := strconv.Atoi(e.Getenv("COLUMNS"))
	if err != nil {
		return 0
	}
	return max(0, n)
}
