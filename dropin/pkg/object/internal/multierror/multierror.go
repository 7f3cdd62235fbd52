// Package multierror joins errors, each on lines of its own.
package multierror

import (
	"fmt"
	"strings"
)

// Prefix is in front of each error.
const Prefix = "- "

// joined is an error that has several. Code of cli-utils finds them by the method Errors.
type joined struct{ causes []error }

// Errors returns the errors.
func (j *joined) Errors() []error { return j.causes }

// Error returns the number of errors, then each as an item of a list.
func (j *joined) Error() string {
	if len(j.causes) == 1 {
		return j.causes[0].Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d errors:\n", len(j.causes))
	for _, err := range j.causes {
		fmt.Fprintf(&b, "%s%s\n", Prefix, strings.ReplaceAll(err.Error(), "\n", "\n  "))
	}
	return b.String()
}

// Wrap returns nil for no error, the error itself for one, and one that has all for several.
func Wrap(errs ...error) error {
	errs = Unwrap(errs...)
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return &joined{errs}
}

// Unwrap replaces errors that have several by those, at any depth.
func Unwrap(errs ...error) []error {
	var flat []error
	for _, err := range errs {
		if several, ok := err.(interface{ Errors() []error }); ok {
			flat = append(flat, Unwrap(several.Errors()...)...)
		} else {
			flat = append(flat, err)
		}
	}
	return flat
}
