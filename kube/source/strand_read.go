package source

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
)

// A partSink takes the parts that a strand reads.
type partSink struct {
	strand *strand
	ctx    context.Context
	listed map[string]bool // while the parts are listed: those that matter, by name
}

func (*partSink) wants(_, _ string) bool { return true }

func (p *partSink) begin() { p.listed = map[string]bool{} }

// see takes note of a part as it is.
func (p *partSink) see(o metav1.Object) (news bool) {
	f, matters := p.strand.family, false
	switch o := o.(type) {
	case *unstructured.Unstructured:
		u := &unstructured.Unstructured{Object: o.Object} // o is used for another one
		if p.strand.kind == endpointSlice {
			matters = f.sawSlice(u)
		} else {
			matters = f.sawPod(u)
		}
	case *metav1.PartialObjectMetadata:
		matters = f.sawSet(o)
	}
	if p.listed != nil && matters {
		p.listed[o.GetName()] = true
	}
	return matters
}

// lose takes note that a part is gone.
func (p *partSink) lose(_, name string, _ uint64) {
	delete(p.listed, name)
	f := p.strand.family
	switch p.strand.kind {
	case endpointSlice:
		f.lostSlice(name)
	case replicaSetKind:
		f.lostSet(name)
	default:
		f.lostPod(name)
	}
}

// end takes note that all parts there are have been seen.
func (p *partSink) end(uint64) {
	p.strand.family.only(p.strand.kind, p.listed)
	p.strand.unbar()
	p.listed = nil
}

// fail tells the parents if their parts may not be read. Any other failure costs
// a verdict nothing but its explanation.
func (p *partSink) fail(_ *observe.Unreadable, err error) {
	if refused(err) {
		p.strand.bar(p.ctx, err)
	}
}

func (*partSink) forget() {}

// awaited has failures be retried as those of targets that are waited for.
func (*partSink) awaited() (map[key]uint64, bool) { return nil, true }
