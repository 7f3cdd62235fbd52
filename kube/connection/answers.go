package connection

import (
	"context"
	"errors"
	"io"
	"net"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// IsRefused reports whether a verb is forbidden, or not supported by the resource. A retry does not
// help.
func IsRefused(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err)
}

// IsRejected reports whether the server does not accept the options of a request, such as a selector.
func IsRejected(err error) bool { return apierrors.IsBadRequest(err) || apierrors.IsInvalid(err) }

// IsExpired reports whether the server no longer has the version that a list or a watch continues
// from.
func IsExpired(err error) bool { return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) }

// IsTransient reports whether another attempt may succeed: the server is overloaded, restarts or
// cannot be reached.
func IsTransient(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false // also if it says why, such as a lost connection
	}
	var timeout net.Error
	return apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsInternalError(err) || apierrors.IsServiceUnavailable(err) || apierrors.IsUnexpectedServerError(err) ||
		utilnet.IsConnectionRefused(err) || utilnet.IsConnectionReset(err) || utilnet.IsProbableEOF(err) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &timeout) && timeout.Timeout()
}
