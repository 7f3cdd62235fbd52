package connection

import (
	"context"
	"net/http"

	"k8s.io/client-go/rest"
)

// A NoCredentialsError is the error of a request that was not sent because it has no credentials.
// The program or the plugin that provides them failed.
type NoCredentialsError struct{ Err error }

// Error says so, and why.
func (e *NoCredentialsError) Error() string {
	return "no credentials for the API server: " + e.Err.Error()
}

// Unwrap returns the error of the program or the plugin.
func (e *NoCredentialsError) Unwrap() error { return e.Err }

// passedKey is the key of a context for whether a request has its credentials.
type passedKey struct{}

// addCredentialsChecks has requests fail with a NoCredentialsError if they do not get as far as
// the transport of config. client-go puts what adds credentials around that transport. It
// returns what is to be put around the whole.
func addCredentialsChecks(config *rest.Config) func(http.RoundTripper) http.RoundTripper {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return &checkpoint{next, func(r *http.Request) (*http.Response, error) {
			if passed, ok := r.Context().Value(passedKey{}).(*bool); ok {
				*passed = true
			}
			return next.RoundTrip(r)
		}}
	})
	return func(next http.RoundTripper) http.RoundTripper {
		return &checkpoint{next, func(r *http.Request) (*http.Response, error) {
			passed := false
			answer, err := next.RoundTrip(r.WithContext(context.WithValue(r.Context(), passedKey{}, &passed)))
			if err != nil && !passed && r.Context().Err() == nil {
				err = &NoCredentialsError{err}
			}
			return answer, err
		}}
	}
}

// A checkpoint is a transport that sees each request.
type checkpoint struct {
	next http.RoundTripper
	do   func(*http.Request) (*http.Response, error)
}

// RoundTrip makes a request.
func (c *checkpoint) RoundTrip(r *http.Request) (*http.Response, error) { return c.do(r) }

// WrappedRoundTripper lets client-go close the transport that is wrapped.
func (c *checkpoint) WrappedRoundTripper() http.RoundTripper { return c.next }
