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

var errPast = errors.New("the context has ended")

// A pastMapper has the methods of a mapper before Kubernetes 0.37.
type pastMapper struct{ meta.RESTMapper }

// A presentMapper has also those that get a context.
type presentMapper struct{ meta.RESTMapper }

func (presentMapper) KindForWithContext(context.Context, schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return schema.GroupVersionKind{}, errPast
}

func (presentMapper) KindsForWithContext(context.Context, schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return nil, errPast
}

func (presentMapper) RESTMappingWithContext(context.Context, schema.GroupKind, ...string) (*meta.RESTMapping, error) {
	return nil, errPast
}

// A pastServer has the methods of discovery before Kubernetes 0.37.
type pastServer struct {
	discovery.ServerResourcesInterface
}

func (pastServer) ServerPreferredResources() ([]*metav1.APIResourceList, error) {
	return []*metav1.APIResourceList{{GroupVersion: "v1"}}, nil
}

// A presentServer has also those that get a context.
type presentServer struct{ pastServer }

func (presentServer) ServerPreferredResourcesWithContext(context.Context) ([]*metav1.APIResourceList, error) {
	return nil, errPast
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
		{"old", t.Context(), pastMapper{known}, pastServer{}, nil},
		{"old, ended", ended, pastMapper{known}, pastServer{}, context.Canceled},
		{"new", t.Context(), presentMapper{known}, presentServer{}, errPast},
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
