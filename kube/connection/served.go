package connection

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// ServedResources returns what the server of a config serves, each kind in its preferred version. It
// ends with ctx, whether the server answers or not.
func ServedResources(ctx context.Context, config *rest.Config, server discovery.ServerResourcesInterface) ([]*metav1.APIResourceList, error) {
	if _, ok := server.(interface {
		ServerPreferredResourcesWithContext(context.Context) ([]*metav1.APIResourceList, error)
	}); ok {
		return PreferredResources(ctx, server)
	}
	// Before Kubernetes 0.37, discovery takes no context, and waits as long as the server wants.
	bound, err := New(config, func(own *rest.Config) {
		own.Wrap(func(next http.RoundTripper) http.RoundTripper { return &binding{next, ctx} })
	})
	if err != nil {
		return nil, err
	}
	defer bound.Close()
	return bound.Discovery.ServerPreferredResources()
}

// A binding is a transport whose requests end with a context, and are not repeated.
type binding struct {
	next http.RoundTripper
	ctx  context.Context
}

// RoundTrip sends a request.
func (b *binding) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.ctx.Err() != nil {
		return nil, context.Cause(b.ctx)
	}
	response, err := b.next.RoundTrip(r.WithContext(b.ctx))
	if err == nil {
		response.Header.Del("Retry-After")
	}
	return response, err
}

// WrappedRoundTripper lets client-go close the wrapped transport.
func (b *binding) WrappedRoundTripper() http.RoundTripper { return b.next }
