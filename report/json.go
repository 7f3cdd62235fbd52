package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"kstatus.dev/internal/text"
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
	return text.EscapeJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}
