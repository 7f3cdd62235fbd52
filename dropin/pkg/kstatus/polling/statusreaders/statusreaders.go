// Package statusreaders computes the statuses of objects, and of the objects that their
// controllers made.
package statusreaders

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin/internal/readers"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
)

// A StatusFunc computes the status of an object by itself.
type StatusFunc func(u *unstructured.Unstructured) (*status.Result, error)

// A DelegatingStatusReader uses the first of its readers that supports a kind.
type DelegatingStatusReader = readers.Delegating

// NewDefaultStatusReader returns the reader for all kinds.
func NewDefaultStatusReader(mapper meta.RESTMapper) engine.StatusReader {
	return NewStatusReader(mapper)
}

// NewStatusReader returns a reader for all kinds. The first of statusReaders that supports a kind
// computes its statuses.
func NewStatusReader(mapper meta.RESTMapper, statusReaders ...engine.StatusReader) engine.StatusReader {
	return readers.Config{}.Default(mapper, statusReaders...)
}

// NewGenericStatusReader returns a reader for all kinds that uses statusFunc.
func NewGenericStatusReader(mapper meta.RESTMapper, statusFunc StatusFunc) engine.StatusReader {
	return readers.Config{}.Generic(mapper, statusFunc)
}

// NewDeploymentResourceReader returns a reader for Deployments. It adds the statuses of their
// ReplicaSets, which rsStatusReader computes.
func NewDeploymentResourceReader(mapper meta.RESTMapper, rsStatusReader interface {
	Supports(schema.GroupKind) bool
	ReadStatusForObject(context.Context, engine.ClusterReader, *unstructured.Unstructured) (*event.ResourceStatus, error)
}) engine.StatusReader {
	return readers.Config{}.Deployment(mapper, rsStatusReader)
}

// NewReplicaSetStatusReader returns a reader for ReplicaSets. A ReplicaSet in progress with failed
// Pods has failed. The statuses of Pods are those of podStatusReader.
func NewReplicaSetStatusReader(mapper meta.RESTMapper, podStatusReader interface {
	Supports(schema.GroupKind) bool
	ReadStatusForObject(context.Context, engine.ClusterReader, *unstructured.Unstructured) (*event.ResourceStatus, error)
}) engine.StatusReader {
	return readers.Config{}.ReplicaSet(mapper, podStatusReader)
}

// NewStatefulSetResourceReader is [NewReplicaSetStatusReader] for StatefulSets.
func NewStatefulSetResourceReader(mapper meta.RESTMapper, podResourceReader interface {
	Supports(schema.GroupKind) bool
	ReadStatusForObject(context.Context, engine.ClusterReader, *unstructured.Unstructured) (*event.ResourceStatus, error)
}) engine.StatusReader {
	return readers.Config{}.StatefulSet(mapper, podResourceReader)
}
