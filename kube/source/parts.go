package source

import (
	"context"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/source/internal/parts"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// ReadParts reads once the Pods that explain why workloads are not ready, and reports
// them as events Of the targets. Objects of kinds without Pods cause no requests.
// ReadParts sends two lists per namespace, and reports forbidden lists as errors. A third list is
// for the events about StatefulSets, DaemonSets and Jobs that have too few Pods.
func (c *Cluster) ReadParts(ctx context.Context, objects map[observe.Target]*unstructured.Unstructured, report func(observe.Event)) error {
	s, err := c.connect()
	if err != nil {
		return err
	}
	defer s.close()
	return s.readParts(ctx, objects, report)
}

func (s *session) readParts(ctx context.Context, objects map[observe.Target]*unstructured.Unstructured, report func(observe.Event)) error {
	workloads := map[observe.Target]*unstructured.Unstructured{}
	var targets []observe.Target
	for t, u := range objects {
		if parts.HasPods(t.Kind) {
			workloads[t] = u
			targets = append(targets, t)
		}
	}
	tracker := parts.New(ctx, parts.Config{
		Client: s.Session, Namespace: s.namespace, Targets: targets,
		Report: func(e observe.Event) bool {
			e.Evaluator = &s.evaluator
			report(e)
			return true
		},
	})
	return tracker.Read(ctx, workloads)
}

// PartsAmong reports, as ReadParts does, the Pods that explain why workloads are not ready. They are
// among the given Pods, ReplicaSets and Events, for example of a file. It may change these objects.
func PartsAmong(workloads map[observe.Target]*unstructured.Unstructured, among []*unstructured.Unstructured, by status.Evaluator, report func(observe.Event)) {
	by.SelectRule = parts.SelectRule(by.SelectRule)
	tracker := parts.New(context.Background(), parts.Config{
		Targets: slices.Collect(maps.Keys(workloads)), Report: func(e observe.Event) bool { e.Evaluator = &by; report(e); return true },
	})
	tracker.Find(workloads, among)
}

// HasPods reports whether objects of a kind have Pods that count for them.
func HasPods(kind status.Kind) bool { return parts.HasPods(kind) }

// partsFirst holds the events of workloads back until their Pods have been read.
type partsFirst struct {
	session *session
	report  func(observe.Event) bool
	ready   chan struct{} // closed when all workloads have been seen
	follows bool          // see [Cluster.FollowParts]

	mu      sync.Mutex              // guards the fields below
	missing map[observe.Target]bool // targets without an event
	held    []observe.Event         // about workloads, in order of arrival
	parts   []observe.Event         // about parts that the source has read meanwhile
	done    bool                    // events are no longer held back
}

// newPartsFirst returns the partsFirst for the workloads among the targets.
func newPartsFirst(s *session, targets []observe.Target, report func(observe.Event) bool) *partsFirst {
	f := &partsFirst{session: s, report: report, ready: make(chan struct{}), missing: map[observe.Target]bool{}}
	for _, t := range targets {
		if parts.HasPods(t.Kind) {
			f.missing[t] = true
		}
	}
	return f
}

// add takes an event of the source. It returns whether the source reads the Pods of a workload too.
func (f *partsFirst) add(e observe.Event) bool {
	isPart := !e.Of.IsSelection() && parts.HasPods(e.Of.Kind)
	if !isPart && !parts.HasPods(e.Target.Kind) {
		return f.report(e)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return f.report(e) && f.follows
	}
	if isPart {
		f.parts = append(f.parts, e)
		return f.follows
	}
	f.held = append(f.held, e)
	if waited := len(f.missing); waited > 0 {
		if delete(f.missing, e.Target); len(f.missing) == 0 {
			close(f.ready)
		}
	}
	return f.follows
}

// run reads the Pods after all workloads have been seen, and reports all held events.
func (f *partsFirst) run(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-f.ready:
	}
	var mu sync.Mutex // guards pods
	pods := map[observe.Target][]observe.Event{}
	err := f.session.readParts(ctx, f.notCurrent(), func(e observe.Event) {
		mu.Lock()
		defer mu.Unlock()
		pods[e.Of] = append(pods[e.Of], e)
	})
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		f.session.Notes.Once("the Pods that may explain why a workload is not ready were not read: " + err.Error())
	}
	f.release(pods)
}

// notCurrent returns the workloads that are not Current by themselves.
func (f *partsFirst) notCurrent() map[observe.Target]*unstructured.Unstructured {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := map[observe.Target]*unstructured.Unstructured{}
	for _, e := range f.held {
		u, _ := e.Object.(*unstructured.Unstructured)
		if u == nil {
			continue
		}
		if result, err := f.session.evaluator.Compute(u); err != nil || result.Status != status.CurrentStatus {
			all[e.Target] = u
		}
	}
	return all
}

// release reports the held events. A named target follows its Pods, so that its first verdict
// counts them. An object of a selection precedes its Pods, since it is known only then, and its
// selection comes last.
func (f *partsFirst) release(pods map[observe.Target][]observe.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done = true
	var selections []observe.Event
	for _, e := range f.held {
		these := pods[e.Target]
		delete(pods, e.Target)
		switch member := e.Of != (observe.Target{}); {
		case e.Target.IsSelection():
			selections = append(selections, e)
			continue
		case member:
			these = append([]observe.Event{e}, these...)
		default:
			these = append(these, e)
		}
		for _, e := range these {
			f.report(e)
		}
	}
	for _, e := range slices.Concat(f.parts, selections) {
		f.report(e)
	}
	f.held, f.parts = nil, nil
}
