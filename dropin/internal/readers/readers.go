// Package readers computes the statuses of objects and of the objects that their controllers made.
//
// The two originals differ in two points, so each constructor takes a Config. readers.go has the
// constructors, base.go reads objects and their children, errors.go turns errors into statuses,
// and workload.go judges by Pods.
package readers

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/verdict"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

// A Config selects the behavior of readers. The zero Config is that of fluxcd/cli-utils, in the
// mode of the program.
type Config struct {
	Mode dropin.Mode

	// CountAllPods makes each failed Pod count, and RateLimiterIsStatus makes a rate limiter that
	// would exceed the deadline a status. Both are so in sigs.k8s.io/cli-utils v0.37.2.
	CountAllPods, RateLimiterIsStatus bool
}

// An ObjectReader judges objects that have been read.
type ObjectReader = interface {
	Supports(schema.GroupKind) bool
	ReadStatusForObject(context.Context, engine.ClusterReader, *unstructured.Unstructured) (*event.ResourceStatus, error)
}

// A StatusFunc computes the status of an object.
type StatusFunc = func(*unstructured.Unstructured) (*status.Result, error)

var (
	deploymentKind  = schema.GroupKind{Group: "apps", Kind: "Deployment"}
	replicaSetKind  = schema.GroupKind{Group: "apps", Kind: "ReplicaSet"}
	statefulSetKind = schema.GroupKind{Group: "apps", Kind: "StatefulSet"}
	podKind         = schema.GroupKind{Kind: "Pod"}
)

// Default returns a reader for all kinds. The readers of the caller come first.
func (c Config) Default(mapper meta.RESTMapper, custom ...engine.StatusReader) *Delegating {
	workloads, other := c.Builtin(mapper)
	all := append(append(append([]engine.StatusReader{}, custom...), workloads...), other)
	return &Delegating{StatusReaders: all}
}

// Builtin returns the readers of workloads, and the one of all other kinds.
func (c Config) Builtin(mapper meta.RESTMapper) (workloads []engine.StatusReader, other engine.StatusReader) {
	other = &base{Config: c, mapper: mapper, ObjectReader: &generic{Config: c}}
	replicaSets := c.ReplicaSet(mapper, other)
	return []engine.StatusReader{c.Deployment(mapper, replicaSets), c.StatefulSet(mapper, other), replicaSets}, other
}

// Generic returns a reader for all kinds that judges with compute.
func (c Config) Generic(mapper meta.RESTMapper, compute StatusFunc) engine.StatusReader {
	return &base{Config: c, mapper: mapper, ObjectReader: &generic{Config: c, compute: compute}}
}

// Deployment returns a reader for Deployments.
func (c Config) Deployment(mapper meta.RESTMapper, replicaSets ObjectReader) engine.StatusReader {
	return &base{Config: c, mapper: mapper, ObjectReader: &deployment{Config: c, mapper: mapper, replicaSets: replicaSets}}
}

// ReplicaSet returns a reader for ReplicaSets.
func (c Config) ReplicaSet(mapper meta.RESTMapper, pods ObjectReader) engine.StatusReader {
	return &base{Config: c, mapper: mapper, ObjectReader: &workload{Config: c, kind: replicaSetKind, mapper: mapper, pods: pods}}
}

// StatefulSet returns a reader for StatefulSets.
func (c Config) StatefulSet(mapper meta.RESTMapper, pods ObjectReader) engine.StatusReader {
	return &base{Config: c, mapper: mapper, ObjectReader: &workload{Config: c, kind: statefulSetKind, mapper: mapper, pods: pods}}
}

// Delegating uses the first reader that supports a kind.
type Delegating struct {
	StatusReaders []engine.StatusReader
}

// Supports reports whether one of the readers supports the kind.
func (d *Delegating) Supports(gk schema.GroupKind) bool { return d.of(gk) != nil }

func (d *Delegating) of(gk schema.GroupKind) engine.StatusReader {
	for _, r := range d.StatusReaders {
		if r.Supports(gk) {
			return r
		}
	}
	return nil
}

// ReadStatus reads an object and computes its status.
func (d *Delegating) ReadStatus(ctx context.Context, reader engine.ClusterReader, id object.ObjMetadata) (*event.ResourceStatus, error) {
	r := d.of(id.GroupKind)
	if r == nil {
		return nil, unsupported(id.GroupKind)
	}
	return r.ReadStatus(ctx, reader, id)
}

// ReadStatusForObject computes the status of an object.
func (d *Delegating) ReadStatusForObject(ctx context.Context, reader engine.ClusterReader, obj *unstructured.Unstructured) (*event.ResourceStatus, error) {
	gk := obj.GroupVersionKind().GroupKind()
	r := d.of(gk)
	if r == nil {
		return nil, unsupported(gk)
	}
	return r.ReadStatusForObject(ctx, reader, obj)
}

func unsupported(gk schema.GroupKind) error {
	return fmt.Errorf("no status reader supports this resource: %v", gk)
}

// generic judges an object by itself.
type generic struct {
	Config
	compute StatusFunc // nil: that of the mode
}

func (g *generic) Supports(schema.GroupKind) bool { return true }

func (g *generic) ReadStatusForObject(ctx context.Context, _ engine.ClusterReader, obj *unstructured.Unstructured) (*event.ResourceStatus, error) {
	var res *status.Result
	var err error
	if g.compute != nil {
		res, err = g.compute(obj)
	} else {
		if _, err := verdict.Mode(ctx, g.Mode); err != nil {
			return nil, err // not of the object
		}
		res, err = verdict.Compute(ctx, g.Mode, obj)
	}
	if err != nil {
		return g.unreadable(object.UnstructuredToObjMetadata(obj), err, obj, nil)
	}
	return &event.ResourceStatus{Identifier: object.UnstructuredToObjMetadata(obj), Status: res.Status, Resource: obj, Message: res.Message}, nil
}
