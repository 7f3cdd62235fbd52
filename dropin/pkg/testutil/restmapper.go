package testutil

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// NewFakeRESTMapper returns a mapper with these kinds, each in namespaces. Package cmp compares
// two such mappers by the versions of their APIs.
func NewFakeRESTMapper(gvks ...schema.GroupVersionKind) meta.RESTMapper {
	var versions []schema.GroupVersion
	for _, gvk := range gvks {
		versions = append(versions, gvk.GroupVersion())
	}
	m := fakeRESTMapper{DefaultRESTMapper: meta.NewDefaultRESTMapper(versions), versions: versions}
	for _, gvk := range gvks {
		m.Add(gvk, meta.RESTScopeNamespace)
	}
	return m
}

type fakeRESTMapper struct {
	*meta.DefaultRESTMapper
	versions []schema.GroupVersion
}

// Equal is for package cmp.
func (rm fakeRESTMapper) Equal(other fakeRESTMapper) bool {
	return slices.Equal(rm.versions, other.versions)
}
