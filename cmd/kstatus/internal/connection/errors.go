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

// WithExitCode adds the exit code to an error about a missing permission or a missing set. If
// an error joins several, one such error is enough.
func WithExitCode(err error) error {
	if _, coded := errors.AsType[*exit.Error](err); err == nil || coded {
		return err
	}
	all := FlattenErrors(err)
	if IsForbidden(err) {
		return &exit.Error{Code: exit.Forbidden, Err: err}
	}
	if slices.ContainsFunc(all, IsMissing) {
		return &exit.Error{Code: exit.Missing, Err: err}
	}
	return err
}

// FlattenErrors returns the single errors that an error joins or aggregates.
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

// IsUnreachable reports whether an error means that a server does not answer.
func IsUnreachable(err error) bool {
	return slices.ContainsFunc(FlattenErrors(err), func(err error) bool {
		_, ok := errors.AsType[*url.Error](err)
		return ok
	})
}

// IsForbidden reports whether an error means that a permission is missing.
func IsForbidden(err error) bool {
	return slices.ContainsFunc(FlattenErrors(err), apierrors.IsForbidden)
}

// IsMissing reports whether an error means that a set does not exist.
func IsMissing(err error) bool {
	_, ok := errors.AsType[*sets.NotFoundError](err)
	return ok
}
