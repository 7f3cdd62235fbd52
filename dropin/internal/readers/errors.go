package readers

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/dropin/internal/contextend"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

// unreadable returns the status of an object that cannot be read or judged. The end of the context
// is an error of the caller.
func (c Config) unreadable(id object.ObjMetadata, err error, obj *unstructured.Unstructured, generated event.ResourceStatuses) (*event.ResourceStatus, error) {
	if contextend.Is(err) || !c.RateLimiterIsStatus && exceedsDeadline(err) {
		return nil, err
	}
	if apierrors.IsNotFound(err) {
		return &event.ResourceStatus{Identifier: id, Status: status.NotFoundStatus, Message: "Resource not found"}, nil
	}
	return &event.ResourceStatus{Identifier: id, Status: status.UnknownStatus, Resource: obj, Error: err, GeneratedResources: generated}, nil
}

// exceedsDeadline reports whether a rate limiter would have waited longer than the context lasts.
// Its error has no type: https://cs.opensource.google/go/x/time/+/refs/tags/v0.14.0:rate/rate.go
func exceedsDeadline(err error) bool {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err != nil && err.Error() == "rate: Wait(n=1) would exceed context deadline"
}
