package outputs

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

// zeroWidthSpace is the text that Markdown itself writes between a sign and a name.
const zeroWidthSpace = '\u200b'

// checkVisible checks that an output is UTF-8 with only visible runes.
func checkVisible(t *testing.T, what, hostile string, output []byte) {
	t.Helper()
	if !utf8.Valid(output) {
		t.Errorf("%s: %q makes it no UTF-8", what, hostile)
	}
	previous := rune(0)
	for at := 0; at < len(output); {
		r, n := utf8.DecodeRune(output[at:])
		if isInvisible(r) && !(r == zeroWidthSpace && what == "report as md") && !(r == '\u200d' && previous > 0x2000) {
			t.Errorf("%s: %q lets %U through: …%q", what, hostile, r, output[max(0, at-30):min(len(output), at+30)])
			return
		}
		previous, at = r, at+n
	}
}

// isInvisible reports whether a rune controls a terminal, changes the direction of writing, or
// is invisible.
func isInvisible(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029':
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x2060 && r <= 0x206f, r == 0xfeff, r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x180e, r == 0x3164, r == 0xffa0:
		return true
	case r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff && (r < 0xe0100 || r > 0xe01ef), r == 0xfffe, r == 0xffff:
		return true
	}
	return false
}
