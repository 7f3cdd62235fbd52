package flux

import (
	"context"

	peerengine "github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	peerevent "github.com/fluxcd/cli-utils/pkg/kstatus/polling/event"
	peerstatus "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	peerobject "github.com/fluxcd/cli-utils/pkg/object"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/object"
)

// converted is a status reader of dropin with the types of cli-utils. The interface ClusterReader
// has the same methods in both, so it needs no conversion.
type converted struct{ reader engine.StatusReader }

var _ peerengine.StatusReader = converted{}

// Supports reports whether the reader judges objects of this kind.
func (c converted) Supports(kind schema.GroupKind) bool { return c.reader.Supports(kind) }

// ReadStatus reads an object and computes its status. Problems of the object are in the status.
func (c converted) ReadStatus(ctx context.Context, reader peerengine.ClusterReader, id peerobject.ObjMetadata) (*peerevent.ResourceStatus, error) {
	rs, err := c.reader.ReadStatus(ctx, reader, object.ObjMetadata(id))
	return convert(rs), err
}

// ReadStatusForObject computes the status of an object.
func (c converted) ReadStatusForObject(ctx context.Context, reader peerengine.ClusterReader, u *unstructured.Unstructured) (*peerevent.ResourceStatus, error) {
	rs, err := c.reader.ReadStatusForObject(ctx, reader, u)
	return convert(rs), err
}

// convert returns a status in the types of cli-utils. A nil status stays nil.
func convert(rs *event.ResourceStatus) *peerevent.ResourceStatus {
	if rs == nil {
		return nil
	}
	c := &peerevent.ResourceStatus{
		Identifier: peerobject.ObjMetadata(rs.Identifier),
		Status:     peerstatus.Status(rs.Status),
		Resource:   rs.Resource,
		Error:      rs.Error,
		Message:    rs.Message,
	}
	for _, child := range rs.GeneratedResources {
		c.GeneratedResources = append(c.GeneratedResources, convert(child))
	}
	return c
}

func convertIDs(ids peerobject.ObjMetadataSet) object.ObjMetadataSet {
	c := make(object.ObjMetadataSet, 0, len(ids))
	for _, id := range ids {
		c = append(c, object.ObjMetadata(id))
	}
	return c
}
