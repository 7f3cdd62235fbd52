package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// refused reports whether a verb is not permitted, or does not exist.
func IsRefused(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err)
}

// unselectable reports whether a server does not know what it is to select by a name.
func IsUnselectable(err error) bool { return apierrors.IsBadRequest(err) || apierrors.IsInvalid(err) }

// unserved is the verdict on objects of a kind that the cluster does not serve.
func NotServed(kind status.Kind) *observe.Unreadable {
	return &observe.Unreadable{Reason: "NoMatch", Text: fmt.Sprintf("the cluster does not serve %s", kind)}
}

// unknown says in the terms of a verdict why a kind cannot be looked up.
func (l *Client) LookupFailure(ctx context.Context, kind status.Kind, err error) *observe.Unreadable {
	if meta.IsNoMatchError(err) {
		return NotServed(kind)
	}
	return l.failure(ctx, "look up", kind.String(), err)
}

// unreadable says in the terms of a verdict why a scope cannot be read.
func (l *Client) Unreadable(ctx context.Context, s Scope, verb string, err error) *observe.Unreadable {
	if apierrors.IsMethodNotSupported(err) {
		return &observe.Unreadable{Reason: "NoMatch", Text: fmt.Sprintf("the cluster does not %s %s", verb, s.Kind())}
	}
	why := l.failure(ctx, verb, s.describe(), err)
	if IsUnselectable(err) && s.Match != "" {
		why.Reason = "BadScope"
	}
	return why
}

// trouble names what is not permitted, where, and to whom; where the server
// does not tell who is asking, and of any other error, in the server's words.
func (l *Client) failure(ctx context.Context, verb, what string, err error) *observe.Unreadable {
	why := &observe.Unreadable{Reason: "Transport", Text: fmt.Sprintf("%s %s: %v", verb, what, err)}
	if !apierrors.IsForbidden(err) {
		return why
	}
	why.Reason = "Forbidden"
	if user := l.User(ctx); user != "" {
		why.Text = fmt.Sprintf("user %s may not %s %s", user, verb, what)
	}
	return why
}

// errCredentials is an error that ends the whole: nobody is asking any more.
type CredentialsError struct{ Err error }

func (e *CredentialsError) Error() string {
	return "the credentials are not accepted: " + e.Err.Error()
}
func (e *CredentialsError) Unwrap() error { return e.Err }

func IsFatal(err error) bool {
	_, ok := errors.AsType[*CredentialsError](err)
	return ok
}

// How long the server may take to say whom it takes us for.
const whoamiTimeout = 5 * time.Second

// whoami asks the server, once, whom it takes us for; empty if it does not say.
func whoami(objects dynamic.Interface) func(context.Context) string {
	var once sync.Once
	var name string
	return func(ctx context.Context) string {
		once.Do(func() {
			ctx, cancel := context.WithTimeout(ctx, whoamiTimeout)
			defer cancel()
			reviews := objects.Resource(schema.GroupVersionResource{Group: "authentication.k8s.io", Version: "v1", Resource: "selfsubjectreviews"})
			answer, err := reviews.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview",
			}}, metav1.CreateOptions{})
			if err == nil {
				name, _, _ = unstructured.NestedString(answer.Object, "status", "userInfo", "username")
			}
		})
		return name
	}
}

// missing reports whether the server says that there is no object of that name,
// rather than that it does not know what is asked for.
func IsMissing(err error, name string) bool {
	status, ok := err.(apierrors.APIStatus)
	return apierrors.IsNotFound(err) && ok && status.Status().Details != nil && status.Status().Details.Name == name
}
