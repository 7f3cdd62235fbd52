package crd

import (
	"fmt"
	"io"
)

// MaxFileSize is how many bytes a file may have.
const MaxFileSize = 256 << 20

// ReadAll reads a text, unless it is larger than [MaxFileSize].
func ReadAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxFileSize+1))
	if err == nil && len(text) > MaxFileSize {
		err = fmt.Errorf("it is larger than %d bytes", MaxFileSize)
	}
	return text, err
}
