// Package contextend tells the end of a context from the timeout of a request.
package contextend

import (
	"context"
	"errors"
)

// Is reports whether err is the end of a context. The timeout of an HTTP client is none, although
// errors.Is calls it a context.DeadlineExceeded.
func Is(err error) bool {
	if errors.Is(err, context.Canceled) {
		return true
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if err == context.DeadlineExceeded {
			return true
		}
	}
	return false
}
