package tree

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/internal/guard"
	"kstatus.dev/status"
)

// A readError is the cause of a failed read.
type readError struct {
	reason string // as in verdicts
	text   string
}

// readErrorOf returns the cause of a failed request.
func readErrorOf(err error, verb, resource string) readError {
	if refused, ok := errors.AsType[*guard.NameError](err); ok {
		return readError{status.ReasonBadName, refused.Error()}
	}
	switch {
	case apierrors.IsForbidden(err):
		return readError{status.ReasonForbidden, fmt.Sprintf("forbidden (%s %s)", verb, resource)}
	case apierrors.IsUnauthorized(err):
		return readError{status.ReasonForbidden, "the credentials are not accepted"}
	case meta.IsNoMatchError(err), apierrors.IsNotFound(err):
		return readError{status.ReasonNoMatch, "not served"}
	case apierrors.IsMethodNotSupported(err):
		return readError{status.ReasonNoMatch, fmt.Sprintf("the cluster does not support %s of %s", verb, resource)}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return readError{status.ReasonTransport, "request timed out"}
	}
	return readError{status.ReasonTransport, err.Error()}
}

// isMissing reports whether no object with that name exists. It is false if the
// resource is not served.
func isMissing(err error, name string) bool {
	var apiStatus apierrors.APIStatus
	return apierrors.IsNotFound(err) && errors.As(err, &apiStatus) && apiStatus.Status().Details != nil && apiStatus.Status().Details.Name == name
}

// addFailure adds a gap for a failed request. It stops all further requests if
// the server does not accept the credentials. A kind that is no longer served has no
// objects, so it is no gap.
func (c *collection) addFailure(err error, verb, resource, what string) {
	c.unauthorized = c.unauthorized || apierrors.IsUnauthorized(err)
	if !apierrors.IsNotFound(err) {
		c.addGap(what, readErrorOf(err, verb, resource).text)
	}
}

// addUnservedKind adds a gap for a kind that cannot be looked up. A kind that is not
// served has no objects, so it is no gap.
func (c *collection) addUnservedKind(kind status.Kind, err error) {
	if why := readErrorOf(err, "get", kind.String()); why.reason != status.ReasonNoMatch {
		c.addGap(kind.String(), why.text)
	}
}
