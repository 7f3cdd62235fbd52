// Package terminal draws text on terminals: widths, colours, wrapped lines, and a
// screen that is drawn anew in place.
package terminal

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/internal/text"
)

// A Style holds the capabilities of an output. A file or a pipe has the zero Style, so its text
// is always the same.
type Style struct {
	Width  int // columns; zero for no limit
	Height int // lines; zero for no limit
	Colour bool
	UTF8   bool // the output shows UTF-8
}

// Gap is the number of columns between two cells.
const Gap = 2

// Pad pads a cell to its width, and adds the gap.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidthWc(text))+Gap)
}

// Cut cuts text to a number of columns. With zero columns or less it returns an empty text,
// unless the width is unlimited.
func (s Style) Cut(text string, columns int) string {
	switch {
	case s.Width == 0:
		return text
	case columns <= 0:
		return ""
	}
	return ansi.TruncateWc(text, columns, s.Ellipsis())
}

// CutMiddle cuts text in its middle, since names differ at both ends.
func (s Style) CutMiddle(text string, columns int) string {
	if s.Width == 0 || ansi.StringWidthWc(text) <= columns {
		return text
	}
	mark := s.Ellipsis()
	room := columns - ansi.StringWidthWc(mark)
	runes := []rune(text)
	tail := runes[max(0, len(runes)-room/3):]
	for ansi.StringWidthWc(string(tail)) > room/3 {
		tail = tail[1:]
	}
	return ansi.TruncateWc(text, room-ansi.StringWidthWc(string(tail)), "") + mark + string(tail)
}

// Ellipsis returns the mark for cut text, in the character set of the style.
func (s Style) Ellipsis() string {
	if s.UTF8 {
		return "…"
	}
	return "..."
}

// Text returns text of a cluster that is safe to print. It splits joined emoji. Without UTF-8,
// it returns ASCII. It reads only as much text as can fill the columns; zero means all.
func (s Style) Text(said string, columns int) string {
	const longest = 16 // bytes per column at most
	if most := columns * longest; most > 0 {
		said = text.CutWith(said, most, "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case text.Unsafe(r): // a joiner
			return -1
		case !s.UTF8 && r == '…':
			return '.'
		case !s.UTF8 && r > unicode.MaxASCII:
			return '?'
		}
		return r
	}, text.Line(said))
}

// Paint returns text in the colour of a status word, if the style has colours.
func (s Style) Paint(word, text string) string {
	colour, ok := colours[word]
	if !s.Colour || !ok {
		return text
	}
	return ansi.NewStyle().ForegroundColor(colour).Styled(text)
}

// colours are the colours of the status words. They only repeat the words.
var colours = map[string]ansi.BasicColor{
	"Current":           ansi.Green,
	"Current (assumed)": ansi.Cyan,
	"InProgress":        ansi.Yellow,
	"Failing":           ansi.Red,
	"Failed":            ansi.Red,
	"Terminating":       ansi.Yellow,
	"NotFound":          ansi.Magenta,
	"Unknown":           ansi.Magenta,
}

// StatusWord returns a status word in its colour.
func StatusWord(word string) string {
	colour, ok := colours[word]
	if !ok {
		return word
	}
	return ansi.NewStyle().ForegroundColor(colour).Styled(word)
}
