package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// JSON writes the run as one JSON document, as docs/report.schema.json tells.
// Nothing is lost, and nothing in it does anything to a terminal: what is not
// to be seen is escaped.
func (r *Run) JSON(w io.Writer) error {
	text, err := r.document("  ")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// document returns the run as JSON that may also stand in a page of HTML.
func (r *Run) document(indent string) ([]byte, error) {
	var b bytes.Buffer
	encode := json.NewEncoder(&b) // escapes <, >, &, U+2028 and U+2029
	encode.SetIndent("", indent)
	if err := encode.Encode(r); err != nil {
		return nil, fmt.Errorf("report as JSON: %w", err)
	}
	return visible(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// visible escapes the runes of a JSON document that are not to be seen, which
// can only stand in its strings.
func visible(document []byte) []byte {
	out := make([]byte, 0, len(document))
	for i := 0; i < len(document); {
		r, n := utf8.DecodeRune(document[i:])
		if r >= utf8.RuneSelf && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == 0x7f {
			out = escape(out, r)
		} else {
			out = append(out, document[i:i+n]...)
		}
		i += n
	}
	return out
}

// escape appends a rune as JSON escapes it, by its UTF-16 code units.
func escape(out []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
