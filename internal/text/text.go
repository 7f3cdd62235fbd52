// Package text prepares text for people. The text comes from a cluster, a file
// or a log, and may be hostile or very long.
//
// [Safe] and [Line] are for terminals, logs and documents, and [EscapeJSON] is
// for JSON. [Cut] limits a text. [Count] and [Plural] format numbers of things.
// Writers of a format do its further escapes, such as those of Markdown.
package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unsafe reports whether a rune can do something other than appear: control a
// terminal, change the writing direction, break the line, or be invisible.
// These are
//
//   - the control characters, C0 and C1.
//   - the format characters, such as bidirectional controls, zero-width
//     spaces and tags.
//   - the separators of lines and paragraphs.
//   - the variation selectors, any number of which can follow a letter.
//   - other characters that a program may ignore, such as the Hangul fillers.
//   - code points without a character.
//
// Visible format characters, such as the Arabic number sign, are safe.
func Unsafe(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// Safe returns a text on one line that is safe to print. Line breaks and tabs
// become spaces. Other unsafe runes, and bytes that are not UTF-8, become
// U+FFFD. All other text stays unchanged, in any script. A zero-width joiner
// stays only between two emoji, and one variation selector only after a rune
// that it can change. A blank is inserted into text that CI systems take for a
// command in a log, such as ##[error].
func Safe(s string) string {
	if strings.Contains(s, "##") {
		s = commands.ReplaceAllString(s, "$1 [")
	}
	if printable(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	emoji := false // the previous rune is an emoji
	previous := utf8.RuneError
	for i, r := range s {
		switch {
		case r == '\n', r == '\r', r == '\t', unicode.In(r, unicode.Zl, unicode.Zp):
			b.WriteByte(' ')
		case r == zeroWidthJoiner && emoji && startsWithEmoji(s[i+len(string(zeroWidthJoiner)):]), isEffectiveSelector(r, previous, s[i:]):
			b.WriteRune(r)
		case Unsafe(r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
		emoji = isEmoji(r) || emoji && changesEmoji(r)
		previous = r
	}
	return b.String()
}

// commands match the commands of CI systems that work anywhere in a line:
// GitHub Actions ##[error], Azure Pipelines ##vso[task.x], TeamCity
// ##teamcity[x].
var commands = regexp.MustCompile(`(##[A-Za-z]*)\[`)

// IsCommandLetter reports whether a byte can be in the name of such a command.
func IsCommandLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// printable reports whether a text is printable ASCII, as most are.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

const zeroWidthJoiner = '\u200d'

func startsWithEmoji(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isEmoji(r)
}

// isEmoji reports whether a rune can be a part of a joined emoji. U+2194, as in
// the emoji of shaking heads, is the only one that is not another symbol.
func isEmoji(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.Is(unicode.So, r) && r != utf8.RuneError || r == '\u2194'
}

// isEffectiveSelector reports whether a rune is a variation selector that can change the
// previous one. The previous one must be a symbol, a Chinese or a Mongolian letter,
// or the digit of a keycap. rest begins with the rune.
func isEffectiveSelector(r, previous rune, rest string) bool {
	const key = "\ufe0f\u20e3"
	switch {
	case !unicode.Is(unicode.Variation_Selector, r):
		return false
	case previous >= '0' && previous <= '9', previous == '#', previous == '*':
		return strings.HasPrefix(rest, key)
	}
	return previous != utf8.RuneError && unicode.In(previous, unicode.So, unicode.Sm, unicode.Han, unicode.Mongolian) && !unicode.Is(unicode.Variation_Selector, previous)
}

// changesEmoji reports whether a rune selects an emoji's color or skin tone.
func changesEmoji(r rune) bool { return r == '\ufe0f' || r >= '\U0001f3fb' && r <= '\U0001f3ff' }

// Ellipsis marks where a text has been cut.
const Ellipsis = "…"

// Cut cuts a text to at most n bytes, between two runes. A cut text ends with
// an ellipsis.
func Cut(s string, n int) string { return CutWith(s, n, Ellipsis) }

// CutWith is like [Cut], with another mark than an ellipsis. The result is
// empty if the mark does not fit.
func CutWith(s string, n int, mark string) string {
	if len(s) <= n {
		return s
	}
	end := n - len(mark)
	if end < 0 {
		return ""
	}
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + mark
}

// maxLine is the length limit of a printed text, in bytes, including the
// ellipsis.
const maxLine = 4096 + len(Ellipsis)

// Line is like [Safe], and cuts a text that is too long for one line.
func Line(s string) string { return Safe(Cut(s, maxLine)) }
