package main

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/internal/text"
)

// A style is what the place that text is shown in can do. In a file or a pipe it is
// the zero style, so that text is the same everywhere.
type style struct {
	width  int // columns; zero: unlimited
	height int // lines; zero likewise
	colour bool
	utf8   bool // it shows UTF-8
}

// gap is how many columns there are between two cells.
const gap = 2

// pad fills a cell up to its width and the gap behind it.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidthWc(text))+gap)
}

// cut cuts text to so many columns; zero or less: none is left, unless the width
// is unlimited.
func (s style) cut(text string, columns int) string {
	switch {
	case s.width == 0:
		return text
	case columns <= 0:
		return ""
	}
	return ansi.TruncateWc(text, columns, s.ellipsis())
}

// middle cuts out of the middle, since names differ at both ends.
func (s style) middle(text string, columns int) string {
	if s.width == 0 || ansi.StringWidthWc(text) <= columns {
		return text
	}
	mark := s.ellipsis()
	room := columns - ansi.StringWidthWc(mark)
	runes := []rune(text)
	tail := runes[max(0, len(runes)-room/3):]
	for ansi.StringWidthWc(string(tail)) > room/3 {
		tail = tail[1:]
	}
	return ansi.TruncateWc(text, room-ansi.StringWidthWc(string(tail)), "") + mark + string(tail)
}

func (s style) ellipsis() string {
	if s.utf8 {
		return "…"
	}
	return "..."
}

// text returns text of a cluster as it may be shown: safe, with emoji in
// their parts, and in ASCII where the terminal knows nothing else. Of a text for
// so many columns no more is looked at than can fill them; zero: all.
func (s style) text(said string, columns int) string {
	const longest = 16 // bytes that one column may take
	if most := columns * longest; most > 0 {
		said = text.CutWith(said, most, "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case text.Unsafe(r): // a joiner
			return -1
		case !s.utf8 && r == '…':
			return '.'
		case !s.utf8 && r > unicode.MaxASCII:
			return '?'
		}
		return r
	}, text.Line(said))
}

// coloured gives text the colour of a word.
func (s style) coloured(word, text string) string {
	colour, ok := colours[word]
	if !s.colour || !ok {
		return text
	}
	return ansi.NewStyle().ForegroundColor(colour).Styled(text)
}
