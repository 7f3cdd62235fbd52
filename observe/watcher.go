package observe

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"kstatus.dev/internal/crash"
	"kstatus.dev/status"
)

// A Watcher computes the status of objects from the events of a Source. Only the
// Source is required.
type Watcher struct {
	Source       Source
	Evaluator    status.Evaluator // computes the status of objects; its clock is the Watcher's too
	Requirements Requirements     // apply to every target

	// RequirementsFor returns the requirements of a target that has its own, nil for
	// other targets. Targets may share them; the Watcher keeps the pointers.
	RequirementsFor func(Target) *Requirements

	// MinVersion returns the version that a target must have reached, so that a status from before
	// a change is not accepted. Only UID, Generation and ResourceVersion count, and zero fields
	// require nothing. With a UID, another object of the same name fails. Nil requires nothing.
	MinVersion func(Target) Version

	// Applied returns a target as it was applied, nil if that is not known. Its generation and its
	// spec count. If a later generation has another Pod template, the target fails, because the
	// wait is for the applied one. Other differences are a caveat. Nil compares nothing.
	Applied func(Target) status.Object

	// AppliedTyped says that objects of Applied were converted from Go types, which lack the fields of
	// newer versions. Then a field that was added is no difference.
	AppliedTyped bool

	// FirstApplied reports whether the first object of a target counts as the applied one, because
	// that one is not known. If another Pod template replaces its own, the target has a caveat. Nil
	// means none.
	FirstApplied func(Target) bool

	MinObjects int           // the number of objects that a selection must have; 0 is one
	Together   [][]Target    // selections that have MinObjects together, such as the types of a category; the first of each has the verdict
	Heartbeat  time.Duration // if not zero, Updates yields an Update without a Target at this interval
	Evidence   bool          // fill in Update.Evidence
}

func (w *Watcher) now() time.Time {
	if w.Evaluator.Now == nil {
		return time.Now()
	}
	return w.Evaluator.Now()
}

// Updates yields the first verdict on every target, then one Update for each change of a
// verdict. It ends when ctx ends, when the caller stops ranging, or with an error if the
// Source fails or a target has no kind.
//
// An Update is Synced once every target has had its first one, including targets that do
// not exist or cannot be read. The objects of a selection come before the selection
// itself. Equal verdicts are not repeated. A caller that is slower than the cluster gets
// fewer updates, but always the last one of each target. No goroutine outlives the range. A panic
// while the Source reports an object continues in the goroutine that ranges.
func (w Watcher) Updates(ctx context.Context, targets ...Target) iter.Seq2[Update, error] {
	w.Requirements = w.Requirements.withDefaults()
	return func(yield func(Update, error) bool) {
		if len(targets) == 0 {
			return
		}
		if i := slices.IndexFunc(targets, func(t Target) bool { return t.Kind.Kind == "" }); i >= 0 {
			yield(Update{}, fmt.Errorf("observe: target %d of %d: want a kind, have none", i+1, len(targets)))
			return
		}
		wt, once := newWatch(ctx, &w, targets)
		ctx, stop := context.WithCancel(ctx)
		ended := make(chan error)
		crash.Go(func() {
			defer close(ended)
			ended <- w.Source.Observe(ctx, once, func(e Event) bool {
				if e.Err != nil && ctx.Err() != nil {
					return false // the end of the context has canceled the request
				}
				return wt.report(e)
			})
		})
		defer func() {
			stop()
			for range ended {
			}
		}()
		err := wt.run(ctx, ended, yield)
		if err != nil {
			yield(Update{}, err)
		}
	}
}
