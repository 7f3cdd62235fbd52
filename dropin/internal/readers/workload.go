package readers

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/verdict"
	"kstatus.dev/dropin/pkg/kstatus/polling/engine"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/internal/condition"
)

// deployment judges a Deployment by itself, and adds its ReplicaSets and their Pods.
type deployment struct {
	Config
	mapper      meta.RESTMapper
	replicaSets ObjectReader
}

func (d *deployment) Supports(gk schema.GroupKind) bool { return gk == deploymentKind }

func (d *deployment) ReadStatusForObject(ctx context.Context, reader engine.ClusterReader, obj *unstructured.Unstructured) (*event.ResourceStatus, error) {
	id := object.UnstructuredToObjMetadata(obj)
	m, err := verdict.Mode(ctx, d.Mode)
	if err != nil {
		return nil, err
	}
	sets, err := children(ctx, d.mapper, reader, d.replicaSets, obj, replicaSetKind)
	if err != nil && !(m.Events == dropin.EventsRight && apierrors.IsForbidden(err)) {
		return d.unreadable(id, err, obj, nil)
	}
	res, err := verdict.Compute(ctx, d.Mode, obj)
	if err != nil {
		return d.unreadable(id, err, obj, sets)
	}
	rs := &event.ResourceStatus{Identifier: id, Status: res.Status, Resource: obj, Message: res.Message, GeneratedResources: sets}
	if causes(m) {
		addProblem(rs, currentPods(obj, sets))
	}
	return rs, nil
}

// causes reports whether the status of a workload has the problem of its Pods. The verdicts of
// cli-utils have neither reasons nor other failures of Pods.
func causes(m dropin.Mode) bool {
	return m.Events == dropin.EventsRight && m.Verdicts != dropin.VerdictsCompat
}

// workload judges a ReplicaSet or a StatefulSet by itself and by its Pods.
type workload struct {
	Config
	kind   schema.GroupKind
	mapper meta.RESTMapper
	pods   ObjectReader
}

func (w *workload) Supports(gk schema.GroupKind) bool { return gk == w.kind }

func (w *workload) ReadStatusForObject(ctx context.Context, reader engine.ClusterReader, obj *unstructured.Unstructured) (*event.ResourceStatus, error) {
	id := object.UnstructuredToObjMetadata(obj)
	m, err := verdict.Mode(ctx, w.Mode)
	if err != nil {
		return nil, err
	}
	pods, err := children(ctx, w.mapper, reader, w.pods, obj, podKind)
	if err != nil && !(m.Events == dropin.EventsRight && apierrors.IsForbidden(err)) {
		return w.unreadable(id, err, obj, nil)
	}
	res, err := verdict.Compute(ctx, w.Mode, obj)
	if err != nil {
		return w.unreadable(id, err, obj, pods)
	}
	rs := &event.ResourceStatus{Identifier: id, Status: res.Status, Resource: obj, Message: res.Message, GeneratedResources: pods}
	switch failed := w.failed(pods); {
	case causes(m):
		addProblem(rs, ownPods(obj, pods))
	case failed > 0 && rs.Status == status.InProgressStatus:
		rs.Status, rs.Message = status.FailedStatus, fmt.Sprintf("%d pods have failed", failed)
	}
	return rs, nil
}

// failed returns the number of failed Pods that count.
func (w *workload) failed(pods event.ResourceStatuses) (n int) {
	for _, p := range pods {
		if p.Status == status.FailedStatus && (w.CountAllPods || !transient(p.Resource)) {
			n++
		}
	}
	return n
}

// transient reports whether the failure of a Pod may end without a change of its owner. That is so
// if no node fits, if the Pod is being deleted, and if it is not known.
func transient(pod *unstructured.Unstructured) bool {
	return pod == nil || pod.GetDeletionTimestamp() != nil || Unschedulable(pod)
}

// Unschedulable reports whether u is a Pod for which no node fits.
func Unschedulable(u *unstructured.Unstructured) bool {
	if u == nil || u.GroupVersionKind().GroupKind() != podKind {
		return false
	}
	c, _ := condition.Find(condition.Of(u.Object), "PodScheduled")
	return c.Status == condition.False && c.Reason == "Unschedulable"
}
