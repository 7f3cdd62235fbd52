package parts

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/kube/watcher"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

const (
	batchWindow = 250 * time.Millisecond // the parts are requested when no workload has been added for this time
	batchLimit  = 2 * time.Second        // maximum delay of that
	pollPause   = 30 * time.Second       // between lists of parts that may not be watched
	deniedPause = 5 * time.Minute        // before parts that may not be listed are requested again
)

// partResources are the resources that the watches of a namespace read.
var partResources = map[status.Kind]schema.GroupVersionResource{
	podKind:           {Version: "v1", Resource: "pods"},
	replicaSetKind:    {Group: "apps", Version: "v1", Resource: "replicasets"},
	eventKind:         {Version: "v1", Resource: "events"},
	endpointSliceKind: {Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices"},
}

// A partWatch lists and watches the parts of one kind in one namespace. It runs in
// rounds: each has a selector that covers all workloads known at its start.
type partWatch struct {
	tracker  *podTracker
	kind     status.Kind
	resource schema.GroupVersionResource
	wake     chan struct{} // has an item if the selector does not cover a workload

	// Guarded by tracker.mu:
	selector *selector          // of the current round; nil if there is none
	rounds   int                // how many have been started
	cancel   context.CancelFunc // ends the current round
	denied   error              // why the parts cannot be read
}

func newPartWatch(pt *podTracker, kind status.Kind) *partWatch {
	return &partWatch{tracker: pt, kind: kind, resource: partResources[kind], wake: make(chan struct{}, 1), cancel: func() {}}
}

// appliesTo reports whether parts of this kind count for a workload.
func (pw *partWatch) appliesTo(w *workload) bool {
	switch pw.kind {
	case endpointSliceKind:
		return w.target.Kind == ServiceKind
	case replicaSetKind:
		return w.isDeployment()
	case eventKind:
		return reportsRefusals(w.target.Kind)
	}
	return w.target.Kind != ServiceKind
}

// isDueFor reports whether parts of this kind may explain the present state of a workload.
func (pw *partWatch) isDueFor(w *workload) bool {
	return pw.appliesTo(w) && (pw.kind != eventKind || w.lacksPods)
}

// ensure requests the parts of a pending workload, and reports once if that is forbidden.
func (pw *partWatch) ensure(w *workload) {
	if !w.pending || !pw.isDueFor(w) {
		return
	}
	if pw.selector == nil || !pw.selector.matches(w) {
		pw.stop()
		select {
		case pw.wake <- struct{}{}:
		default:
		}
	}
	if reported := slices.Contains(w.deniedKinds, pw.kind); pw.denied != nil && !reported {
		w.deniedKinds = append(w.deniedKinds, pw.kind)
		if pw.kind == endpointSliceKind {
			pw.tracker.reportServiceToAll(pw.tracker.services.byName[w.target.Name])
			return
		}
		pw.tracker.tracker.Report(observe.Event{Of: w.target, Target: pw.partsTarget(w), Err: pw.denied})
	}
}

// partsTarget returns the target for all parts of this kind that a workload may have.
func (pw *partWatch) partsTarget(w *workload) observe.Target {
	return observe.Target{Kind: pw.kind, Namespace: pw.tracker.namespace, Cluster: w.target.Cluster}
}

// stop ends the current round.
func (pw *partWatch) stop() {
	pw.cancel()
	pw.selector = nil
}

// run reads the parts, round after round, until ctx ends. A round ends when its
// selector does not cover a new workload, or when no workload is pending any more.
func (pw *partWatch) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			pw.tracker.close()
			return
		case <-pw.wake:
		}
		pw.batch(ctx)
		round, selector := pw.begin(ctx)
		if selector == nil {
			continue
		}
		pw.read(round, selector)
		if pw.kind == podKind && ctx.Err() == nil {
			pw.tracker.reset()
		}
	}
}

// batch waits until no more workloads are added.
func (pw *partWatch) batch(ctx context.Context) {
	for over := time.Now().Add(batchLimit); sleep.For(ctx, batchWindow) && time.Now().Before(over); {
		select {
		case <-pw.wake:
		default:
			return
		}
	}
}

// begin starts a round. The first covers the workloads that are pending, the second
// all workloads, the third the whole namespace, so that rounds are few.
func (pw *partWatch) begin(ctx context.Context) (context.Context, *selector) {
	pt := pw.tracker
	pt.mu.Lock()
	defer pt.mu.Unlock()
	select {
	case <-pw.wake:
	default:
	}
	var workloads []*workload
	for _, w := range pt.workloads {
		if pw.appliesTo(w) && (w.pending || pw.rounds > 0) {
			workloads = append(workloads, w)
		}
	}
	if pt.activity.pending == 0 || len(workloads) == 0 {
		return ctx, nil
	}
	pw.selector = &selector{}
	if pw.rounds < 2 && pw.kind != eventKind {
		pw.selector = selectorOf(workloads)
	}
	pw.rounds++
	round, stop := context.WithCancel(ctx)
	pw.cancel = stop
	return round, pw.selector
}

// read lists and watches the parts that a selector covers, until ctx ends.
func (pw *partWatch) read(ctx context.Context, c *selector) {
	pt := pw.tracker
	reader := &listwatch.Stream{
		Client:  pt.tracker.Client,
		Scope:   pw.scope(c),
		Sink:    &partSink{watch: pw, ctx: ctx},
		Options: listwatch.Options{NoFallback: true, TrustWatches: true, PollPause: pollPause, RefusedPause: deniedPause},
	}
	for ctx.Err() == nil {
		reader.Run(ctx)
		sleep.For(ctx, watcher.UrgentPause)
	}
}

// reportDenied reports to the workloads that their parts may not be read. Their verdicts
// lose only the explanation.
func (pw *partWatch) reportDenied(ctx context.Context, err error) {
	pt := pw.tracker
	why := &observe.Unreadable{Reason: status.ReasonForbidden, Text: err.Error()}
	if user := pt.tracker.Client.User(ctx); user != "" && apierrors.IsForbidden(err) {
		why.Text = fmt.Sprintf("user %s may not list %s in namespace %s", user, pw.resource.GroupResource(), pt.namespace)
	}
	pt.mu.Lock()
	defer pt.mu.Unlock()
	pw.denied = why
	for _, w := range pt.workloads {
		pw.ensure(w)
	}
}

// reportPermitted revokes the report that reading the parts is forbidden.
func (pw *partWatch) reportPermitted() {
	pt := pw.tracker
	pt.mu.Lock()
	defer pt.mu.Unlock()
	if pw.denied == nil {
		return
	}
	pw.denied = nil
	for _, w := range pt.workloads {
		if i := slices.Index(w.deniedKinds, pw.kind); i >= 0 {
			w.deniedKinds = slices.Delete(w.deniedKinds, i, i+1)
			if pw.kind == endpointSliceKind {
				pt.reportServiceToAll(pt.services.byName[w.target.Name])
				continue
			}
			pt.tracker.Report(observe.Event{Of: w.target, Target: pw.partsTarget(w)})
		}
	}
}
