package client

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/guard"
	"kstatus.dev/kube/connection"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// NotServed returns the verdict on objects of a kind that the cluster does not serve.
func NotServed(kind status.Kind) *observe.Unreadable {
	return &observe.Unreadable{Reason: status.ReasonNoMatch, Text: fmt.Sprintf("the cluster does not serve %s", kind)}
}

// LookupFailure returns the verdict on objects whose kind cannot be looked up.
func (c *Client) LookupFailure(ctx context.Context, kind status.Kind, err error) *observe.Unreadable {
	if meta.IsNoMatchError(err) {
		return NotServed(kind)
	}
	return c.failure(ctx, "look up", kind.String(), err)
}

// Unreadable returns the verdict on objects of a scope that cannot be read.
func (c *Client) Unreadable(ctx context.Context, s Scope, verb string, err error) *observe.Unreadable {
	if apierrors.IsMethodNotSupported(err) {
		return &observe.Unreadable{Reason: status.ReasonNoMatch, Text: fmt.Sprintf("the cluster does not %s %s", verb, s.Kind())}
	}
	why := c.failure(ctx, verb, s.describe(), err)
	if connection.IsRejected(err) && s.HasSelector() {
		why.Reason = status.ReasonBadScope
		if s.FieldSelector != "" {
			why.Text = fmt.Sprintf("the server does not select %s by %s: %v; metadata.name and metadata.namespace select objects of all types",
				s.Mapping.Resource.GroupResource(), s.FieldSelector, withoutURL(err))
		}
	}
	return why
}

// failure returns a verdict with the user, the verb, the resource and the namespace. For other
// errors, or if the server does not return the name of the user, it has the message of the
// server.
func (c *Client) failure(ctx context.Context, verb, what string, err error) *observe.Unreadable {
	if refused, ok := errors.AsType[*guard.NameError](err); ok {
		return &observe.Unreadable{Reason: status.ReasonBadName, Text: refused.Error()}
	}
	why := &observe.Unreadable{Reason: status.ReasonTransport, Text: fmt.Sprintf("%s %s: %v", verb, what, withoutURL(err))}
	if !apierrors.IsForbidden(err) {
		return why
	}
	why.Reason = status.ReasonForbidden
	if user := c.User(ctx); user != "" {
		why.Text = fmt.Sprintf("user %s may not %s %s", user, verb, what)
	}
	return why
}

// withoutURL returns an error without the URL of the request, which is long and repeats the verb
// and the kind.
func withoutURL(err error) error {
	if sent, ok := errors.AsType[*url.Error](err); ok {
		return sent.Err
	}
	return err
}

// A CredentialsError ends an observation: the credentials are rejected, or cannot be read.
type CredentialsError struct{ err error }

// NewCredentialsError returns the error for the error of a request. It omits the URL of a
// request that was not sent.
func NewCredentialsError(err error) *CredentialsError {
	if missing, ok := errors.AsType[*connection.NoCredentialsError](err); ok {
		err = missing
	}
	return &CredentialsError{err}
}

func (e *CredentialsError) Error() string {
	if missing, ok := e.err.(*connection.NoCredentialsError); ok {
		return missing.Error()
	}
	return "the credentials are not accepted: " + e.err.Error()
}
func (e *CredentialsError) Unwrap() error { return e.err }

// IsFatal reports whether an error ends an observation.
func IsFatal(err error) bool {
	_, ok := errors.AsType[*CredentialsError](err)
	return ok
}

const (
	whoamiTimeout = 5 * time.Second // timeout of the request for the name of the user
	whoamiPause   = time.Minute     // the time before the next such request
)

// whoami returns a function that requests the name of the user until it is known. The function
// returns an empty text if the server does not return the name.
func whoami(objects dynamic.Interface) func(context.Context) string {
	var mu sync.Mutex // guards the variables below
	var name string
	var requested time.Time
	return func(ctx context.Context) string {
		mu.Lock()
		defer mu.Unlock()
		if name != "" || time.Since(requested) < whoamiPause {
			return name
		}
		ctx, cancel := context.WithTimeout(ctx, whoamiTimeout)
		defer cancel()
		reviews := objects.Resource(schema.GroupVersionResource{Group: "authentication.k8s.io", Version: "v1", Resource: "selfsubjectreviews"})
		answer, err := reviews.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview",
		}}, metav1.CreateOptions{})
		requested = time.Now()
		if err == nil {
			name = decoded.Text(answer.Object, "status", "userInfo", "username")
		}
		return name
	}
}

// IsMissing reports whether an object, and not its kind, does not exist.
func IsMissing(err error, name string) bool {
	status, ok := err.(apierrors.APIStatus)
	return apierrors.IsNotFound(err) && ok && status.Status().Details != nil && status.Status().Details.Name == name
}
