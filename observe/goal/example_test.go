package goal_test

import (
	"fmt"

	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

// The goals of a wait are a field of its requirements.
func Example() {
	r := observe.Requirements{Goals: []observe.Goal{goal.Created(), goal.Condition("Ready", "True")}, Any: true}
	for _, g := range r.Goals {
		fmt.Println(g.Name)
	}
	// Output:
	// created
	// condition=Ready
}

func ExampleCurrent() {
	for _, r := range []status.Result{
		{Status: status.InProgressStatus, Reason: "Progressing"},
		{Status: status.CurrentStatus, Reason: "Available"},
		{Status: status.NotFoundStatus, Reason: "ExpiredTTL"}, // it had completed and was then removed
	} {
		met, _ := goal.Current().Met(observe.Update{Result: r}, nil)
		fmt.Println(r.Status, r.Reason, met)
	}
	// Output:
	// InProgress Progressing false
	// Current Available true
	// NotFound ExpiredTTL true
}

// A Job that has reached its backoff limit is settled. A Deployment that cannot pull its
// image is not settled, since the image may still be pushed.
func ExampleSettled() {
	for _, r := range []status.Result{
		{Status: status.FailedStatus, Reason: "JobFailed", Failure: status.FailureTerminal},
		{Status: status.FailedStatus, Reason: "ImagePullBackOff", Failure: status.FailureRecoverable},
	} {
		met, _ := goal.Settled().Met(observe.Update{Result: r}, nil)
		fmt.Println(r.Reason, met)
	}
	// Output:
	// JobFailed true
	// ImagePullBackOff false
}

func ExampleCreated() {
	none, _ := goal.Created().Met(observe.Update{}, nil)
	one, _ := goal.Created().Met(observe.Update{}, status.Map{"kind": "ConfigMap"})
	fmt.Println(none, one)
	// Output: false true
}

func ExampleDeleted() {
	exists := observe.Update{Result: status.Result{Status: status.CurrentStatus}}
	fmt.Println(goal.Deleted().Met(exists, status.Map{"kind": "ConfigMap"}))
	gone := observe.Update{Result: status.Result{Status: status.NotFoundStatus, Reason: "Deleted"}}
	fmt.Println(goal.Deleted().Met(gone, nil))
	// Output:
	// false it still exists
	// true
}

func ExampleCondition() {
	node := status.Map{"status": map[string]any{"conditions": []any{
		map[string]any{"type": "Ready", "status": "False", "message": "the network is not ready"},
		map[string]any{"type": "DiskPressure", "status": "False"},
	}}}
	fmt.Println(goal.Condition("Ready", "True").Met(observe.Update{}, node))
	fmt.Println(goal.Condition("DiskPressure", "False").Met(observe.Update{}, node))
	// Output:
	// false condition Ready is False: the network is not ready
	// true
}
