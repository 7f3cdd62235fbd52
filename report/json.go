package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"kstatus.dev/internal/text"
)

// JSON writes the run as one JSON document with the schema docs/reference/report.schema.json. It contains
// all data of the run. Invisible and control characters are escaped, so it is safe on a
// terminal.
func (r *Run) JSON(w io.Writer) error {
	text, err := r.document("  ")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// document returns the run as JSON that is also safe in an HTML page.
func (r *Run) document(indent string) ([]byte, error) {
	var b bytes.Buffer
	encode := json.NewEncoder(&b) // escapes <, >, &, U+2028 and U+2029
	encode.SetIndent("", indent)
	if err := encode.Encode(r); err != nil {
		return nil, fmt.Errorf("report as JSON: %w", err)
	}
	return text.EscapeJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}
