// Package wait reads the status of objects of a cluster, and waits until all of them are
// Current.
//
// A [Resolver] combines packages observe, source and status: [Resolver.FetchAndResolve] reads
// objects once, and [Resolver.WaitForStatus] follows them until all are Current. Objects are
// given as an [observe.Target] or as they are, preferably as returned by an apply.
//
// An object that cannot be read is Unknown, with the reason Forbidden, NoMatch, BadScope or
// Transport. The others are still read. The Resolver also reads the schemas of custom kinds and
// uses them.
//
// If you need more, such as other goals for some objects, several clusters or heartbeats, use an
// [observe.Watcher] and a [source.Cluster] directly.
//
// wait.go holds the API and request.go the arguments of a call. aggregate.go computes the status
// of all objects together, and unfinished.go has the error of a failed wait.
package wait

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/sets/follow"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// A Resolver reads the status of objects. Config or Client is required. It may be copied and is
// safe for concurrent use. It keeps no data between calls: a program with many waits sets Client
// to share connections and schemas.
type Resolver struct {
	Config    *rest.Config    // opens a new connection for each call
	Client    *source.Client  // shares a connection between calls, instead of Config
	Scheme    *runtime.Scheme // finds the kind of typed objects that lack it; nil: such objects are an error
	Namespace string          // of namespaced objects without a namespace; empty: those are BadScope

	// Interval is for users who may not watch objects. If it is not zero, objects are
	// listed at this interval, each kind once per namespace, instead of being watched.
	// The results are the same, up to one Interval later. See [source.Cluster.Interval].
	Interval time.Duration

	Evaluator    status.Evaluator     // how objects are judged
	Requirements observe.Requirements // the requirements of a wait on every object; zero: it must be Current
	Policy       observe.Policy       // when a wait ends without success; zero: as soon as that is certain

	// Sets are sets that a wait follows in addition to its targets, such as Helm releases. Their
	// objects are targets too, and must meet the Requirements. See package follow. A wait for
	// deletion must not have Sets. [Resolver.FetchAndResolve] ignores them.
	Sets []follow.Set
}

// A Result is the status of one object.
type Result struct {
	Target  observe.Target
	Version observe.Version // the version of the judged object; zero if it does not exist
	Result  status.Result
	Parts   *status.Parts // the worst problem of the Pods of a workload; nil if none is known
	Err     error         // why the object could not be read; the verdict has the same reason
}

// FetchAndResolve reads every target once and judges it alone; only a wait also reads its Pods.
// The results are in the order of the targets, followed by the objects of selections, sorted. An
// error is not about one object: the server rejects the credentials, or ctx has ended. Then the
// targets that were not read are Unknown, with the error as the cause.
func (r Resolver) FetchAndResolve(ctx context.Context, targets ...observe.Target) ([]Result, error) {
	return r.fetch(ctx, requestTargets(targets))
}

// FetchAndResolveObjects is FetchAndResolve for objects, of which only the kind, the name and
// the version are used. An applied object is not judged by an older status. See
// [Resolver.WaitForStatusOfObjects]. An object without a kind has a Result with Err; the others
// have theirs.
func (r Resolver) FetchAndResolveObjects(ctx context.Context, objects ...runtime.Object) ([]Result, error) {
	return r.fetch(ctx, r.requestObjects(objects))
}

func (r Resolver) fetch(ctx context.Context, req request) ([]Result, error) {
	r.Policy.Once = true
	r.Requirements = observe.Requirements{Ignore: true} // read verdicts without waiting
	w := r.watcher(req)
	board := new(observe.Board)
	targets := req.readable()
	var failed error
	for u, err := range w.Updates(ctx, targets...) {
		if err != nil {
			failed = err
			break
		}
		if board.Add(u); u.Synced {
			break
		}
	}
	if failed == nil && !board.Synced() && len(targets) > 0 {
		failed = causeOf(ctx)
	}
	results := req.results(board, failed)
	if failed != nil {
		return results, fmt.Errorf("look at %d objects: %w", len(targets), failed)
	}
	return results, nil
}

// An Event is a new verdict on one object, and the status of all together.
type Event struct {
	observe.Update
	Aggregate status.Status  // of all objects together
	Board     *observe.Board // the latest update of each object; the next event changes it
}

// WaitForStatus yields the first verdict on every target and then every change. It ends when all
// are Current at the same time, or meet other Requirements. If the wait fails because of the Policy
// or of ctx, it finally yields an [*Unfinished] error. That error has the cause and the status of
// each object.
//
// An object that does not exist is NotFound and waited for. An earlier Current does not
// count, unless Requirements.Latch is set. The caller may stop ranging at any time; no
// goroutine or connection remains.
func (r Resolver) WaitForStatus(ctx context.Context, targets ...observe.Target) iter.Seq2[Event, error] {
	return r.follow(ctx, requestTargets(targets))
}

// WaitForStatusOfObjects is WaitForStatus for objects. An object that an apply returned has a UID, a
// generation and a resourceVersion. So the wait accepts neither an older status nor another object
// with the same name. If a later generation has another Pod template, the object fails with the reason
// Superseded, because the wait is for the applied one. Other differences in its spec are a caveat. An
// object from a file has no version, and is judged as it is in the cluster.
//
// If an object lacks its kind, only the error that names it is yielded.
func (r Resolver) WaitForStatusOfObjects(ctx context.Context, objects ...runtime.Object) iter.Seq2[Event, error] {
	return r.follow(ctx, r.requestObjects(objects))
}

func (r Resolver) follow(ctx context.Context, req request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if err := req.err(); err != nil {
			yield(Event{}, fmt.Errorf("wait: %w", err))
			return
		}
		end := &Unfinished{Board: new(observe.Board)}
		total := newAggregate(r.Requirements)
		w := r.watcher(req)
		sets := r.followSets(&w)
		targets := append(sets.Targets(), req.targets...)
		for u, err := range w.Updates(ctx, targets...) {
			if err != nil {
				end.Outcome, end.Cause = observe.OutcomeUnknown, err
				break
			}
			sets.MarkSeen(&u)
			end.Board.Add(u)
			end.Outcome = sets.Outcome(ctx, end.Board, r.Policy)
			if !yield(Event{u, total.add(u), end.Board}, nil) {
				return
			}
			if end.Outcome != observe.OutcomePending {
				break
			}
		}
		switch {
		case len(targets) == 0:
			end.Outcome, end.Cause = observe.OutcomeMissing, errNothing
		case end.Outcome == observe.OutcomePending:
			end.Cause = causeOf(ctx)
			end.Outcome = end.Board.End(r.Policy, end.Cause)
		}
		if end.Outcome != observe.OutcomeSuccess {
			yield(Event{}, end)
		}
	}
}

// followSets makes a watcher follow the Sets.
func (r Resolver) followSets(w *observe.Watcher) *follow.Source {
	s := &follow.Source{Objects: w.Source, Sets: r.Sets, Once: r.Policy.Once}
	if len(r.Sets) > 0 {
		ofSet, targets := follow.Requirements(w.Requirements), s.Targets()
		w.Source = s
		w.RequirementsFor = func(t observe.Target) *observe.Requirements {
			if slices.Contains(targets, t) {
				return &ofSet
			}
			return nil
		}
	}
	return s
}

// watcher returns the Watcher for a request.
func (r Resolver) watcher(req request) observe.Watcher {
	cluster := &source.Cluster{Config: r.Config, Client: r.Client, Namespace: r.Namespace, Interval: r.Interval, PartsFirst: r.Policy.Once}
	w := observe.Watcher{Source: cluster, Evaluator: r.Evaluator, Requirements: r.Requirements}
	if r.Policy.Once && w.Requirements.Grace == nil {
		w.Requirements.Grace = grace.None()
	}
	if req.minVersions != nil {
		w.MinVersion = func(t observe.Target) observe.Version { return req.minVersions[t] }
		w.Applied = func(t observe.Target) status.Object { return req.applied[t] }
		w.AppliedTyped = req.typed
	}
	return w
}
