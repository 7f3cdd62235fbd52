// Package classify turns errors and states of OpenStack into failures: what a controller reports,
// and when it tries again.
package classify

import (
	"github.com/gophercloud/gophercloud/v2"

	"kstatus.dev/failure"
)

// Error classifies an error of gophercloud, or of anything below it. It returns nil for nil.
func Error(err error) *failure.Failure {
	if err == nil {
		return nil
	}
	if f := failure.As(err); f != nil {
		return f
	}
	if gophercloud.ResponseCodeIs(err, 404) {
		return &failure.Failure{Class: "NotFound", Reason: "DependencyNotFound", Message: err.Error(), Known: true, Err: err}
	}
	return &failure.Failure{Class: "Internal", Reason: "InternalError", Message: err.Error(), Err: err}
}
