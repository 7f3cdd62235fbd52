package connection

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/kube/sets"
)

// WithExitCode adds the exit code to an error about a missing permission or a missing set. For
// joined errors, one such error is enough.
func WithExitCode(err error) error {
	if _, coded := errors.AsType[*exit.Error](err); err == nil || coded {
		return err
	}
	all := FlattenErrors(err)
	if refused := credentialsError(all); refused != nil {
		return refused
	}
	if slices.ContainsFunc(all, isWrongType) {
		return exit.Usage(err)
	}
	if IsForbidden(err) {
		return &exit.Error{Code: exit.Forbidden, Err: err}
	}
	if slices.ContainsFunc(all, IsMissing) {
		return &exit.Error{Code: exit.Missing, Err: err}
	}
	return err
}

// credentialsError returns an error that explains Unauthorized. It returns nil if no error is
// Unauthorized, or if one of them already explains it.
func credentialsError(all []error) error {
	const text = "the credentials are not accepted: "
	i := slices.IndexFunc(all, apierrors.IsUnauthorized)
	if i < 0 || strings.HasPrefix(all[i].Error(), text) {
		return nil
	}
	return errors.New(text + string(apierrors.ReasonForError(all[i]))) // the messages of discovery and lists differ
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

// IsUnreachable reports whether an error means that a server does not respond.
func IsUnreachable(err error) bool {
	return slices.ContainsFunc(FlattenErrors(err), func(err error) bool {
		_, ok := errors.AsType[*url.Error](err)
		return ok
	})
}

// InContext returns the error of a server that cannot be reached with the name of its context, if
// there are several. It returns other errors as they are.
func InContext(name string, err error) error {
	_, isUnreached := errors.AsType[*UnreachedError](err)
	if name == "" || !isUnreached && !IsUnreachable(err) {
		return err
	}
	all := FlattenErrors(err)
	for i, one := range all {
		if isUnreached || IsUnreachable(one) {
			all[i] = fmt.Errorf("context %s: %w", name, one)
		}
	}
	return utilerrors.NewAggregate(all)
}

// IsForbidden reports whether an error means that a permission is missing.
func IsForbidden(err error) bool {
	return slices.ContainsFunc(FlattenErrors(err), apierrors.IsForbidden)
}

// IsOnlyMissing reports whether an error means only that sets, or types of objects, do not
// exist.
func IsOnlyMissing(err error) bool {
	return err != nil && !slices.ContainsFunc(FlattenErrors(err), func(err error) bool { return !IsMissing(err) })
}

// IsMissing reports whether an error means that a namespace, a set, or the type of an object
// does not exist, and may exist later.
func IsMissing(err error) bool {
	if t, ok := errors.AsType[*TypeError](err); ok {
		return t.MayAppear()
	}
	_, absent := errors.AsType[*NamespaceError](err)
	_, ok := errors.AsType[*sets.NotFoundError](err)
	return ok || absent
}

// isWrongType reports whether an error is about a type that is probably a typo.
func isWrongType(err error) bool {
	t, ok := errors.AsType[*TypeError](err)
	return ok && t.Err == nil && !t.MayAppear()
}
