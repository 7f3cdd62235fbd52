// Package wait reads the status of objects of a cluster, and waits until all of
// them are Current.
//
// A [Resolver] is the short way to what packages observe, source and status do
// together: [Resolver.FetchAndResolve] looks once, [Resolver.WaitForStatus]
// follows objects until all are Current. Objects are named by an
// [observe.Target], or given as they are, best as an apply has returned them.
//
// An object that cannot be read is Unknown, with the reason Forbidden, NoMatch,
// BadScope or Transport. The others are read all the same. What the definitions of custom kinds promise about their
// status is read and taken into account.
//
// If you need more, such as other goals for some objects, several clusters or
// signs of life, use an [observe.Watcher] and a [source.Cluster] directly.
//
// wait.go holds the API, request.go what a call requests, aggregate.go the status
// of all objects together, and unfinished.go the error of a wait that did not
// succeed.
package wait

import (
	"context"
	"fmt"
	"iter"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// A Resolver finds out the status of objects. Config is required, or Client. It may be
// copied and used by several goroutines, and keeps nothing between two calls: a program
// with many waits sets Client, so that they share what it keeps.
type Resolver struct {
	Config    *rest.Config    // of a connection for each call of its own
	Client    *source.Client  // a connection that calls share, instead of Config
	Scheme    *runtime.Scheme // tells of which kind typed objects are that do not say so themselves; nil: such are refused
	Namespace string          // where objects of namespaced kinds are that name none; empty: those are BadScope

	// Interval is how often objects are listed, each kind once in each namespace,
	// for users who may not watch them. Zero: they are watched. The results are the
	// same, up to one Interval later. See [source.Cluster.Interval].
	Interval time.Duration

	Evaluator    status.Evaluator     // how objects are judged
	Requirements observe.Requirements // what a wait requires of every object; zero: that it be Current
	Policy       observe.Policy       // when a wait ends other than by success; zero: as soon as that is certain
}

// A Result is the status of one object.
type Result struct {
	Target  observe.Target
	Version observe.Version // which version of the object the verdict is on; zero if there is none
	Result  status.Result
	Parts   *status.Parts // the worst problem of the Pods of a workload; nil if none is known
	Err     error         // why the object could not be read; Result says it as well
}

// FetchAndResolve reads every target once. The Pods of a workload that is not
// Current count as they do for a wait. The results are in the order of the targets;
// the objects of selections follow, sorted. An error is not about one object: the
// server does not accept the credentials, or ctx has ended. Then the targets that
// have not been read are Unknown, with the error as the cause.
func (r Resolver) FetchAndResolve(ctx context.Context, targets ...observe.Target) ([]Result, error) {
	return r.fetch(ctx, requestTargets(targets))
}

// FetchAndResolveObjects is FetchAndResolve for the objects, of which only the
// kind, the name and the version are used: an object that was applied is not
// judged by what it was before. See [Resolver.WaitForStatusOfObjects]. An object
// that does not say what it is has a Result with Err, and the others have theirs.
func (r Resolver) FetchAndResolveObjects(ctx context.Context, objects ...runtime.Object) ([]Result, error) {
	return r.fetch(ctx, r.requestObjects(objects))
}

func (r Resolver) fetch(ctx context.Context, req request) ([]Result, error) {
	r.Policy.Once = true
	r.Requirements = observe.Requirements{Ignore: true} // verdicts are wanted as they are, and nothing is waited for
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

// An Event is a new verdict on one object, and what it makes of all.
type Event struct {
	observe.Update
	Aggregate status.Status  // of all objects together
	Board     *observe.Board // the latest update of each object; it changes when the stream goes on
}

// WaitForStatus yields the first verdict on every target and then every change,
// until all are Current at the same time, or whatever else Requirements ask; then the
// stream ends. If it ends otherwise, because of the Policy or of ctx, the last
// that it yields is an error, an [*Unfinished] that tells why and where each
// object stood.
//
// An object that does not exist is NotFound and waited for, one that has failed
// is a failure; neither is Current. That an object was Current once does not
// count, unless Requirements.Latch says so. The caller may stop ranging at any time;
// nothing is left behind.
func (r Resolver) WaitForStatus(ctx context.Context, targets ...observe.Target) iter.Seq2[Event, error] {
	return r.follow(ctx, requestTargets(targets))
}

// WaitForStatusOfObjects is WaitForStatus for the objects. Of each only its
// kind, its name and its version are used. Those that an apply returned carry a
// UID, a generation and a resourceVersion: a status from before is not taken for
// that of what was applied, nor another object for the one that was. Those read
// from a file carry none, and are taken as they are in the cluster.
//
// If an object does not say what it is, the error that names it is all that is
// yielded.
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
		for u, err := range r.watcher(req).Updates(ctx, req.targets...) {
			if err != nil {
				end.Outcome, end.Cause = observe.OutcomeUnknown, err
				break
			}
			end.Board.Add(u)
			end.Outcome = end.Board.Outcome(r.Policy)
			if !yield(Event{u, total.add(u), end.Board}, nil) {
				return
			}
			if end.Outcome != observe.OutcomePending {
				break
			}
		}
		switch {
		case len(req.targets) == 0:
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

// watcher returns what does the work.
func (r Resolver) watcher(req request) observe.Watcher {
	cluster := &source.Cluster{Config: r.Config, Client: r.Client, Namespace: r.Namespace, Interval: r.Interval, PartsFirst: r.Policy.Once}
	w := observe.Watcher{Source: cluster, Evaluator: r.Evaluator, Requirements: r.Requirements}
	if r.Policy.Once && w.Requirements.Grace == nil {
		w.Requirements.Grace = grace.None()
	}
	if req.minVersions != nil {
		w.MinVersion = func(t observe.Target) observe.Version { return req.minVersions[t] }
	}
	return w
}
