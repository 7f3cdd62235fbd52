package main

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/internal/text"
)

// pad fills a cell up to its width and the gap behind it.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidthWc(text))+gap)
}

// cut cuts text to so many columns; zero or less: none is left, unless the frame
// has no width.
func (f frame) cut(text string, columns int) string {
	switch {
	case f.width == 0:
		return text
	case columns <= 0:
		return ""
	}
	return ansi.TruncateWc(text, columns, f.ellipsis())
}

// middle cuts out of the middle, since names differ at both ends.
func (f frame) middle(text string, columns int) string {
	if f.width == 0 || ansi.StringWidthWc(text) <= columns {
		return text
	}
	mark := f.ellipsis()
	room := columns - ansi.StringWidthWc(mark)
	runes := []rune(text)
	tail := runes[max(0, len(runes)-room/3):]
	for ansi.StringWidthWc(string(tail)) > room/3 {
		tail = tail[1:]
	}
	return ansi.TruncateWc(text, room-ansi.StringWidthWc(string(tail)), "") + mark + string(tail)
}

func (f frame) ellipsis() string {
	if f.utf8 {
		return "…"
	}
	return "..."
}

// text returns text of a cluster as it may stand in a frame: safe, with emoji in
// their parts, and in ASCII where the terminal knows nothing else. Of a text for
// so many columns no more is looked at than can fill them; zero: all.
func (f frame) text(s string, columns int) string {
	const longest = 16 // bytes that one column may take
	if most := columns * longest; most > 0 {
		s = text.CutWith(s, most, "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case text.Unsafe(r): // a joiner
			return -1
		case !f.utf8 && r == '…':
			return '.'
		case !f.utf8 && r > unicode.MaxASCII:
			return '?'
		}
		return r
	}, text.Line(s))
}
