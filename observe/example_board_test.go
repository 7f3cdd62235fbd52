package observe_test

import (
	"fmt"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A board of two targets, one of which has failed.
func exampleBoard() *observe.Board {
	b := new(observe.Board)
	b.Add(observe.Update{Target: target("a"), Result: status.Result{Status: status.CurrentStatus}, Progress: observe.ProgressReached})
	b.Add(observe.Update{Target: target("b"), Result: status.Result{Status: status.FailedStatus}, Progress: observe.ProgressFailed, Synced: true})
	return b
}

func ExampleBoard_Add() {
	b := exampleBoard()
	b.Add(observe.Update{Target: target("b"), Progress: observe.ProgressReached})
	fmt.Println(b.Len(), b.Synced(), len(b.Unmet()))
	// Output: 2 true 0
}

func ExampleBoard_Updates() {
	for _, u := range exampleBoard().Updates() {
		fmt.Println(u.Target, u.Result.Status)
	}
	// Output:
	// Widget/shop/b Failed
	// Widget/shop/a Current
}

func ExampleBoard_Unmet() {
	for _, u := range exampleBoard().Unmet() {
		fmt.Println(u.Target, u.Progress)
	}
	// Output: Widget/shop/b failed
}

func ExampleBoard_StatusCounts() {
	fmt.Println(exampleBoard().StatusCounts())
	// Output: map[Current:1 Failed:1]
}

func ExampleBoard_ProgressCounts() {
	fmt.Println(exampleBoard().ProgressCounts())
	// Output: map[failed:1 met:1]
}

func ExampleBoard_Outcome() {
	fmt.Println(exampleBoard().Outcome(observe.Policy{}))
	// Output: failed
}

func ExampleBoard_End() {
	b := new(observe.Board)
	b.Add(observe.Update{Target: target("a"), Progress: observe.ProgressPending, Synced: true})
	fmt.Println(b.End(observe.Policy{}, observe.ErrTimeout))
	// Output: timeout
}

func ExampleTarget_String() {
	kind := status.Kind{Kind: "Pod"}
	fmt.Println(observe.Target{Kind: kind, Namespace: "shop", Name: "web", Cluster: "east"})
	fmt.Println(observe.Target{Kind: kind, LabelSelector: "app=web", FieldSelector: "status.phase=Running"})
	// Output:
	// east:Pod/shop/web
	// Pod/* -l app=web --field-selector status.phase=Running
}

func ExampleTarget_ID() {
	web := observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
	fmt.Println(web.ID())
	fmt.Println(observe.TargetOf(web.ID()) == web)
	// Output:
	// Deployment/shop/web
	// true
}

func ExampleTarget_Compare() {
	fmt.Println(target("a").Compare(target("b")), target("a").Compare(target("a")))
	// Output: -1 0
}

func ExampleTarget_IsSelection() {
	fmt.Println(target("a").IsSelection(), target("").IsSelection())
	// Output: false true
}

func ExampleUpdate_IsCurrent() {
	expired := observe.Update{Result: status.Result{Status: status.NotFoundStatus, Reason: "ExpiredTTL"}}
	fmt.Println(expired.IsCurrent())
	// Output: true
}

func ExampleUpdate_Message() {
	u := observe.Update{
		Result: status.Result{Message: "1 of 2 replicas are available"},
		Parts:  &status.Parts{Count: 1, Kind: "Pod", Name: "web-1", Reason: "CrashLoop", Message: "container api exits with code 1"},
	}
	fmt.Println(u.Message())
	// Output: 1 of 2 replicas are available; Pod web-1: container api exits with code 1
}

func ExampleUnreadable_Error() {
	var err error = &observe.Unreadable{Reason: "Forbidden", Text: "dev may not list pods in namespace shop"}
	fmt.Println(err)
	// Output: dev may not list pods in namespace shop
}
