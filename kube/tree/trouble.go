package tree

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/status"
)

var errLarge = fmt.Errorf("more than %d MiB", mostBytes>>20)

// A trouble is why something could not be read.
type trouble struct {
	reason string // as in verdicts
	text   string
}

// troubleOf says why a verb on a resource has failed.
func troubleOf(err error, verb, resource string) trouble {
	switch {
	case apierrors.IsForbidden(err):
		return trouble{"Forbidden", fmt.Sprintf("forbidden (%s %s)", verb, resource)}
	case apierrors.IsUnauthorized(err):
		return trouble{"Forbidden", "the credentials are not accepted"}
	case meta.IsNoMatchError(err), apierrors.IsNotFound(err):
		return trouble{"NoMatch", "not served"}
	case apierrors.IsMethodNotSupported(err):
		return trouble{"NoMatch", fmt.Sprintf("the cluster does not %s %s", verb, resource)}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return trouble{"Transport", "not read in time"}
	}
	return trouble{"Transport", err.Error()}
}

// refused reports whether a verb is not permitted, or does not exist.
func refused(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err)
}

// missing reports whether the server says that there is no object of that name,
// rather than that it does not know what is asked for.
func missing(err error, name string) bool {
	var told apierrors.APIStatus
	return apierrors.IsNotFound(err) && errors.As(err, &told) && told.Status().Details != nil && told.Status().Details.Name == name
}

// failed tells of a request whose answer is lost, and stops everything if nobody
// answers us any more.
func (c *collection) failed(err error, verb, resource, what string) {
	c.over = c.over || apierrors.IsUnauthorized(err)
	c.gap(what, troubleOf(err, verb, resource).text)
}

// unserved tells that a kind cannot be looked up. Of one that is not served there
// are no objects, so nothing is left out.
func (c *collection) unserved(kind status.Kind, err error) {
	if why := troubleOf(err, "get", kind.String()); why.reason != "NoMatch" {
		c.gap(kind.String(), why.text)
	}
}
