package parts

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/kube/connection"
	"kstatus.dev/observe"
)

// A partSink passes the parts that a watch reads to the tracker. A missed change only affects
// the explanation of a verdict, so watches are not verified.
type partSink struct {
	watch  *partWatch
	ctx    context.Context
	listed map[string]bool // during a list: the names of the relevant parts
}

func (*partSink) Wants(_, _ string) bool { return true }

func (p *partSink) Begin() { p.listed = map[string]bool{} }

// See passes the current state of a part on.
func (p *partSink) See(o metav1.Object) (news bool) {
	pt, relevant := p.watch.tracker, false
	u, whole := o.(*unstructured.Unstructured)
	switch {
	case p.watch.kind == replicaSetKind: // whole if the caller's clients do not read metadata alone
		relevant = pt.replicaSetSeen(o)
	case !whole:
	case p.watch.kind == eventKind:
		relevant = pt.eventSeen(u, p.listed != nil)
	case p.watch.kind == endpointSliceKind:
		relevant = pt.sliceSeen(u)
	default:
		relevant = pt.podSeen(u)
	}
	if p.listed != nil && relevant {
		p.listed[o.GetName()] = true
	}
	return relevant
}

// Lose passes the deletion of a part on.
func (p *partSink) Lose(_, name string, _ uint64) {
	delete(p.listed, name)
	pt := p.watch.tracker
	switch p.watch.kind {
	case eventKind: // it expired
	case endpointSliceKind:
		pt.sliceDeleted(name)
	case replicaSetKind:
		pt.replicaSetDeleted(name)
	default:
		pt.podDeleted(name)
	}
}

// End forgets the parts that were not listed.
func (p *partSink) End(uint64) {
	p.watch.tracker.retain(p.watch.kind, p.listed)
	p.watch.reportPermitted()
	p.listed = nil
}

// Fail reports that reading parts is forbidden. Other failures are only retried.
func (p *partSink) Fail(_ *observe.Unreadable, err error) {
	if connection.IsRefused(err) {
		p.watch.reportDenied(p.ctx, err)
	}
}

func (*partSink) Forget() {}

// Pending makes failures be retried as often as those of pending targets.
func (*partSink) Pending() (map[types.NamespacedName]uint64, bool) { return nil, true }
