package observe_test

import (
	"context"
	"fmt"

	"kstatus.dev/observe"
)

// A Watcher needs nothing but a Source; package kube/source has one for clusters.
func ExampleWatcher_Updates() {
	w := observe.Watcher{Source: paced(absent("a"), widget("a", "False", "being made", nil), widget("a", "True", "", nil))}
	for u, err := range w.Updates(context.Background(), target("a")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %s: %s\n", u.Target, u.Result.Status, u.Result.Message)
		if u.Standing == observe.Met {
			break
		}
	}
	// Output:
	// Widget/shop/a NotFound: it does not exist
	// Widget/shop/a InProgress: Ready is False: being made
	// Widget/shop/a Current: Ready is True
}

func ExampleWatcher_Wait() {
	w := observe.Watcher{Source: sights(widget("a", "True", "", nil), stalled("b"))}
	end, err := w.Wait(context.Background(), observe.Policy{}, target("a"), target("b"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(end.Outcome)
	for _, u := range end.Board.Unmet() {
		fmt.Println(u.Target, u.Result.Message)
	}
	// Output:
	// failed
	// Widget/shop/b gave up
}
