// Package fake has a status reader for tests.
package fake

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/object"
)

// A StatusReader supports all kinds, reads nothing and computes no status.
type StatusReader struct{}

// Supports returns true.
func (f *StatusReader) Supports(schema.GroupKind) bool { return true }

// ReadStatus returns nil.
func (f *StatusReader) ReadStatus(context.Context, engine.ClusterReader, object.ObjMetadata) (*event.ResourceStatus, error) {
	return nil, nil
}

// ReadStatusForObject returns only the identifier of obj.
func (f *StatusReader) ReadStatusForObject(_ context.Context, _ engine.ClusterReader, obj *unstructured.Unstructured) (*event.ResourceStatus, error) {
	return &event.ResourceStatus{Identifier: object.UnstructuredToObjMetadata(obj)}, nil
}
