package parts

import (
	"context"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/listwatch"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
)

// A partSink takes the parts that a strand reads.
type partSink struct {
	watch  *partWatch
	ctx    context.Context
	listed map[string]bool // while the parts are listed: those that matter, by name
}

func (*partSink) Wants(_, _ string) bool { return true }

func (p *partSink) Begin() { p.listed = map[string]bool{} }

// see takes note of a part as it is.
func (p *partSink) See(o metav1.Object) (news bool) {
	f, matters := p.watch.tracker, false
	switch o := o.(type) {
	case *unstructured.Unstructured:
		u := &unstructured.Unstructured{Object: o.Object} // o is used for another one
		if p.watch.kind == endpointSliceKind {
			matters = f.sliceSeen(u)
		} else {
			matters = f.podSeen(u)
		}
	case *metav1.PartialObjectMetadata:
		matters = f.replicaSetSeen(o)
	}
	if p.listed != nil && matters {
		p.listed[o.GetName()] = true
	}
	return matters
}

// lose takes note that a part is gone.
func (p *partSink) Lose(_, name string, _ uint64) {
	delete(p.listed, name)
	f := p.watch.tracker
	switch p.watch.kind {
	case endpointSliceKind:
		f.sliceDeleted(name)
	case replicaSetKind:
		f.replicaSetDeleted(name)
	default:
		f.podDeleted(name)
	}
}

// end takes note that all parts there are have been seen.
func (p *partSink) End(uint64) {
	p.watch.tracker.retain(p.watch.kind, p.listed)
	p.watch.permit()
	p.listed = nil
}

// fail tells the parents if their parts may not be read. Any other failure costs
// a verdict nothing but its explanation.
func (p *partSink) Fail(_ *observe.Unreadable, err error) {
	if client.IsRefused(err) {
		p.watch.deny(p.ctx, err)
	}
}

func (*partSink) Forget() {}

// awaited has failures be retried as those of targets that are waited for.
func (*partSink) Pending() (map[listwatch.Key]uint64, bool) { return nil, true }
