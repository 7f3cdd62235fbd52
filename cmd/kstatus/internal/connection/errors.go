package connection

import (
	"errors"
	"net/url"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/kube/sets"
)

// WithExitCode gives an error about missing permission, or about a set that is not
// there, its exit code. Of several errors, as cli-runtime collects them, one suffices.
func WithExitCode(err error) error {
	if _, coded := errors.AsType[*exit.Error](err); err == nil || coded {
		return err
	}
	all := FlattenErrors(err)
	if slices.ContainsFunc(all, apierrors.IsForbidden) {
		return &exit.Error{Code: exit.Forbidden, Err: err}
	}
	if slices.ContainsFunc(all, IsMissing) {
		return &exit.Error{Code: exit.Missing, Err: err}
	}
	return err
}

// FlattenErrors returns the errors that an error is of.
func FlattenErrors(err error) (all []error) {
	switch many := err.(type) {
	case utilerrors.Aggregate:
		for _, err := range many.Errors() {
			all = append(all, FlattenErrors(err)...)
		}
		return all
	case interface{ Unwrap() []error }:
		for _, err := range many.Unwrap() {
			all = append(all, FlattenErrors(err)...)
		}
		return all
	}
	if many, ok := errors.AsType[utilerrors.Aggregate](err); ok {
		return FlattenErrors(many)
	}
	return []error{err}
}

// IsUnreachable reports whether an error comes of a server that does not answer.
func IsUnreachable(err error) bool {
	return slices.ContainsFunc(FlattenErrors(err), func(err error) bool {
		_, ok := errors.AsType[*url.Error](err)
		return ok
	})
}

// IsMissing reports whether an error says that a set is not there.
func IsMissing(err error) bool {
	_, ok := errors.AsType[*sets.Missing](err)
	return ok
}
