package terminal

import (
	"encoding/json"
	"io"

	"kstatus.dev/internal/text"
)

// NewEncoder returns what writes values as lines of JSON that a terminal shows as
// they stand: what would steer it, or turn the direction of writing, is escaped.
func NewEncoder(w io.Writer) *json.Encoder {
	encode := json.NewEncoder(EscapingWriter{w})
	encode.SetEscapeHTML(false)
	return encode
}

// An EscapingWriter writer escapes what encoding/json does not. Each write is a whole
// value.
type EscapingWriter struct{ io.Writer }

// Write writes a value.
func (w EscapingWriter) Write(value []byte) (int, error) {
	if _, err := w.Writer.Write(text.EscapeJSON(value)); err != nil {
		return 0, err
	}
	return len(value), nil
}
