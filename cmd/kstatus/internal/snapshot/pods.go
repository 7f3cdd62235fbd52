package snapshot

import (
	"context"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/observe"
	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// A workload is an object that is not Current and whose Pods may explain why.
type workload struct {
	target  observe.Target
	object  *unstructured.Unstructured
	verdict *output.Verdict
}

// mayHavePods reports whether the Pods of an object can change its verdict. Package source
// decides which kinds have Pods.
func mayHavePods(v output.Verdict) bool {
	return v.Status == status.InProgressStatus || v.Status == status.FailedStatus && v.Error == ""
}

// addPods adds the problems of the newest Pods to the verdicts on workloads, by the rules of a
// wait that reads objects once. If all objects are Current it sends no request.
func (l Reader) addPods(ctx context.Context, workloads []workload) error {
	objects := make(map[observe.Target]*unstructured.Unstructured, len(workloads))
	for _, w := range workloads {
		objects[w.target] = w.object
	}
	if len(objects) == 0 {
		return nil
	}
	pods := podEvents{objects: objects, parts: map[observe.Target][]observe.Event{}}
	var mu sync.Mutex // guards pods.parts
	err := l.Cluster.Source().ReadParts(ctx, objects, func(e observe.Event) {
		mu.Lock()
		defer mu.Unlock()
		pods.parts[e.Of] = append(pods.parts[e.Of], e)
	})
	if err != nil && ctx.Err() == nil {
		l.Cluster.Note("the Pods that may explain why a workload is not ready were not read: " + err.Error())
	}
	var targets []observe.Target
	for t := range pods.parts {
		targets = append(targets, t)
	}
	if len(targets) == 0 {
		return nil
	}
	watcher := observe.Watcher{Source: pods, Evaluator: l.Judge.Evaluator, Requirements: observe.Requirements{Grace: grace.None()}}
	updates := map[observe.Target]observe.Update{}
	for u, err := range watcher.Updates(ctx, targets...) {
		if err != nil {
			return err
		}
		if updates[u.Target] = u; u.Synced {
			break
		}
	}
	for _, w := range workloads {
		u := updates[w.target]
		denied := slices.ContainsFunc(pods.parts[w.target], func(e observe.Event) bool { return e.Err != nil })
		if u.Parts == nil && !denied {
			continue
		}
		own := w.verdict.Message
		if l.Judge.SetUpdate(w.verdict, u); l.OwnText {
			w.verdict.Message, w.verdict.Own, w.verdict.Parts = own, "", nil
		}
	}
	return ctx.Err()
}

// A podEvents is a source of workloads and Pods that have been read. Each workload follows its
// Pods.
type podEvents struct {
	objects map[observe.Target]*unstructured.Unstructured
	parts   map[observe.Target][]observe.Event
}

// Observe reports the targets once.
func (p podEvents) Observe(ctx context.Context, targets []observe.Target, report func(observe.Event) bool) error {
	for _, t := range targets {
		for _, e := range p.parts[t] {
			report(e)
		}
		report(observe.Event{Target: t, Object: p.objects[t], Evaluator: p.parts[t][0].Evaluator})
	}
	<-ctx.Done()
	return nil
}
