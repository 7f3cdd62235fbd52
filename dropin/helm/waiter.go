package helm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"helm.sh/helm/v4/pkg/kube"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/rest"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

var (
	jobKind = status.Kind{Group: "batch", Kind: "Job"}
	podKind = status.Kind{Kind: "Pod"}
)

// A waiter waits with kstatus, except for objects that the readers of the program judge.
type waiter struct {
	client *Client
	config *rest.Config
	helm   func(context.Context) (kube.Waiter, error) // for the kinds of Client.Readers; nil without readers
}

var _ kube.Waiter = (*waiter)(nil)

// Wait waits until the objects are Current. A running Job is.
func (w *waiter) Wait(resources kube.ResourceList, timeout time.Duration) error {
	return w.both(resources, timeout, kube.Waiter.Wait, func(ctx context.Context, all kube.ResourceList) error {
		return w.wait(ctx, all, observe.Watcher{Evaluator: w.evaluator(status.StartedProfile()), Requirements: w.client.requirements()})
	})
}

// WaitWithJobs waits until the objects are Current and the Jobs have completed.
func (w *waiter) WaitWithJobs(resources kube.ResourceList, timeout time.Duration) error {
	return w.both(resources, timeout, kube.Waiter.WaitWithJobs, func(ctx context.Context, all kube.ResourceList) error {
		return w.wait(ctx, all, observe.Watcher{Evaluator: w.evaluator(status.Profile{}), Requirements: w.client.requirements()})
	})
}

// WatchUntilReady waits until the Jobs and the Pods among the objects have completed.
func (w *waiter) WatchUntilReady(resources kube.ResourceList, timeout time.Duration) error {
	return w.both(resources, timeout, kube.Waiter.WatchUntilReady, func(ctx context.Context, all kube.ResourceList) error {
		hooks := all.Filter(func(info *resource.Info) bool {
			kind := targetOf(info).Kind
			return kind == jobKind || kind == podKind
		})
		return w.wait(ctx, hooks, observe.Watcher{
			Evaluator:    w.evaluator(status.Profile{}),
			Requirements: w.client.requirements(observe.Goal{Name: "completed", Met: hasCompleted}),
		})
	})
}

// WaitForDelete waits until the objects do not exist.
func (w *waiter) WaitForDelete(resources kube.ResourceList, timeout time.Duration) error {
	return w.limit(timeout, func(ctx context.Context) error {
		return w.wait(ctx, resources, observe.Watcher{
			Evaluator:    w.evaluator(status.Profile{}),
			Requirements: w.client.requirements(goal.Deleted()),
		})
	})
}

// hasCompleted is the goal of the Job or the Pod of a hook. A Pod that runs and a Job that is
// suspended may be Current, and do not meet it.
func hasCompleted(u observe.Update, obj status.Object) (bool, string) {
	if !u.IsCurrent() {
		return false, ""
	}
	if obj == nil {
		return true, "" // it completed, and was then removed
	}
	if u.Target.Kind == podKind && decoded.Text(obj.UnstructuredContent(), "status", "phase") == "Succeeded" {
		return true, ""
	}
	if u.Target.Kind == jobKind && condition.Is(obj.UnstructuredContent(), "Complete", condition.True) {
		return true, ""
	}
	return false, "it has not completed"
}

func (w *waiter) evaluator(p status.Profile) status.Evaluator {
	e := w.client.Evaluator
	e.Profile = p
	return e
}

// limit calls do with the context of the client and the timeout. As in Helm, a zero timeout is
// [kube.DefaultStatusWatcherTimeout].
func (w *waiter) limit(timeout time.Duration, do func(context.Context) error) error {
	ctx := w.client.context()
	if ctx == nil {
		ctx = context.Background()
	}
	if timeout == 0 {
		timeout = kube.DefaultStatusWatcherTimeout
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	return do(ctx)
}

// both waits for the objects of the readers with Helm, and at the same time for the others with
// kstatus.
func (w *waiter) both(
	resources kube.ResourceList, timeout time.Duration,
	ofHelm func(kube.Waiter, kube.ResourceList, time.Duration) error, ours func(context.Context, kube.ResourceList) error,
) error {
	return w.limit(timeout, func(ctx context.Context) error {
		if w.helm == nil {
			return ours(ctx, resources)
		}
		halves, stop := context.WithCancel(ctx)
		defer stop()
		theirs, err := w.helm(halves)
		if err != nil {
			return err
		}
		var first, second error
		var waits sync.WaitGroup
		if judged := resources.Filter(w.hasReader); len(judged) > 0 {
			waits.Go(func() {
				first = ofHelm(theirs, judged, timeout)
				if first != nil && w.client.FailFast {
					stop()
				}
			})
		}
		second = ours(halves, resources.Filter(func(info *resource.Info) bool { return !w.hasReader(info) }))
		if second != nil && w.endsAll(second) {
			stop()
		}
		waits.Wait()
		if ctx.Err() == nil { // the end of one half by the other is no error
			first, second = unlessCanceled(first), unlessCanceled(second)
		}
		return errors.Join(first, second)
	})
}

// endsAll reports whether the error of one half ends the whole wait.
func (w *waiter) endsAll(err error) bool {
	end, ok := errors.AsType[*Unfinished](err)
	return !ok || w.client.FailFast || end.Outcome != observe.OutcomeFailure
}

func unlessCanceled(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// hasReader reports whether a reader of the program judges an object.
func (w *waiter) hasReader(info *resource.Info) bool {
	kind := targetOf(info).Kind
	for _, r := range w.client.Readers {
		if r.Supports(schema.GroupKind(kind)) {
			return true
		}
	}
	return false
}

// wait waits until the objects meet the requirements of watcher.
func (w *waiter) wait(ctx context.Context, resources kube.ResourceList, watcher observe.Watcher) error {
	if len(resources) == 0 {
		return nil
	}
	var targets []observe.Target
	versions, applied := map[observe.Target]observe.Version{}, map[observe.Target]status.Object{}
	for _, info := range resources {
		t := targetOf(info)
		if _, known := versions[t]; !known {
			targets = append(targets, t)
		}
		versions[t] = versionOf(info)
		if u, ok := info.Object.(runtime.Unstructured); ok && versions[t].Generation > 0 {
			applied[t] = status.Map(u.UnstructuredContent())
		}
	}
	client, err := source.NewClient(w.config, source.Options{Rules: w.client.Rules})
	if err != nil {
		return err
	}
	defer client.Close()
	watcher.Source = &source.Cluster{Client: client}
	watcher.MinVersion = func(t observe.Target) observe.Version { return versions[t] }
	watcher.Applied = func(t observe.Target) status.Object { return applied[t] }
	w.client.Logger().Debug("waiting for objects with kstatus", "count", len(targets))
	return w.follow(ctx, watcher, targets)
}

// follow waits until the board of the targets decides.
func (w *waiter) follow(ctx context.Context, watcher observe.Watcher, targets []observe.Target) error {
	policy := observe.Policy{KeepGoing: !w.client.FailFast}
	board := new(observe.Board)
	for u, err := range watcher.Updates(ctx, targets...) {
		if err != nil {
			return unfinished(observe.OutcomeUnknown, board, err, targets)
		}
		board.Add(u)
		outcome := board.Outcome(policy)
		if outcome == observe.OutcomePending && board.ProgressCounts()[observe.ProgressUnreadable] > 0 {
			outcome = board.Outcome(observe.Policy{}) // no other object can make this wait succeed
		}
		switch outcome {
		case observe.OutcomePending:
			w.client.Logger().Debug("waiting", "object", u.Target.String(), "status", u.Result.Status, "message", u.Message())
		case observe.OutcomeSuccess:
			return nil
		default:
			return unfinished(outcome, board, nil, targets)
		}
	}
	cause := context.Cause(ctx)
	if err := ctx.Err(); err != nil && !errors.Is(cause, err) {
		cause = fmt.Errorf("%w: %w", err, cause)
	}
	return unfinished(board.End(policy, cause), board, cause, targets)
}

// targetOf returns the target of an object.
func targetOf(info *resource.Info) observe.Target {
	kind := info.Object.GetObjectKind().GroupVersionKind().GroupKind()
	namespace := info.Namespace
	if info.Mapping != nil {
		kind = info.Mapping.GroupVersionKind.GroupKind()
		if !info.Namespaced() {
			namespace = ""
		}
	}
	return observe.Target{Kind: status.Kind(kind), Namespace: namespace, Name: info.Name}
}

// versionOf returns the version of an object as Helm has written it. It is zero for an object that
// comes from a manifest only.
func versionOf(info *resource.Info) observe.Version {
	m, err := meta.Accessor(info.Object)
	if err != nil {
		return observe.Version{}
	}
	return observe.Version{UID: string(m.GetUID()), Generation: m.GetGeneration(), ResourceVersion: m.GetResourceVersion()}
}
