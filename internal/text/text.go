// Package text makes text fit for people: text that comes from a cluster, a
// file or a log, and may be hostile or without end.
//
// [Safe] and [Line] are for terminals, logs and documents, [EscapeJSON] is for
// JSON. [Cut] bounds a text. [Count] and [Plural] write numbers of things. What a
// format escapes further, such as the marks of Markdown, is up to its writer.
package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unsafe reports whether a rune can do something other than appear: it steers a
// terminal, turns the direction of writing, breaks the line, or is there without
// being seen. These are the control characters, C0 and C1; the format characters,
// such as the bidirectional controls, zero-width spaces and tags; the separators
// of lines and paragraphs; the variation selectors, any number of which can follow a
// letter; the other characters that Unicode lets a program leave out, such as the Hangul
// fillers; and those that Unicode has no characters for. Format characters that appear,
// such as the Arabic number sign, are safe.
func Unsafe(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// Safe returns a text on one line and as it may be printed. Each line break and
// tab becomes a space, and each other unsafe rune, like each byte that is not
// UTF-8, becomes U+FFFD. All other text stays as it is, whatever its script. A
// zero-width joiner stays between two emoji only, which it makes one, and a variation
// selector only once after a rune that it can change. What CI systems would take for a
// command in a log, such as ##[error], gets a blank.
func Safe(s string) string {
	if strings.Contains(s, "##") {
		s = commands.ReplaceAllString(s, "$1 [")
	}
	if printable(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	emoji := false // what is before is an emoji
	previous := utf8.RuneError
	for i, r := range s {
		switch {
		case r == '\n', r == '\r', r == '\t', unicode.In(r, unicode.Zl, unicode.Zp):
			b.WriteByte(' ')
		case r == joiner && emoji && startsWithEmoji(s[i+len(string(joiner)):]), selects(r, previous, s[i:]):
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

// commands match what CI systems take for a command wherever it is in a line: GitHub
// Actions ##[error], Azure Pipelines ##vso[task.x], TeamCity ##teamcity[x].
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

const joiner = '\u200d'

func startsWithEmoji(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isEmoji(r)
}

// isEmoji reports whether a rune can be a part of an emoji that is joined of
// several. U+2194, of the heads that shake, is the one that is no other symbol.
func isEmoji(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.Is(unicode.So, r) && r != utf8.RuneError || r == '\u2194'
}

// selects reports whether a rune is a variation selector that can change the one before it:
// a symbol, a Chinese or a Mongolian letter, or the digit of a key. The rest begins with the rune.
func selects(r, previous rune, rest string) bool {
	const key = "\ufe0f\u20e3"
	switch {
	case !unicode.Is(unicode.Variation_Selector, r):
		return false
	case previous >= '0' && previous <= '9', previous == '#', previous == '*':
		return strings.HasPrefix(rest, key)
	}
	return previous != utf8.RuneError && unicode.In(previous, unicode.So, unicode.Sm, unicode.Han, unicode.Mongolian) && !unicode.Is(unicode.Variation_Selector, previous)
}

// changesEmoji reports whether a rune asks for an emoji's colour or its skin tone.
func changesEmoji(r rune) bool { return r == '\ufe0f' || r >= '\U0001f3fb' && r <= '\U0001f3ff' }

// Ellipsis marks where a text has been cut.
const Ellipsis = "…"

// Cut returns a text of at most n bytes. One that is longer is cut between two
// runes and ends with an ellipsis.
func Cut(s string, n int) string { return CutWith(s, n, Ellipsis) }

// CutWith is [Cut] with another mark than an ellipsis. Where there is no room for
// the mark, nothing is left.
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

// longestLine is how many bytes of one text are printed, and the ellipsis.
const longestLine = 4096 + len(Ellipsis)

// Line returns a text as [Safe] does, cut where it is too long for one line.
func Line(s string) string { return Safe(Cut(s, longestLine)) }
