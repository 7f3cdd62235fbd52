package explain_test

import (
	"encoding/json"
	"fmt"

	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// Why a Pod is not there, from the Pod alone.
func Example() {
	var pod status.Map
	if err := json.Unmarshal([]byte(`{
		"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "api-0"},
		"spec": {"containers": [{"name": "api", "image": "shop/api:1.9.0"}]},
		"status": {"phase": "Running", "containerStatuses": [{"name": "api", "restartCount": 5,
			"state": {"waiting": {"reason": "CrashLoopBackOff"}},
			"lastState": {"terminated": {"exitCode": 1, "reason": "Error"}}}]}}`), &pod); err != nil {
		fmt.Println(err)
		return
	}
	verdict, err := status.Compute(pod)
	if err != nil {
		fmt.Println(err)
		return
	}
	id := explain.ID{Kind: "Pod", Namespace: "shop", Name: "api-0"}
	facts := &explain.Facts{Objects: []explain.ObjectFact{{ID: id, Object: pod, Result: *verdict}}}
	for _, c := range explain.Explain(facts, id).Causes {
		fmt.Println(c.Kind+":", c.Text)
		for _, e := range c.Evidence {
			fmt.Println(" ", e.From, e.Path, "=", e.Value)
		}
	}
	for _, w := range explain.Queries(facts, id) {
		fmt.Println("to read next:", w.Type)
	}
	// Output:
	// CrashLoop: container "api" exits with code 1
	//   status .status.containerStatuses[api].lastState.terminated.exitCode = 1
	//   status .status.containerStatuses[api].restartCount = 5
	// to read next: events
	// to read next: log
}
