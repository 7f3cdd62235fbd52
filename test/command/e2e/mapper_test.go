package e2e

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/kube/source"
)

// mapperOf returns a mapper for the kinds that the cluster serves now.
func mapperOf(t *testing.T, config *rest.Config) meta.RESTMapper {
	t.Helper()
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	if _, err := mapper.RESTMapping(schema.GroupKind{Kind: "ConfigMap"}); err != nil {
		t.Fatal(err)
	}
	return mapper
}

// clientOf returns a Client for config that uses the mapper of another config.
func clientOf(t *testing.T, config, known *rest.Config) *source.Client {
	t.Helper()
	client, err := source.NewClient(config, source.Options{Mapper: mapperOf(t, known)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}
