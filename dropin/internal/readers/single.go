package readers

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/dropin/internal/verdict"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
)

// Single returns a reader for all kinds that judges each object by itself. Only when a workload
// has failed does it read the children, because their problem is the cause.
func (c Config) Single(mapper meta.RESTMapper) engine.StatusReader {
	return &base{Config: c, mapper: mapper, ObjectReader: &single{generic: generic{Config: c}, whole: c.Default(mapper)}}
}

// single judges an object by itself, and uses whole for workloads that have failed.
type single struct {
	generic
	whole ObjectReader
}

func (s *single) ReadStatusForObject(ctx context.Context, reader engine.ClusterReader, obj *unstructured.Unstructured) (*event.ResourceStatus, error) {
	rs, err := s.generic.ReadStatusForObject(ctx, reader, obj)
	if err != nil || rs.Status != status.FailedStatus {
		return rs, err
	}
	if m, err := verdict.Mode(ctx, s.Mode); err != nil || !causes(m) {
		return rs, err
	}
	explained, err := s.whole.ReadStatusForObject(ctx, reader, obj)
	if err != nil || explained.Status != status.FailedStatus {
		return rs, nil // the verdict does not depend on the children
	}
	explained.GeneratedResources = nil
	return explained, nil
}
