package readers

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

// unreadable returns the status of an object that cannot be read or judged. The end of the context
// is an error of the caller.
func (c Config) unreadable(id object.ObjMetadata, err error, obj *unstructured.Unstructured, generated event.ResourceStatuses) (*event.ResourceStatus, error) {
	if isContextEnd(err) || !c.RateLimiterIsStatus && exceedsDeadline(err) {
		return nil, err
	}
	if apierrors.IsNotFound(err) {
		return &event.ResourceStatus{Identifier: id, Status: status.NotFoundStatus, Message: "Resource not found"}, nil
	}
	return &event.ResourceStatus{Identifier: id, Status: status.UnknownStatus, Resource: obj, Error: err, GeneratedResources: generated}, nil
}

// isContextEnd reports whether err is the end of a context. The timeout of an HTTP client is none,
// although errors.Is calls it a context.DeadlineExceeded.
func isContextEnd(err error) bool {
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

// exceedsDeadline reports whether a rate limiter would have waited longer than the context lasts.
// Its error has no type: https://cs.opensource.google/go/x/time/+/refs/tags/v0.14.0:rate/rate.go
func exceedsDeadline(err error) bool {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err != nil && err.Error() == "rate: Wait(n=1) would exceed context deadline"
}
