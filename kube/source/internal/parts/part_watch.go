package parts

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/listwatch"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

const (
	// Parents are gathered before their parts are asked for, so that one request
	// asks for those of all: until none has come for a moment, or for so long.
	batchWindow = 250 * time.Millisecond
	batchLimit  = 2 * time.Second
	// How often parts are asked for that may be listed but not watched, and
	// that may not be listed.
	pollPause   = 30 * time.Second
	deniedPause = 5 * time.Minute
)

// The resources that the strands of a namespace read.
var partResources = map[status.Kind]schema.GroupVersionResource{
	podKind:           {Version: "v1", Resource: "pods"},
	replicaSetKind:    {Group: "apps", Version: "v1", Resource: "replicasets"},
	endpointSliceKind: {Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices"},
}

// A strand lists and watches one kind of parts in one namespace.
type partWatch struct {
	tracker  *podTracker
	kind     status.Kind
	resource schema.GroupVersionResource
	wake     chan struct{} // has an item while there is a parent that the strand does not cover

	// Guarded by family.mu:
	selector *selector          // of the parts asked for; nil while the strand does not run
	rounds   int                // how many times it has been started
	cancel   context.CancelFunc // ends the round under way
	denied   error              // why the parts cannot be read
}

func newPartWatch(f *podTracker, kind status.Kind) *partWatch {
	return &partWatch{tracker: f, kind: kind, resource: partResources[kind], wake: make(chan struct{}, 1), cancel: func() {}}
}

// concerns reports whether the strand has what is asked of a parent's parts.
func (s *partWatch) concerns(p *workload) bool {
	switch s.kind {
	case endpointSliceKind:
		return p.target.Kind == ServiceKind
	case replicaSetKind:
		return p.isDeployment()
	}
	return p.target.Kind != ServiceKind
}

// serve makes sure that the parts of a parent that is open are asked for, and
// tells it once if they cannot be read.
func (s *partWatch) ensure(p *workload) {
	if !p.pending || !s.concerns(p) {
		return
	}
	if s.selector == nil || !s.selector.matches(p) {
		s.stop()
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
	if told := slices.Contains(p.deniedKinds, s.kind); s.denied != nil && !told {
		p.deniedKinds = append(p.deniedKinds, s.kind)
		if s.kind == endpointSliceKind {
			s.tracker.reportServiceAgain(s.tracker.services[p.target.Name])
			return
		}
		s.tracker.tracker.Report(observe.Sighting{Of: p.target, Target: s.wholeOf(p), Err: s.denied})
	}
}

// whole names all that the strand may have of a parent.
func (s *partWatch) wholeOf(p *workload) observe.Target {
	return observe.Target{Kind: s.kind, Namespace: s.tracker.namespace, Cluster: p.target.Cluster}
}

// halt ends the round under way.
func (s *partWatch) stop() {
	s.cancel()
	s.selector = nil
}

// run follows the parts, round after round, until ctx ends. A round ends when
// it does not cover a parent, or when there is none any more.
func (s *partWatch) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			s.tracker.close()
			return
		case <-s.wake:
		}
		s.batch(ctx)
		round, cover := s.begin(ctx)
		if cover == nil {
			continue
		}
		s.read(round, cover)
		if s.kind == podKind && ctx.Err() == nil {
			s.tracker.reset()
		}
	}
}

// gather waits until no more parents come.
func (s *partWatch) batch(ctx context.Context) {
	for over := time.Now().Add(batchLimit); listwatch.Sleep(ctx, batchWindow) && time.Now().Before(over); {
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
func (s *partWatch) begin(ctx context.Context) (context.Context, *selector) {
	f := s.tracker
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-s.wake:
	default:
	}
	var parents []*workload
	for _, p := range f.workloads {
		if s.concerns(p) && (p.pending || s.rounds > 0) {
			parents = append(parents, p)
		}
	}
	if f.pending == 0 || len(parents) == 0 {
		return ctx, nil
	}
	s.selector = &selector{}
	if s.rounds < 2 {
		s.selector = selectorOf(parents)
	}
	s.rounds++
	round, stop := context.WithCancel(ctx)
	s.cancel = stop
	return round, s.selector
}

// follow lists and watches the parts that a cover has, until ctx ends.
func (s *partWatch) read(ctx context.Context, c *selector) {
	f := s.tracker
	reader := &listwatch.Stream{
		Client: f.tracker.Client,
		Scope: client.Scope{
			Mapping:      &meta.RESTMapping{Resource: s.resource, GroupVersionKind: s.resource.GroupVersion().WithKind(s.kind.Kind), Scope: meta.RESTScopeNamespace},
			Namespace:    f.namespace,
			Match:        observe.Matching(c.String(), ""),
			MetadataOnly: s.kind == replicaSetKind, // its revision and its owner are in the metadata
		},
		Sink: &partSink{watch: s, ctx: ctx},
		Last: true, Trusting: true, PollPause: pollPause, RefusedPause: deniedPause,
	}
	for ctx.Err() == nil {
		reader.Run(ctx)
		listwatch.Sleep(ctx, listwatch.PendingPause)
	}
}

// bar tells the parents that their parts cannot be read. That takes nothing
// but the explanation from their verdicts.
func (s *partWatch) deny(ctx context.Context, err error) {
	f := s.tracker
	why := &observe.Unreadable{Reason: "Forbidden", Text: err.Error()}
	if user := f.tracker.Client.User(ctx); user != "" && apierrors.IsForbidden(err) {
		why.Text = fmt.Sprintf("user %s may not list %s in namespace %s", user, s.resource.GroupResource(), f.namespace)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s.denied = why
	for _, p := range f.workloads {
		s.ensure(p)
	}
}

// unbar takes back that the parts cannot be read.
func (s *partWatch) permit() {
	f := s.tracker
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.denied == nil {
		return
	}
	s.denied = nil
	for _, p := range f.workloads {
		if i := slices.Index(p.deniedKinds, s.kind); i >= 0 {
			p.deniedKinds = slices.Delete(p.deniedKinds, i, i+1)
			if s.kind == endpointSliceKind {
				f.reportServiceAgain(f.services[p.target.Name])
				continue
			}
			f.tracker.Report(observe.Sighting{Of: p.target, Target: s.wholeOf(p)})
		}
	}
}
