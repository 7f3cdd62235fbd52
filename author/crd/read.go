package crd

import (
	"fmt"
	"io"
)

// MaxFileSize limits the size of a file, in bytes.
const MaxFileSize = 256 << 20

// ReadAll reads a text. A text larger than [MaxFileSize] is an error.
func ReadAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxFileSize+1))
	if err == nil && len(text) > MaxFileSize {
		err = fmt.Errorf("the file is larger than %d bytes", MaxFileSize)
	}
	return text, err
}
