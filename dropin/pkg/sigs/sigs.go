// Package sigs has the functions that behave differently in sigs.k8s.io/cli-utils v0.37.2. The
// façade for that module calls them:
//
//   - each failed Pod makes its ReplicaSet or its StatefulSet fail, also one that is being deleted or
//     that waits for a node;
//   - a rate limiter that would exceed the deadline makes a status Unknown, and does not end the poll;
//   - an identifier with surplus separators is an error.
package sigs

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin/internal/readers"
	"kstatus.dev/dropin/pkg/kstatus/polling"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/polling/statusreaders"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
)

// config is that of all readers of this package.
var config = readers.Config{CountAllPods: true, RateLimiterIsStatus: true}

// ParseObjMetadata is [object.ParseObjMetadataStrictly].
func ParseObjMetadata(s string) (object.ObjMetadata, error) {
	return object.ParseObjMetadataStrictly(s)
}

// FromStringMap is [object.FromStringMapStrictly].
func FromStringMap(in map[string]string) (object.ObjMetadataSet, error) {
	return object.FromStringMapStrictly(in)
}

// NewDefaultStatusReader is that of package statusreaders.
func NewDefaultStatusReader(mapper meta.RESTMapper) engine.StatusReader {
	return config.Default(mapper)
}

// NewStatusReader is that of package statusreaders.
func NewStatusReader(mapper meta.RESTMapper, statusReaders ...engine.StatusReader) engine.StatusReader {
	return config.Default(mapper, statusReaders...)
}

// NewGenericStatusReader is that of package statusreaders.
func NewGenericStatusReader(mapper meta.RESTMapper, statusFunc statusreaders.StatusFunc) engine.StatusReader {
	return config.Generic(mapper, statusFunc)
}

// NewDeploymentResourceReader is that of package statusreaders.
func NewDeploymentResourceReader(mapper meta.RESTMapper, rsStatusReader interface {
	Supports(schema.GroupKind) bool
	ReadStatusForObject(context.Context, engine.ClusterReader, *unstructured.Unstructured) (*event.ResourceStatus, error)
}) engine.StatusReader {
	return config.Deployment(mapper, rsStatusReader)
}

// NewReplicaSetStatusReader is that of package statusreaders.
func NewReplicaSetStatusReader(mapper meta.RESTMapper, podStatusReader interface {
	Supports(schema.GroupKind) bool
	ReadStatusForObject(context.Context, engine.ClusterReader, *unstructured.Unstructured) (*event.ResourceStatus, error)
}) engine.StatusReader {
	return config.ReplicaSet(mapper, podStatusReader)
}

// NewStatefulSetResourceReader is that of package statusreaders.
func NewStatefulSetResourceReader(mapper meta.RESTMapper, podResourceReader interface {
	Supports(schema.GroupKind) bool
	ReadStatusForObject(context.Context, engine.ClusterReader, *unstructured.Unstructured) (*event.ResourceStatus, error)
}) engine.StatusReader {
	return config.StatefulSet(mapper, podResourceReader)
}

// NewStatusPoller is that of package polling.
func NewStatusPoller(reader client.Reader, mapper meta.RESTMapper, o polling.Options) *polling.StatusPoller {
	return polling.NewStatusPoller(reader, mapper, withReaders(mapper, o))
}

// NewStatusPollerFromFactory is that of package polling.
func NewStatusPollerFromFactory(f polling.Getter, o polling.Options) (*polling.StatusPoller, error) {
	mapper, err := f.ToRESTMapper()
	if err != nil {
		return polling.NewStatusPollerFromFactory(f, o)
	}
	return polling.NewStatusPollerFromFactory(f, withReaders(mapper, o))
}

// withReaders puts the readers of this package behind those of the caller.
func withReaders(mapper meta.RESTMapper, o polling.Options) polling.Options {
	c := config
	c.Mode = o.Mode
	o.CustomStatusReaders = append(o.CustomStatusReaders[:len(o.CustomStatusReaders):len(o.CustomStatusReaders)], c.Default(mapper))
	return o
}

// NewDefaultStatusWatcher is that of package watcher.
func NewDefaultStatusWatcher(dynamicClient dynamic.Interface, mapper meta.RESTMapper) *watcher.DefaultStatusWatcher {
	w := watcher.NewDefaultStatusWatcher(dynamicClient, mapper)
	w.StatusReader = NewDefaultStatusReader(mapper)
	return w
}
