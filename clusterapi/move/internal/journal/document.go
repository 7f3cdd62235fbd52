package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"kstatus.dev/internal/text"
)

// format is the format of an encoded document.
const format = "kstatus.dev/move-journal/v1"

// maxSize is the largest size of an encoded document in bytes. A move of 100,000 objects has
// less.
const maxSize = 256 << 20

// A document is a document of a caller and its number.
type document struct {
	Sequence int64 // counts from 1; a higher number is newer
	Data     []byte
}

// A wrapper is the JSON of a document. SHA256 is of Document without space around it.
type wrapper struct {
	Format   string          `json:"format"`
	Sequence int64           `json:"sequence"`
	SHA256   string          `json:"sha256"`
	Document json.RawMessage `json:"document"`
}

// encode returns a document as JSON. The data keeps its bytes, except for space around it.
func encode(d document) ([]byte, error) {
	data := bytes.TrimSpace(d.Data)
	if !json.Valid(data) {
		return nil, errors.New("the document is not JSON")
	}
	var encoded bytes.Buffer
	fmt.Fprintf(&encoded, "{\"format\":%q,\"sequence\":%d,\"sha256\":%q,\"document\":\n", format, d.Sequence, hash(data))
	encoded.Write(data)
	encoded.WriteString("\n}\n")
	if encoded.Len() > maxSize {
		return nil, errTooLarge
	}
	return encoded.Bytes(), nil
}

var errTooLarge = fmt.Errorf("the document has more than %d MiB", maxSize>>20)

// decode returns the document that encode has encoded, and an error if a byte of it was changed.
func decode(encoded []byte) (document, error) {
	if len(encoded) > maxSize {
		return document{}, errTooLarge
	}
	var w wrapper
	if err := json.Unmarshal(encoded, &w); err != nil {
		return document{}, fmt.Errorf("it is not a journal of a move: %s", text.Line(err.Error()))
	}
	switch {
	case w.Format != format:
		return document{}, fmt.Errorf("it is not a journal of a move: its format is %q, want %q", text.Line(w.Format), format)
	case w.Sequence <= 0:
		return document{}, fmt.Errorf("its sequence is %d, want a positive number", w.Sequence)
	case w.SHA256 != hash(w.Document):
		return document{}, errors.New("it was changed or is incomplete: its SHA-256 does not match")
	}
	return document{Sequence: w.Sequence, Data: w.Document}, nil
}

// hash returns the SHA-256 of data in hexadecimal digits.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
