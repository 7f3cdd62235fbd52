package source

import (
	"context"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/observe"
)

// unreadable says in the terms of a verdict why a stream cannot be read.
func (s *stream) unreadable(ctx context.Context, verb string, err error) *observe.Unreadable {
	switch {
	case meta.IsNoMatchError(err):
		return &observe.Unreadable{Reason: "NoMatch", Text: fmt.Sprintf("the cluster does not serve %s", s.kind)}
	case apierrors.IsForbidden(err):
		return &observe.Unreadable{Reason: "Forbidden", Text: s.forbidden(ctx, verb, err)}
	case apierrors.IsMethodNotSupported(err):
		return &observe.Unreadable{Reason: "NoMatch", Text: fmt.Sprintf("the cluster does not list %s", s.kind)}
	}
	return &observe.Unreadable{Reason: "Transport", Text: fmt.Sprintf("%s %s: %v", verb, s.where(), plain(err))}
}

// forbidden names what is not permitted, where, and to whom; where the server
// does not tell who is asking, in its own words.
func (s *stream) forbidden(ctx context.Context, verb string, err error) string {
	user := s.link.user(ctx)
	if user == "" {
		return fmt.Sprintf("%s %s: %v", verb, s.where(), plain(err))
	}
	return fmt.Sprintf("user %s may not %s %s", user, verb, s.where())
}

// where names the stream as kubectl would: "deployments.apps in namespace shop".
func (s *stream) where() string {
	what := s.kind.String()
	if s.mapping != nil {
		what = s.mapping.Resource.GroupResource().String()
	}
	switch {
	case s.namespace != "":
		return what + " in namespace " + s.namespace
	case s.mapping != nil && s.mapping.Scope.Name() == meta.RESTScopeNameNamespace:
		return what + " in all namespaces"
	}
	return what
}

// plain takes off what a reflector puts around the server's answer.
func plain(err error) error {
	if api, ok := errors.AsType[*apierrors.StatusError](err); ok {
		return api
	}
	return err
}

// errCredentials is an error that ends the whole: nobody is asking any more.
type errCredentials struct{ err error }

func (e *errCredentials) Error() string { return "the credentials are not accepted: " + e.err.Error() }
func (e *errCredentials) Unwrap() error { return e.err }

func isFatal(err error) bool {
	_, ok := errors.AsType[*errCredentials](err)
	return ok
}

// whoami asks the server, once, whom it takes us for; empty if it does not say.
func whoami(objects dynamic.Interface) func(context.Context) string {
	var once sync.Once
	var name string
	return func(ctx context.Context) string {
		once.Do(func() {
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
