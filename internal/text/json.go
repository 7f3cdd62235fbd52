package text

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// EscapeJSON escapes text in a JSON document that encoding/json leaves but that
// is unsafe to print, and text that CI systems take for a command. The document
// must come from encoding/json, which has both in strings only. The result is
// equivalent JSON. It is identical if there is no such text.
func EscapeJSON(document []byte) []byte {
	if bytes.Contains(document, []byte("##")) {
		document = commands.ReplaceAll(document, []byte(`${1}\u005b`))
	}
	unsafe := func(r rune) bool { return r >= 0x7f && Unsafe(r) }
	if bytes.IndexFunc(document, unsafe) < 0 {
		return document
	}
	out := make([]byte, 0, len(document)+len(document)/8)
	for i := 0; i < len(document); {
		r, n := utf8.DecodeRune(document[i:])
		if unsafe(r) {
			out = escapeRune(out, r)
		} else {
			out = append(out, document[i:i+n]...)
		}
		i += n
	}
	return out
}

// escapeRune appends the JSON escapes of a rune's UTF-16 code units.
func escapeRune(out []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
