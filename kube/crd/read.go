package crd

import (
	"fmt"
	"io"
)

// Largest is how many bytes a file may have.
const Largest = 256 << 20

// ReadAll reads a text, unless it is larger than [Largest].
func ReadAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, Largest+1))
	if err == nil && len(text) > Largest {
		err = fmt.Errorf("it is larger than %d bytes", Largest)
	}
	return text, err
}
