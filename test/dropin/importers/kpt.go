package importers

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/kubectl/pkg/cmd/util"
	"sigs.k8s.io/cli-utils/pkg/kstatus/polling"
	"sigs.k8s.io/cli-utils/pkg/kstatus/polling/clusterreader"
	"sigs.k8s.io/cli-utils/pkg/kstatus/polling/engine"
	"sigs.k8s.io/cli-utils/pkg/kstatus/polling/event"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/cli-utils/pkg/object"
)

// A groupReader judges the objects of one API group, as kpt does for Config Connector.
type groupReader struct {
	group  string
	mapper meta.RESTMapper
}

var _ engine.StatusReader = groupReader{}

// Supports reports whether a kind belongs to the group.
func (r groupReader) Supports(kind schema.GroupKind) bool { return kind.Group == r.group }

// ReadStatus reads and judges an object.
func (r groupReader) ReadStatus(ctx context.Context, reader engine.ClusterReader, id object.ObjMetadata) (*event.ResourceStatus, error) {
	mapping, err := r.mapper.RESTMapping(id.GroupKind)
	if err != nil {
		return nil, err
	}
	var u unstructured.Unstructured
	u.SetGroupVersionKind(mapping.GroupVersionKind)
	if err := reader.Get(ctx, types.NamespacedName{Namespace: id.Namespace, Name: id.Name}, &u); err != nil {
		return &event.ResourceStatus{Identifier: id, Status: status.UnknownStatus, Error: err}, nil
	}
	return r.ReadStatusForObject(ctx, reader, &u)
}

// ReadStatusForObject judges an object by its condition Ready.
func (r groupReader) ReadStatusForObject(_ context.Context, _ engine.ClusterReader, u *unstructured.Unstructured) (*event.ResourceStatus, error) {
	found := &event.ResourceStatus{
		Identifier: object.UnstructuredToObjMetadata(u), Status: status.InProgressStatus, Resource: u,
		GeneratedResources: event.ResourceStatuses{}, Message: "not ready",
	}
	if u.GetDeletionTimestamp() != nil {
		found.Status = status.TerminatingStatus
		return found, nil
	}
	with, err := status.GetObjectWithConditions(u.Object)
	if err != nil {
		return nil, err
	}
	for _, c := range with.Status.Conditions {
		if c.Type == "Ready" && string(c.Status) == "True" {
			found.Status, found.Message = status.CurrentStatus, c.Message
		} else if c.Type == "Ready" && c.Reason == "UpdateFailed" {
			found.Status = status.FailedStatus
		}
	}
	return found, nil
}

// newPoller returns the poller of a kubectl factory.
func newPoller(f util.Factory, mapper meta.RESTMapper) (*polling.StatusPoller, error) {
	return polling.NewStatusPollerFromFactory(f, polling.Options{
		CustomStatusReaders: []engine.StatusReader{groupReader{"cnrm.cloud.google.com", mapper}},
	})
}

// poll reads the events of a poller until one is an error, or all objects are gone.
func poll(ctx context.Context, p *polling.StatusPoller, ids object.ObjMetadataSet) error {
	var gone event.ResourceStatuses
	for e := range p.Poll(ctx, ids, polling.PollOptions{PollInterval: time.Second}) {
		switch e.Type {
		case event.ErrorEvent:
			return e.Error
		case event.ResourceUpdateEvent:
			if e.Resource.Status == status.NotFoundStatus {
				gone = append(gone, e.Resource)
			}
		case event.SyncEvent:
		}
		if len(gone) == len(ids) && (len(gone) == 0 || !event.ResourceStatusEqual(gone[0], nil)) {
			return nil
		}
	}
	return ctx.Err()
}

// readDynamically reads objects with a dynamic client.
func readDynamically(ctx context.Context, c dynamic.Interface, mapper meta.RESTMapper, list *unstructured.UnstructuredList) error {
	var reader engine.ClusterReader = &clusterreader.DynamicClusterReader{DynamicClient: c, Mapper: mapper}
	if err := reader.Sync(ctx); err != nil {
		return err
	}
	if err := reader.ListNamespaceScoped(ctx, list, "shop", labels.Everything()); err != nil {
		return err
	}
	return reader.ListClusterScoped(ctx, list, labels.Everything())
}

var _ = []any{newPoller, poll, readDynamically}
