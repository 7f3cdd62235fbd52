package parts

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

const (
	batchWindow = 250 * time.Millisecond // how long no workload must come before the parts of all are requested
	batchLimit  = 2 * time.Second        // how long that is delayed at most
	pollPause   = 30 * time.Second       // between lists of parts that may not be watched
	deniedPause = 5 * time.Minute        // before parts that may not be listed are requested again
)

// partResources are the resources that the watches of a namespace read.
var partResources = map[status.Kind]schema.GroupVersionResource{
	podKind:           {Version: "v1", Resource: "pods"},
	replicaSetKind:    {Group: "apps", Version: "v1", Resource: "replicasets"},
	endpointSliceKind: {Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices"},
}

// A partWatch lists and watches the parts of one kind in one namespace. It runs in
// rounds: each has a selector that covers all workloads known at its start.
type partWatch struct {
	tracker  *podTracker
	kind     status.Kind
	resource schema.GroupVersionResource
	wake     chan struct{} // has an item while the selector does not cover a workload

	// Guarded by tracker.mu:
	selector *selector          // of the current round; nil if there is none
	rounds   int                // how many have been started
	cancel   context.CancelFunc // ends the current round
	denied   error              // why the parts cannot be read
}

func newPartWatch(f *podTracker, kind status.Kind) *partWatch {
	return &partWatch{tracker: f, kind: kind, resource: partResources[kind], wake: make(chan struct{}, 1), cancel: func() {}}
}

// concerns reports whether parts of this kind count for a workload.
func (s *partWatch) concerns(p *workload) bool {
	switch s.kind {
	case endpointSliceKind:
		return p.target.Kind == ServiceKind
	case replicaSetKind:
		return p.isDeployment()
	}
	return p.target.Kind != ServiceKind
}

// ensure has the parts of a pending workload read, and reports once if they cannot be.
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
	if reported := slices.Contains(p.deniedKinds, s.kind); s.denied != nil && !reported {
		p.deniedKinds = append(p.deniedKinds, s.kind)
		if s.kind == endpointSliceKind {
			s.tracker.reportServiceAgain(s.tracker.services.byName[p.target.Name])
			return
		}
		s.tracker.tracker.Report(observe.Sighting{Of: p.target, Target: s.wholeOf(p), Err: s.denied})
	}
}

// wholeOf names all parts of this kind that a workload may have.
func (s *partWatch) wholeOf(p *workload) observe.Target {
	return observe.Target{Kind: s.kind, Namespace: s.tracker.namespace, Cluster: p.target.Cluster}
}

// stop ends the current round.
func (s *partWatch) stop() {
	s.cancel()
	s.selector = nil
}

// run reads the parts, round after round, until ctx ends. A round ends when its
// selector does not cover a new workload, or when no workload is pending any more.
func (s *partWatch) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			s.tracker.close()
			return
		case <-s.wake:
		}
		s.batch(ctx)
		round, selector := s.begin(ctx)
		if selector == nil {
			continue
		}
		s.read(round, selector)
		if s.kind == podKind && ctx.Err() == nil {
			s.tracker.reset()
		}
	}
}

// batch waits until no more workloads come.
func (s *partWatch) batch(ctx context.Context) {
	for over := time.Now().Add(batchLimit); listwatch.Sleep(ctx, batchWindow) && time.Now().Before(over); {
		select {
		case <-s.wake:
		default:
			return
		}
	}
}

// begin starts a round. The first covers the workloads that are pending, the second
// all workloads, the third the whole namespace, so that rounds are few.
func (s *partWatch) begin(ctx context.Context) (context.Context, *selector) {
	f := s.tracker
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-s.wake:
	default:
	}
	var workloads []*workload
	for _, p := range f.workloads {
		if s.concerns(p) && (p.pending || s.rounds > 0) {
			workloads = append(workloads, p)
		}
	}
	if f.activity.pending == 0 || len(workloads) == 0 {
		return ctx, nil
	}
	s.selector = &selector{}
	if s.rounds < 2 {
		s.selector = selectorOf(workloads)
	}
	s.rounds++
	round, stop := context.WithCancel(ctx)
	s.cancel = stop
	return round, s.selector
}

// read lists and watches the parts that a selector covers, until ctx ends.
func (s *partWatch) read(ctx context.Context, c *selector) {
	f := s.tracker
	reader := &listwatch.Stream{
		Client: f.tracker.Client,
		Scope: client.Scope{
			Mapping:      &meta.RESTMapping{Resource: s.resource, GroupVersionKind: s.resource.GroupVersion().WithKind(s.kind.Kind), Scope: meta.RESTScopeNamespace},
			Namespace:    f.namespace,
			Match:        observe.Matching(c.String(), ""),
			MetadataOnly: s.kind == replicaSetKind, // revision and owner are in the metadata
		},
		Sink:    &partSink{watch: s, ctx: ctx},
		Options: listwatch.Options{Last: true, Trusting: true, PollPause: pollPause, RefusedPause: deniedPause},
	}
	for ctx.Err() == nil {
		reader.Run(ctx)
		listwatch.Sleep(ctx, listwatch.PendingPause)
	}
}

// deny reports to the workloads that their parts may not be read. Their verdicts
// lose only the explanation.
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

// permit takes back that the parts may not be read.
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
				f.reportServiceAgain(f.services.byName[p.target.Name])
				continue
			}
			f.tracker.Report(observe.Sighting{Of: p.target, Target: s.wholeOf(p)})
		}
	}
}
