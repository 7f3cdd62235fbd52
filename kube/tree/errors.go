package tree

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/status"
)

var errLarge = fmt.Errorf("more than %d MiB", maxResponseBytes>>20)

// A readError is why something could not be read.
type readError struct {
	reason string // as in verdicts
	text   string
}

// readErrorOf says why a verb on a resource has failed.
func readErrorOf(err error, verb, resource string) readError {
	switch {
	case apierrors.IsForbidden(err):
		return readError{"Forbidden", fmt.Sprintf("forbidden (%s %s)", verb, resource)}
	case apierrors.IsUnauthorized(err):
		return readError{"Forbidden", "the credentials are not accepted"}
	case meta.IsNoMatchError(err), apierrors.IsNotFound(err):
		return readError{"NoMatch", "not served"}
	case apierrors.IsMethodNotSupported(err):
		return readError{"NoMatch", fmt.Sprintf("the cluster does not %s %s", verb, resource)}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return readError{"Transport", "not read in time"}
	}
	return readError{"Transport", err.Error()}
}

// isRefused reports whether a verb is not permitted, or does not exist.
func isRefused(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err)
}

// isMissing reports whether the server says that there is no object of that name,
// rather than that it does not know what is asked for.
func isMissing(err error, name string) bool {
	var told apierrors.APIStatus
	return apierrors.IsNotFound(err) && errors.As(err, &told) && told.Status().Details != nil && told.Status().Details.Name == name
}

// addFailure tells of a request whose answer is lost, and stops everything if nobody
// answers us any more.
func (c *collection) addFailure(err error, verb, resource, what string) {
	c.unauthorized = c.unauthorized || apierrors.IsUnauthorized(err)
	c.addGap(what, readErrorOf(err, verb, resource).text)
}

// addUnservedKind tells that a kind cannot be looked up. Of one that is not served there
// are no objects, so nothing is left out.
func (c *collection) addUnservedKind(kind status.Kind, err error) {
	if why := readErrorOf(err, "get", kind.String()); why.reason != "NoMatch" {
		c.addGap(kind.String(), why.text)
	}
}
