// Package surrogate converts JSON with pairs of UTF-16 surrogates, such as
// "\ud83d\ude00", for parsers of YAML. YAML has no such pairs.
package surrogate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Escapes are \uXXXX, and in YAML \UXXXXXXXX too.
const (
	escapeLength = 6
	savedBytes   = 2*escapeLength - len(`\U00000000`)
)

// ForYAML returns a JSON text in which surrogates are replaced by YAML's
// escapes. A surrogate without its other half becomes U+FFFD, as in decoders of
// JSON.
//
// All other text keeps its offset: blanks after a string replace the removed
// bytes. ForYAML returns other texts unchanged, and does not modify its
// argument.
func ForYAML(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\ud`)) && !bytes.Contains(text, []byte(`\uD`)) || !json.Valid(text) {
		return text
	}
	out := make([]byte, 0, len(text))
	blanks := 0 // the number of bytes by which the string is shorter
	for at := 0; at < len(text); {
		switch {
		case text[at] == '"':
			out = append(out, '"')
			out = append(out, bytes.Repeat([]byte(" "), blanks)...) // no blanks before a string
			blanks, at = 0, at+1
		case text[at] != '\\':
			out = append(out, text[at])
			at++
		case !utf16.IsSurrogate(escaped(text[at:])):
			out = append(out, text[at:at+2]...)
			at += 2
		default:
			r := utf16.DecodeRune(escaped(text[at:]), escaped(text[at+escapeLength:]))
			if r == utf8.RuneError {
				out = append(out, `\uFFFD`...)
				at += escapeLength
				continue
			}
			out = fmt.Appendf(out, `\U%08x`, r)
			blanks += savedBytes
			at += 2 * escapeLength
		}
	}
	return out
}

// escaped returns the character of an escape \uXXXX at the start of a text;
// U+FFFD otherwise.
func escaped(text []byte) rune {
	if len(text) < escapeLength || text[0] != '\\' || text[1] != 'u' {
		return utf8.RuneError
	}
	r, err := strconv.ParseUint(string(text[2:escapeLength]), 16, 16)
	if err != nil {
		return utf8.RuneError
	}
	return rune(r)
}
