package observe_test

import (
	"context"
	"fmt"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

// A Watcher needs only a Source. Package kube/source has one for clusters.
func ExampleWatcher_Updates() {
	changes := newSteps(missing("a"), widget("a", "False", "being made", nil), widget("a", "True", "", nil))
	w := observe.Watcher{Source: changes}
	for u, err := range w.Updates(context.Background(), target("a")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %s: %s\n", u.Target, u.Result.Status, u.Result.Message)
		if u.Progress == observe.ProgressReached {
			break
		}
		changes.step()
	}
	// Output:
	// Widget/shop/a NotFound: it does not exist
	// Widget/shop/a InProgress: Ready is False: being made
	// Widget/shop/a Current: Ready is True
}

func ExampleWatcher_Wait() {
	w := observe.Watcher{Source: sendAll(widget("a", "True", "", nil), stalled("b"))}
	outcome, board, err := w.Wait(context.Background(), observe.Policy{}, target("a"), target("b"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome)
	for _, u := range board.Unmet() {
		fmt.Println(u.Target, u.Result.Message)
	}
	// Output:
	// failed
	// Widget/shop/b gave up
}

// A goal is any predicate on a verdict and an object. This one also returns what it found
// if it is not met.
func ExampleGoal() {
	labelled := observe.Goal{Name: "labelled", Met: func(_ observe.Update, obj status.Object) (bool, string) {
		if obj == nil {
			return false, ""
		}
		meta, _ := obj.UnstructuredContent()["metadata"].(map[string]any)
		labels, _ := meta["labels"].(map[string]any)
		return labels["tier"] != nil, "it has no label tier"
	}}
	changes := newSteps(missing("a"), widget("a", "True", "", nil), widget("a", "True", "", map[string]any{"labels": map[string]any{"tier": "web"}}))
	w := observe.Watcher{
		Source:       changes,
		Requirements: observe.Requirements{Goals: []observe.Goal{labelled, goal.Current()}},
	}
	for u, err := range w.Updates(context.Background(), target("a")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %q\n", u.Progress, u.Unmet)
		if u.Progress == observe.ProgressReached {
			break
		}
		changes.step()
	}
	// Output:
	// missing: ""
	// open: "it has no label tier"
	// met: ""
}

// A wait right after a change does not accept an earlier status for it.
func ExampleWatcher_minVersion() {
	applied := observe.Version{UID: "u1", Generation: 2}
	changes := newSteps(generation("a", 1, 1), generation("a", 2, 2))
	w := observe.Watcher{
		Source:     changes,
		MinVersion: func(observe.Target) observe.Version { return applied },
	}
	for u, err := range w.Updates(context.Background(), target("a")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s\n", u.Result.Status, u.Result.Message)
		if u.Progress == observe.ProgressReached {
			break
		}
		changes.step()
	}
	// Output:
	// InProgress: its last known state is from before the change: generation is 1, the change made it 2
	// Current: Ready is True
}

// Requirements have the time for which the goals must hold, and the timeout of a target.
func ExampleRequirements() {
	w := observe.Watcher{
		Source:       sendAll(widget("a", "True", "", nil), widget("b", "False", "being made", nil)),
		Requirements: observe.Requirements{Settle: time.Millisecond, Timeout: time.Second},
	}
	outcome, board, err := w.Wait(context.Background(), observe.Policy{}, target("a"), target("b"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome)
	for _, u := range board.Updates() {
		fmt.Println(u.Target, u.Progress)
	}
	// Output:
	// timeout
	// Widget/shop/b late
	// Widget/shop/a met
}

// A target without a name is a selection: all objects that match.
func ExampleTarget() {
	web := observe.Target{Kind: status.Kind{Group: "example.com", Kind: "Widget"}, Namespace: "shop", LabelSelector: "app=web"}
	w := observe.Watcher{Source: sendAll(member(web, "a", "True"), member(web, "b", "False"), listed(web))}
	outcome, board, err := w.Wait(context.Background(), observe.Policy{Once: true}, web)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(web, outcome)
	for _, u := range board.Updates() {
		fmt.Println(u.Target, u.Progress)
	}
	// Output:
	// Widget/shop/* -l app=web timeout
	// Widget/shop/b open
	// Widget/shop/a met
}

// One wait covers several clusters.
func ExampleMultiCluster() {
	w := observe.Watcher{Source: observe.MultiCluster(map[string]observe.Source{
		"east": sendAll(widget("a", "True", "", nil)),
		"west": sendAll(missing("a")),
	})}
	outcome, board, err := w.Wait(context.Background(), observe.Policy{Once: true}, inCluster("east", target("a")), inCluster("west", target("a")))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome)
	for _, u := range board.Updates() {
		fmt.Println(u.Target, u.Result.Status)
	}
	// Output:
	// missing
	// west:Widget/shop/a NotFound
	// east:Widget/shop/a Current
}
