package engine

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/object"
)

// A ClusterReader reads objects for a [StatusReader]. An implementation may read ahead.
type ClusterReader interface {
	// Get reads one object of the kind of obj into obj.
	Get(ctx context.Context, key client.ObjectKey, obj *unstructured.Unstructured) error

	// ListNamespaceScoped reads the objects of the kind of list in a namespace that the selector
	// matches.
	ListNamespaceScoped(ctx context.Context, list *unstructured.UnstructuredList, namespace string, selector labels.Selector) error

	// ListClusterScoped reads the objects of the kind of list that the selector matches.
	ListClusterScoped(ctx context.Context, list *unstructured.UnstructuredList, selector labels.Selector) error

	// Sync is called before each round of a poll.
	Sync(ctx context.Context) error
}

// A StatusReader computes the status of objects of some kinds.
type StatusReader interface {
	// Supports reports whether the reader computes the status of this kind.
	Supports(schema.GroupKind) bool

	// ReadStatus reads an object and computes its status. Problems of the object are in the
	// result. An error ends the poll or the watch.
	ReadStatus(ctx context.Context, reader ClusterReader, resource object.ObjMetadata) (*event.ResourceStatus, error)

	// ReadStatusForObject is ReadStatus of an object that has been read.
	ReadStatusForObject(ctx context.Context, reader ClusterReader, object *unstructured.Unstructured) (*event.ResourceStatus, error)
}

// A ClusterReaderFactory makes the ClusterReader of a poll.
type ClusterReaderFactory interface {
	New(reader client.Reader, mapper meta.RESTMapper, identifiers object.ObjMetadataSet) (ClusterReader, error)
}

// A ClusterReaderFactoryFunc is a function as a ClusterReaderFactory.
type ClusterReaderFactoryFunc func(client.Reader, meta.RESTMapper, object.ObjMetadataSet) (ClusterReader, error)

// New calls c.
func (c ClusterReaderFactoryFunc) New(r client.Reader, m meta.RESTMapper, ids object.ObjMetadataSet) (ClusterReader, error) {
	return c(r, m, ids)
}
