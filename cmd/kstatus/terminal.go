package main

import (
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	xterm "github.com/charmbracelet/x/term"
)

// The values of --color.
var colourModes = []string{"auto", "always", "never"}

// style returns how text on out is shown to people, by --color.
func (e environment) style(out io.Writer, colour string) style {
	width := e.width(out)
	return style{width: width, colour: e.coloursOn(out, colour), utf8: width > 0 && e.utf8On()}
}

// liveStyle returns how frames are shown on the terminal that is standard error,
// by --color. Their size is that of the screen.
func (e environment) liveStyle(colour string) style {
	return style{colour: e.coloursOn(e.err, colour), utf8: e.utf8On()}
}

// page returns where explanations are shown to people.
func (e environment) page(out io.Writer, colour string) page {
	return page{out, e.style(out, colour)}
}

// coloursOn decides whether text on out is coloured. By itself that is so on a
// terminal, unless NO_COLOR is set or TERM is dumb, and elsewhere only if
// CLICOLOR_FORCE asks for it.
func (e environment) coloursOn(out io.Writer, mode string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return e.getenv("NO_COLOR") == "" && colorprofile.Detect(out, e.environ) >= colorprofile.ANSI
}

// width returns how many columns a line on out may take; zero if out is no
// terminal, where nothing is to be cut. COLUMNS goes before what the terminal says.
func (e environment) width(out io.Writer) int {
	file, ok := out.(xterm.File)
	if !ok || !xterm.IsTerminal(file.Fd()) {
		return 0
	}
	if n := e.columns(); n > 0 {
		return n
	}
	width, _, err := xterm.GetSize(file.Fd())
	if err != nil {
		return 0
	}
	return width
}

// utf8On reports whether the locale says that characters are UTF-8. On Windows,
// where there is no such locale, they are.
func (e environment) utf8On() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(e.getenv(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return runtime.GOOS == "windows"
}

// columns returns what COLUMNS says; zero if it says nothing that can be meant.
func (e environment) columns() int {
	n, err := strconv.Atoi(e.getenv("COLUMNS"))
	if err != nil {
		return 0
	}
	return max(0, n)
}

// oneOf checks the value of a flag that takes one of a few words.
func oneOf(flag, value string, words []string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return usagef("%s %q: want one of %s", flag, value, strings.Join(words, ", "))
}
