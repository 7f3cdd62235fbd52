// Package clustertest has an API server in memory for the tests of this module: its kinds, and
// manifests of workloads with their children.
package clustertest

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/kube/wiretest"
)

// Widgets are a custom kind.
var Widgets = wiretest.Resource{Group: "example.com", Version: "v1", Kind: "Widget", Name: "widgets"}

// served are the kinds of a Cluster.
var served = []wiretest.Resource{
	{Version: "v1", Kind: "Pod", Name: "pods"},
	{Version: "v1", Kind: "ConfigMap", Name: "configmaps"},
	{Version: "v1", Kind: "Secret", Name: "secrets"},
	{Version: "v1", Kind: "Namespace", Name: "namespaces", ClusterScoped: true},
	{Group: "apps", Version: "v1", Kind: "Deployment", Name: "deployments"},
	{Group: "apps", Version: "v1", Kind: "ReplicaSet", Name: "replicasets"},
	{Group: "apps", Version: "v1", Kind: "StatefulSet", Name: "statefulsets"},
	{Group: "batch", Version: "v1", Kind: "Job", Name: "jobs"},
	{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition", Name: "customresourcedefinitions", ClusterScoped: true},
	Widgets,
}

// A Cluster is an API server in memory.
type Cluster struct {
	*testing.T
	*wiretest.Server
	REST   *rest.Config
	Mapper meta.RESTMapper
}

// Run runs a test against a Cluster in a bubble, where time advances only while all goroutines wait.
func Run(t *testing.T, test func(*Cluster)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := &Cluster{T: t, Server: wiretest.New(t, served...), Mapper: mapper()}
		c.REST = c.Config()
		c.REST.QPS = -1
		test(c)
	})
}

// mapper returns a mapper of the kinds.
func mapper() meta.RESTMapper {
	var versions []schema.GroupVersion
	for _, r := range served {
		versions = append(versions, r.GroupVersionResource().GroupVersion())
	}
	m := meta.NewDefaultRESTMapper(versions)
	for _, r := range served {
		scope := meta.RESTScopeNamespace
		if r.ClusterScoped {
			scope = meta.RESTScopeRoot
		}
		m.Add(schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}, scope)
	}
	return m
}

// Decode returns the object of a manifest.
func Decode(t *testing.T, manifest string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	data, err := yaml.YAMLToJSON([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	if err := u.UnmarshalJSON(data); err != nil {
		t.Fatal(err)
	}
	return u
}

// IDs returns the identifiers of manifests.
func IDs(t *testing.T, manifests ...string) (all object.ObjMetadataSet) {
	t.Helper()
	for _, m := range manifests {
		all = append(all, object.UnstructuredToObjMetadata(Decode(t, m)))
	}
	return all
}

// Apply stores objects.
func (c *Cluster) Apply(manifests ...string) {
	c.Helper()
	for _, m := range manifests {
		c.Put(Decode(c.T, m))
	}
}

// Remove deletes objects.
func (c *Cluster) Remove(manifests ...string) {
	c.Helper()
	for _, m := range manifests {
		c.Delete(Decode(c.T, m))
	}
}

// Sent returns the requests for objects since the last call.
func (c *Cluster) Sent() (all []string) {
	synctest.Wait()
	for _, r := range c.Requests() {
		if r.Verb != "discover" {
			all = append(all, r.String())
		}
	}
	return all
}

// ExpectSent fails the test unless exactly these requests were sent since the last call, in any order.
func (c *Cluster) ExpectSent(want ...string) {
	c.Helper()
	have := c.Sent()
	want = slices.Sorted(slices.Values(want))
	slices.Sort(have)
	if !slices.Equal(have, want) {
		c.Errorf("requests\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}
