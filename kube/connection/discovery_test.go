package connection

import (
	"context"
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

var errOldLibrary = errors.New("the context has ended")

// An oldMapper has the methods of a mapper before Kubernetes 0.37.
type oldMapper struct{ meta.RESTMapper }

// A newMapper has also those that get a context.
type newMapper struct{ meta.RESTMapper }

func (newMapper) KindForWithContext(context.Context, schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return schema.GroupVersionKind{}, errOldLibrary
}

func (newMapper) KindsForWithContext(context.Context, schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return nil, errOldLibrary
}

func (newMapper) RESTMappingWithContext(context.Context, schema.GroupKind, ...string) (*meta.RESTMapping, error) {
	return nil, errOldLibrary
}

// An oldServer has the methods of discovery before Kubernetes 0.37.
type oldServer struct {
	discovery.ServerResourcesInterface
}

func (oldServer) ServerPreferredResources() ([]*metav1.APIResourceList, error) {
	return []*metav1.APIResourceList{{GroupVersion: "v1"}}, nil
}

// A newServer has also those that get a context.
type newServer struct{ oldServer }

func (newServer) ServerPreferredResourcesWithContext(context.Context) ([]*metav1.APIResourceList, error) {
	return nil, errOldLibrary
}

func TestDiscoveryWorksWithOldAndNewLibraries(t *testing.T) {
	pods := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	known := meta.NewDefaultRESTMapper([]schema.GroupVersion{pods.GroupVersion()})
	known.Add(pods, meta.RESTScopeNamespace)
	resource := schema.GroupVersionResource{Resource: "pods"}
	ended, end := context.WithCancel(t.Context())
	end()
	for _, row := range []struct {
		name   string
		ctx    context.Context
		mapper meta.RESTMapper
		server discovery.ServerResourcesInterface
		want   error
	}{
		{"old", t.Context(), oldMapper{known}, oldServer{}, nil},
		{"old, ended", ended, oldMapper{known}, oldServer{}, context.Canceled},
		{"new", t.Context(), newMapper{known}, newServer{}, errOldLibrary},
	} {
		t.Run(row.name, func(t *testing.T) {
			mapper := Mapper{row.mapper}
			kind, err := mapper.KindFor(row.ctx, resource)
			if !errors.Is(err, row.want) || err == nil && kind != pods {
				t.Errorf("KindFor: have %v, %v, want error %v", kind, err, row.want)
			}
			kinds, err := mapper.KindsFor(row.ctx, resource)
			if !errors.Is(err, row.want) || err == nil && (len(kinds) != 1 || kinds[0] != pods) {
				t.Errorf("KindsFor: have %v, %v, want error %v", kinds, err, row.want)
			}
			mapping, err := mapper.RESTMapping(row.ctx, pods.GroupKind())
			if !errors.Is(err, row.want) || err == nil && mapping.Resource.Resource != "pods" {
				t.Errorf("RESTMapping: have %v, %v, want error %v", mapping, err, row.want)
			}
			lists, err := PreferredResources(row.ctx, row.server)
			if !errors.Is(err, row.want) || err == nil && len(lists) != 1 {
				t.Errorf("PreferredResources: have %v, %v, want error %v", lists, err, row.want)
			}
		})
	}
}
