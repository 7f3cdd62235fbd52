package follow_test

import (
	"context"
	"fmt"

	"kstatus.dev/kube/sets"
	"kstatus.dev/kube/sets/follow"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
)

// Wait for a Helm release and an object, with your own loop over the updates. With package wait, set
// the Sets of its Resolver instead.
func ExampleSource() {
	_ = func(ctx context.Context, cluster *sets.Cluster, objects observe.Source, job observe.Target) error {
		owner, _ := sets.ParseOwner("helm/web", "shop")
		s := &follow.Source{
			Objects:   objects, // such as a source.Cluster
			Sets:      []follow.Set{{Cluster: cluster, Owner: owner}},
			OnRelease: func(r follow.Release) { fmt.Println(r.Owner, r.State, r.Revision) },
		}
		all := observe.Requirements{Goals: []observe.Goal{goal.Condition("Available", "True")}}
		ofSets := follow.Requirements(all) // a release itself has no such condition
		w := observe.Watcher{Source: s, Requirements: all, RequirementsFor: func(t observe.Target) *observe.Requirements {
			if t == follow.TargetOf(owner) {
				return &ofSets
			}
			return nil
		}}
		board := new(observe.Board)
		for u, err := range w.Updates(ctx, append(s.Targets(), job)...) {
			if err != nil {
				return err
			}
			s.MarkSeen(&u)
			board.Add(u)
			if outcome := s.Outcome(ctx, board, observe.Policy{}); outcome != observe.OutcomePending {
				fmt.Println(outcome, s.Releases())
				return nil
			}
		}
		return context.Cause(ctx)
	}
}

// Begin a wait with a set that was found before.
func ExampleSet_State() {
	_ = func(ctx context.Context, cluster *sets.Cluster) (follow.Set, error) {
		owner, _ := sets.ParseOwner("helm/web", "shop")
		found, err := cluster.Find(ctx, owner)
		set := follow.Set{Cluster: cluster, Owner: owner, Found: &found}
		if set.State() == follow.StatePending {
			fmt.Println("Helm is at work:", found.Revision)
		}
		return set, err
	}
}

// Print the events of sets, without verdicts.
func ExampleSource_Observe() {
	_ = func(ctx context.Context, s *follow.Source) error {
		return s.Observe(ctx, s.Targets(), func(e observe.Event) (open bool) {
			fmt.Println(e.Target, e.Targets, e.Err)
			return true
		})
	}
}
