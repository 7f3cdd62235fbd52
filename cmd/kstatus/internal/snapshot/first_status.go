package snapshot

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// DefaultFirstStatus is the default time for a controller's first report on an object.
const DefaultFirstStatus = 30 * time.Second

// unreported are the reasons for objects whose controller has not reported the declared status.
var unreported = []string{status.ReasonNotObserved, status.ReasonNoSummary, status.ReasonNotStarted, status.ReasonWaitingForParents, status.ReasonNoControllerEvidence}

// expireFirstStatus changes the verdicts on objects whose controller has not reported within
// Reader.FirstStatus. The new verdict is that of a wait after that time, usually Current
// (assumed). The time counts from the last write to the object, without writes to its status. It
// sends one request for each kind with such objects.
func (r Reader) expireFirstStatus(ctx context.Context, objects []workload) error {
	now := r.Judge.Evaluator.Now()
	late := repeatedEvents{objects: map[observe.Target]*unstructured.Unstructured{}}
	var targets []observe.Target
	var kinds []status.Kind
	for _, o := range objects {
		if r.FirstStatus <= 0 || !slices.Contains(unreported, o.verdict.Reason) || now.Sub(lastWrite(o.object)) < r.FirstStatus {
			continue
		}
		targets = append(targets, o.target)
		late.objects[o.target] = o.object
		if !slices.Contains(kinds, o.target.Kind) {
			kinds = append(kinds, o.target.Kind)
		}
	}
	if len(targets) == 0 {
		return nil
	}
	if err := r.Cluster.Client.LoadPeers(ctx, kinds...); err != nil && ctx.Err() == nil {
		r.Cluster.Note(err.Error())
	}
	late.before.Store(int64(r.FirstStatus))
	evaluator := r.Judge.Evaluator
	evaluator.Now = func() time.Time { return now.Add(-time.Duration(late.before.Load())) }
	watcher := observe.Watcher{Source: &late, Evaluator: evaluator, Requirements: observe.Requirements{FirstStatus: r.FirstStatus, Grace: grace.None()}}
	updates := map[observe.Target]observe.Update{}
	for u, err := range watcher.Updates(ctx, targets...) {
		if errors.Is(err, errReported) {
			break
		}
		if err != nil {
			return err
		}
		updates[u.Target] = u
	}
	for _, o := range objects {
		if u, ok := updates[o.target]; ok {
			r.Judge.SetUpdate(o.verdict, u)
		}
	}
	return ctx.Err()
}

// lastWrite returns the time of the last write to an object, without writes to its status.
func lastWrite(u *unstructured.Unstructured) time.Time {
	last := u.GetCreationTimestamp().Time
	for _, entry := range u.GetManagedFields() {
		if entry.Subresource != "status" && entry.Time != nil && entry.Time.After(last) {
			last = entry.Time.Time
		}
	}
	return last
}

// errReported ends a watch of objects that have been read.
var errReported = errors.New("all objects are reported")

// A repeatedEvents is a source of objects that have been read. It reports them twice: at the start
// of the time for a first report, and now.
type repeatedEvents struct {
	objects map[observe.Target]*unstructured.Unstructured
	before  atomic.Int64 // the time before now, as a [time.Duration]
}

// Observe reports the targets twice.
func (l *repeatedEvents) Observe(_ context.Context, targets []observe.Target, report func(observe.Event) bool) error {
	for range 2 {
		for _, t := range targets {
			report(observe.Event{Target: t, Object: l.objects[t]})
		}
		l.before.Store(0)
	}
	return errReported
}
