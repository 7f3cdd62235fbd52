package session

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/verdict"
	"kstatus.dev/kube/source"
	"kstatus.dev/status"
)

// schemaTimeout is the time limit of the reads for one kind. Without them, verdicts use only the
// object.
const schemaTimeout = 10 * time.Second

// useSchemas makes verdicts use the schemas of custom kinds, so that no object is Current before
// its controller has reported.
func (s *Session) useSchemas() {
	if s.mode.Verdicts == dropin.VerdictsCompat {
		return
	}
	options := source.Options{Mapper: s.Mapper}
	if s.REST != nil {
		c, err := source.NewClient(s.REST, options)
		if err == nil {
			s.schema = c
			return
		}
		klog.FromContext(s.ctx).Error(err, "Config of the watcher is not valid, the dynamic client reads the schemas")
	}
	s.schema = source.NewClientFor(source.Interfaces{Dynamic: s.Client}, options)
}

// loadSchema reads what verdicts on a kind need. A kind whose schema may not be read is judged
// without it.
func (s *Session) loadSchema(ctx context.Context, kind schema.GroupKind) {
	if s.schema == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	k := status.Kind{Group: kind.Group, Kind: kind.Kind}
	if err := s.schema.LoadSchemas(ctx, k); err != nil {
		klog.FromContext(s.ctx).V(1).Info("A schema cannot be read", "kind", kind, "err", err)
	}
	if err := s.schema.LoadPeers(ctx, k); err != nil {
		klog.FromContext(s.ctx).V(1).Info("Other objects of a kind cannot be read", "kind", kind, "err", err)
	}
}

// judge returns the judge of a target.
func (s *Session) judge(t *target) *verdict.Judge {
	since := t.age.Since()
	j := &verdict.Judge{Mode: s.mode, Since: func(*unstructured.Unstructured) time.Time { return since }}
	if s.schema != nil {
		j.Evaluator = s.schema.Evaluator()
	}
	return j
}
