package connection

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// PreferredResources returns what a server serves, each kind in its preferred version.
//
// The request ends with ctx if the library can do that, since Kubernetes 0.37. Otherwise it ends
// with the timeout of the client.
func PreferredResources(ctx context.Context, server discovery.ServerResourcesInterface) ([]*metav1.APIResourceList, error) {
	if s, ok := server.(interface {
		ServerPreferredResourcesWithContext(context.Context) ([]*metav1.APIResourceList, error)
	}); ok {
		return s.ServerPreferredResourcesWithContext(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return server.ServerPreferredResources()
}

// A Mapper is a RESTMapper whose requests end with a context, if the library can do that, since
// Kubernetes 0.37. Otherwise they end with the timeout of the client.
type Mapper struct{ Mapper meta.RESTMapper }

// KindFor returns the kind of a resource.
func (m Mapper) KindFor(ctx context.Context, resource schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	if c, ok := m.Mapper.(interface {
		KindForWithContext(context.Context, schema.GroupVersionResource) (schema.GroupVersionKind, error)
	}); ok {
		return c.KindForWithContext(ctx, resource)
	}
	if err := ctx.Err(); err != nil {
		return schema.GroupVersionKind{}, err
	}
	return m.Mapper.KindFor(resource)
}

// KindsFor returns the kinds that a resource may be of, the preferred one first.
func (m Mapper) KindsFor(ctx context.Context, resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	if c, ok := m.Mapper.(interface {
		KindsForWithContext(context.Context, schema.GroupVersionResource) ([]schema.GroupVersionKind, error)
	}); ok {
		return c.KindsForWithContext(ctx, resource)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return m.Mapper.KindsFor(resource)
}

// RESTMapping returns how a kind is served, in its preferred version.
func (m Mapper) RESTMapping(ctx context.Context, kind schema.GroupKind) (*meta.RESTMapping, error) {
	if c, ok := m.Mapper.(interface {
		RESTMappingWithContext(context.Context, schema.GroupKind, ...string) (*meta.RESTMapping, error)
	}); ok {
		return c.RESTMappingWithContext(ctx, kind)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return m.Mapper.RESTMapping(kind)
}
