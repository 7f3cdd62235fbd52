package selection

import (
	"fmt"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/manifest"
)

// A DocumentError is the error for one document of a file, such as a document without a name. It
// does not affect the other documents.
type DocumentError struct {
	From manifest.Source
	Err  error
}

// Error returns the error after the file and the line.
func (e *DocumentError) Error() string { return fmt.Sprintf("%s: %v", e.From, e.Err) }

// Unwrap returns the cause.
func (e *DocumentError) Unwrap() error { return e.Err }

// DocumentErrors returns the errors of single documents, if err has no other errors.
func DocumentErrors(err error) (all []*DocumentError) {
	if err == nil {
		return nil
	}
	for _, err := range connection.FlattenErrors(err) {
		d, ok := err.(*DocumentError)
		if !ok {
			return nil
		}
		all = append(all, d)
	}
	return all
}
