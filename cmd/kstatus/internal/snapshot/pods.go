package snapshot

import (
	"context"
	"maps"
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
	updates, err := pods.updates(ctx, l.Judge.Evaluator)
	if err != nil {
		return err
	}
	for _, w := range workloads {
		if u, counts := updates[w.target]; counts {
			setUpdate(l.Judge, w.verdict, u, l.OwnText)
		}
	}
	return ctx.Err()
}

// setUpdate sets the verdict on a workload to that with its Pods. With ownText, the message does
// not repeat that of the Pods.
func setUpdate(j output.Judge, v *output.Verdict, u observe.Update, ownText bool) {
	own := v.Message
	if j.SetUpdate(v, u); ownText {
		v.Message, v.Own, v.Parts = own, "", nil
	}
}

// updates returns the updates on workloads whose Pods count, or may not be read.
func (p podEvents) updates(ctx context.Context, by status.Evaluator) (map[observe.Target]observe.Update, error) {
	updates := map[observe.Target]observe.Update{}
	if len(p.parts) == 0 {
		return updates, nil
	}
	watcher := observe.Watcher{Source: p, Evaluator: by, Requirements: observe.Requirements{Grace: grace.None()}}
	for u, err := range watcher.Updates(ctx, slices.Collect(maps.Keys(p.parts))...) {
		if err != nil {
			return nil, err
		}
		if updates[u.Target] = u; u.Synced {
			break
		}
	}
	maps.DeleteFunc(updates, func(t observe.Target, u observe.Update) bool {
		return u.Parts == nil && !slices.ContainsFunc(p.parts[t], func(e observe.Event) bool { return e.Err != nil })
	})
	return updates, nil
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
