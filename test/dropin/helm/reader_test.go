package helm_test

import (
	"context"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/event"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/cli-utils/pkg/object"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// notReady is a status reader of a program, for which no ConfigMap is ready.
type notReady struct{}

func (notReady) Supports(kind schema.GroupKind) bool {
	return kind == schema.GroupKind{Kind: "ConfigMap"}
}

func (notReady) ReadStatus(_ context.Context, _ engine.ClusterReader, id object.ObjMetadata) (*event.ResourceStatus, error) {
	return &event.ResourceStatus{Identifier: id, Status: status.InProgressStatus, Message: "no ConfigMap is ready"}, nil
}

func (n notReady) ReadStatusForObject(ctx context.Context, r engine.ClusterReader, u *unstructured.Unstructured) (*event.ResourceStatus, error) {
	return n.ReadStatus(ctx, r, object.UnstructuredToObjMetadata(u))
}
