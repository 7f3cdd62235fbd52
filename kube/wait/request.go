package wait

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A request holds the arguments of a call, in their order.
type request struct {
	targets     []observe.Target
	minVersions map[observe.Target]observe.Version // nil for none
	applied     map[observe.Target]status.Object   // what an apply has returned, if it has a Pod template
	typed       bool                               // some of applied were converted from Go types
	invalid     map[int]error                      // the errors of invalid arguments, by index
}

// requestTargets returns the request for targets.
func requestTargets(targets []observe.Target) request {
	req := request{targets: targets, invalid: map[int]error{}}
	for i, t := range targets {
		if t.Kind.Kind == "" {
			req.invalid[i] = fmt.Errorf("identify target %q: it has no kind", t.Name)
		}
	}
	return req
}

// requestObjects returns the request for objects.
func (r Resolver) requestObjects(objects []runtime.Object) request {
	req := request{
		targets:     make([]observe.Target, len(objects)),
		minVersions: make(map[observe.Target]observe.Version, len(objects)),
		applied:     map[observe.Target]status.Object{},
		invalid:     map[int]error{},
	}
	for i, obj := range objects {
		t, version, err := TargetOf(obj, r.Scheme)
		if req.targets[i] = t; err != nil {
			req.invalid[i] = err
			continue
		}
		req.minVersions[t] = version
		if version.Generation > 0 {
			req.apply(t, obj, r.Scheme)
		}
	}
	return req
}

// apply records an object that an apply has returned. Typed custom resources are not recorded: their
// types may write values in another form than the cluster has them.
func (a *request) apply(t observe.Target, obj runtime.Object, scheme *runtime.Scheme) {
	_, plain := obj.(runtime.Unstructured)
	if !plain && t.Kind.Group != "apps" && t.Kind.Group != "batch" {
		return
	}
	content, err := ObjectOf(obj, scheme)
	if err != nil {
		return // so the wait does not compare it
	}
	a.applied[t], a.typed = content, a.typed || !plain
}

// readable returns the targets of valid arguments.
func (a request) readable() []observe.Target {
	known := make([]observe.Target, 0, len(a.targets))
	for i, t := range a.targets {
		if a.invalid[i] == nil {
			known = append(known, t)
		}
	}
	return known
}

// err returns the errors of all invalid arguments.
func (a request) err() error {
	var errs []error
	for i := range a.targets {
		errs = append(errs, a.invalid[i])
	}
	return errors.Join(errs...)
}

// results returns the results in the order of the arguments, followed by the objects of
// selections, sorted. A target without a verdict is Unknown, with why as the cause.
func (a request) results(board *observe.Board, why error) []Result {
	seen := make(map[observe.Target]Result, board.Len())
	for _, u := range board.Updates() {
		seen[u.Target] = Result{Target: u.Target, Version: u.Version, Result: u.Result, Parts: u.Parts, Err: u.Err}
	}
	members := maps.Clone(seen)
	results := make([]Result, len(a.targets))
	for i, t := range a.targets {
		result, ok := seen[t]
		switch err := a.invalid[i]; {
		case err != nil:
			result = unknownResult(t, status.ReasonMalformed, err)
		case !ok:
			result = unknownResult(t, status.ReasonTransport, why)
		}
		results[i] = result
		delete(members, t)
	}
	for _, t := range slices.SortedFunc(maps.Keys(members), observe.Target.Compare) {
		results = append(results, members[t])
	}
	return results
}

// unknownResult returns the result of a target that could not be read.
func unknownResult(t observe.Target, reason string, why error) Result {
	r := Result{Target: t, Result: status.Result{Status: status.UnknownStatus, Reason: reason, Confidence: status.ConfidenceExplicit}, Err: why}
	if why != nil {
		r.Result.Message = why.Error()
	}
	return r
}
