package source

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

const (
	// Parents are gathered before their parts are asked for, so that one request
	// asks for those of all: until none has come for a moment, or for so long.
	gathering = 250 * time.Millisecond
	gathered  = 2 * time.Second
	// How often parts are asked for that may be listed but not watched, and
	// that may not be listed.
	partsPoll  = 30 * time.Second
	partsProbe = 5 * time.Minute
)

// The resources that the strands of a namespace read.
var partResources = map[status.Kind]schema.GroupVersionResource{
	podKind:        {Version: "v1", Resource: "pods"},
	replicaSetKind: {Group: "apps", Version: "v1", Resource: "replicasets"},
	endpointSlice:  {Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices"},
}

// A strand lists and watches one kind of parts in one namespace.
type strand struct {
	family   *family
	kind     status.Kind
	resource schema.GroupVersionResource
	wake     chan struct{} // has an item while there is a parent that the strand does not cover

	// Guarded by family.mu:
	cover   *cover             // of the parts asked for; nil while the strand does not run
	widened int                // how many times it has been started
	stop    context.CancelFunc // ends the round under way
	barred  error              // why the parts cannot be read
}

func newStrand(f *family, kind status.Kind) *strand {
	return &strand{family: f, kind: kind, resource: partResources[kind], wake: make(chan struct{}, 1), stop: func() {}}
}

// concerns reports whether the strand has what is asked of a parent's parts.
func (s *strand) concerns(p *parent) bool {
	switch s.kind {
	case endpointSlice:
		return p.target.Kind == serviceKind
	case replicaSetKind:
		return p.deploys()
	}
	return p.target.Kind != serviceKind
}

// serve makes sure that the parts of a parent that is open are asked for, and
// tells it once if they cannot be read.
func (s *strand) serve(p *parent) {
	if !p.open || !s.concerns(p) {
		return
	}
	if s.cover == nil || !s.cover.has(p) {
		s.halt()
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
	if told := slices.Contains(p.barred, s.kind); s.barred != nil && !told {
		p.barred = append(p.barred, s.kind)
		if s.kind == endpointSlice {
			s.family.tellService(s.family.services[p.target.Name])
			return
		}
		s.family.all.tell(observe.Sighting{Of: p.target, Target: s.whole(p), Err: s.barred})
	}
}

// whole names all that the strand may have of a parent.
func (s *strand) whole(p *parent) observe.Target {
	return observe.Target{Kind: s.kind, Namespace: s.family.namespace, Cluster: p.target.Cluster}
}

// halt ends the round under way.
func (s *strand) halt() {
	s.stop()
	s.cover = nil
}

// run follows the parts, round after round, until ctx ends. A round ends when
// it does not cover a parent, or when there is none any more.
func (s *strand) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			s.family.end()
			return
		case <-s.wake:
		}
		s.gather(ctx)
		round, cover := s.begin(ctx)
		if cover == nil {
			continue
		}
		s.follow(round, cover)
		if s.kind == podKind && ctx.Err() == nil {
			s.family.clear()
		}
	}
}

// gather waits until no more parents come.
func (s *strand) gather(ctx context.Context) {
	for over := time.Now().Add(gathered); pause(ctx, gathering) && time.Now().Before(over); {
		select {
		case <-s.wake:
		default:
			return
		}
	}
}

// begin decides what the next round asks for. The first asks for the parts of
// the parents that are open; a wider one for those of all parents known, and
// after that for all in the namespace, so that the number of rounds is bounded.
func (s *strand) begin(ctx context.Context) (context.Context, *cover) {
	f := s.family
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-s.wake:
	default:
	}
	var parents []*parent
	for _, p := range f.parents {
		if s.concerns(p) && (p.open || s.widened > 0) {
			parents = append(parents, p)
		}
	}
	if f.open == 0 || len(parents) == 0 {
		return ctx, nil
	}
	s.cover = &cover{}
	if s.widened < 2 {
		s.cover = coverOf(parents)
	}
	s.widened++
	round, stop := context.WithCancel(ctx)
	s.stop = stop
	return round, s.cover
}

// follow lists and watches the parts that a cover has, until ctx ends.
func (s *strand) follow(ctx context.Context, c *cover) {
	f := s.family
	reader := &stream{
		link: f.all.link,
		scope: scope{
			mapping:   &meta.RESTMapping{Resource: s.resource, GroupVersionKind: s.resource.GroupVersion().WithKind(s.kind.Kind), Scope: meta.RESTScopeNamespace},
			namespace: f.namespace,
			match:     observe.Matching(c.String(), ""),
			lean:      s.kind == replicaSetKind, // its revision and its owner are in the metadata
		},
		sink: &partSink{strand: s, ctx: ctx},
		last: true, trusting: true, pollPause: partsPoll, refusedPause: partsProbe,
	}
	for ctx.Err() == nil {
		reader.run(ctx)
		pause(ctx, openPause)
	}
}

// bar tells the parents that their parts cannot be read. That takes nothing
// but the explanation from their verdicts.
func (s *strand) bar(ctx context.Context, err error) {
	f := s.family
	why := &observe.Unreadable{Reason: "Forbidden", Text: err.Error()}
	if user := f.all.link.user(ctx); user != "" && apierrors.IsForbidden(err) {
		why.Text = fmt.Sprintf("user %s may not list %s in namespace %s", user, s.resource.GroupResource(), f.namespace)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s.barred = why
	for _, p := range f.parents {
		s.serve(p)
	}
}

// unbar takes back that the parts cannot be read.
func (s *strand) unbar() {
	f := s.family
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.barred == nil {
		return
	}
	s.barred = nil
	for _, p := range f.parents {
		if i := slices.Index(p.barred, s.kind); i >= 0 {
			p.barred = slices.Delete(p.barred, i, i+1)
			if s.kind == endpointSlice {
				f.tellService(f.services[p.target.Name])
				continue
			}
			f.all.tell(observe.Sighting{Of: p.target, Target: s.whole(p)})
		}
	}
}

// pause waits, and reports whether ctx has not ended meanwhile.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
	return ctx.Err() == nil
}
