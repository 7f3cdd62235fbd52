package race

import (
	"context"
	"fmt"
	"io"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
)

// A Way is one way to wait for an object that was just applied.
type Way struct {
	Name string
	wait func(ctx context.Context, u user, applied runtime.Object, targets []observe.Target) error
	// endless reports whether a wait may have no end of its own. It is ended once the controller has
	// written its last report, after which no end would be early. nil: no wait.
	endless func(m Mode, u waitingUser) bool
}

// A user contains the clients of a user who waits.
type user struct {
	config *rest.Config
	client *source.Client // shared by all waits of the user
}

// Ways returns the ways to wait that docs/guides/from-cli-utils.md shows. The functions have
// the bodies of its blocks; a test of package snippet compares them.
func Ways() []Way {
	return []Way{
		{Name: "Resolver", wait: func(ctx context.Context, u user, _ runtime.Object, targets []observe.Target) error {
			return insteadOfResolver(ctx, u.config, targets, io.Discard)
		}},
		{Name: "poller", wait: func(ctx context.Context, u user, _ runtime.Object, targets []observe.Target) error {
			return insteadOfPoller(ctx, u.config, targets, io.Discard)
		}},
		{Name: "collector", wait: func(ctx context.Context, u user, _ runtime.Object, targets []observe.Target) error {
			return insteadOfCollector(ctx, u.config, targets, io.Discard)
		}},
		{Name: "apply", wait: func(ctx context.Context, u user, applied runtime.Object, _ []observe.Target) error {
			return afterApply(ctx, u.client, []runtime.Object{applied}, io.Discard)
		}},
	}
}

func insteadOfResolver(ctx context.Context, config *rest.Config, targets []observe.Target, out io.Writer) error {
	r := wait.Resolver{Config: config} // watches; with Interval it lists
	for e, err := range r.WaitForStatus(ctx, targets...) {
		if err != nil {
			return err // why the wait ended, and which objects are not ready
		}
		fmt.Fprintln(out, e.Target, e.Result.Status, e.Aggregate)
	}
	return nil // all are Current
}

func insteadOfPoller(ctx context.Context, config *rest.Config, targets []observe.Target, out io.Writer) error {
	w := observe.Watcher{Source: &source.Cluster{Config: config, Interval: 2 * time.Second}}
	var board observe.Board
	for u, err := range w.Updates(ctx, targets...) {
		if err != nil {
			return err // nothing can be read
		}
		fmt.Fprintln(out, u.Target, u.Result.Status, u.Message())
		board.Add(u)
		switch outcome := board.Outcome(observe.Policy{}); outcome {
		case observe.OutcomePending:
		case observe.OutcomeSuccess:
			return nil
		default:
			return fmt.Errorf("wait: %s", outcome)
		}
	}
	return context.Cause(ctx)
}

func insteadOfCollector(ctx context.Context, config *rest.Config, targets []observe.Target, out io.Writer) error {
	w := observe.Watcher{Source: &source.Cluster{Config: config}}
	outcome, board, err := w.Wait(ctx, observe.Policy{}, targets...)
	for _, u := range board.Unmet() {
		fmt.Fprintln(out, u.Target, u.Result.Status, u.Message())
	}
	if err == nil && outcome != observe.OutcomeSuccess {
		err = fmt.Errorf("wait: %s", outcome) // failed, timeout, missing, forbidden, …
	}
	return err
}

func afterApply(ctx context.Context, client *source.Client, applied []runtime.Object, out io.Writer) error {
	r := wait.Resolver{Client: client}
	for e, err := range r.WaitForStatusOfObjects(ctx, applied...) {
		if err != nil {
			return err
		}
		fmt.Fprintln(out, e.Target, e.Result.Status, e.Message())
	}
	return nil
}
