package status_test

import (
	"encoding/json"
	"fmt"
	"time"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// A Deployment of which one replica is not available yet.
const web = `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "prod", "generation": 4},
	"spec": {"replicas": 3},
	"status": {"observedGeneration": 4, "replicas": 3, "updatedReplicas": 3, "readyReplicas": 2, "availableReplicas": 2}}`

func fromJSON(doc string) status.Map {
	var m status.Map
	if err := json.Unmarshal([]byte(doc), &m); err != nil {
		panic(err)
	}
	return m
}

func Example() {
	r, err := status.Compute(fromJSON(web))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, r.Reason, r.Message)
	// Output: InProgress NotAvailable 2/3 available
}

func ExampleEvaluator_Explain() {
	result, reads, err := status.Evaluator{}.Explain(fromJSON(`{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"generation": 2},
		"status": {"observedGeneration": 1}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Status, result.Message)
	for _, r := range reads {
		fmt.Println(" ", r.Path, "=", r.Value)
	}
	// Output:
	// InProgress generation is 2, its controller has observed 1
	//   status.observedGeneration = 1
	//   metadata.generation = 2
}

func ExampleEvaluator_expectations() {
	fresh := fromJSON(`{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "generation": 1}}`)
	before, _ := status.Evaluator{}.Compute(fresh)
	after, _ := status.Evaluator{Expect: func(apiVersion, kind string) schema.Expectation {
		return schema.Expectation{Status: schema.TristateYes, Source: "CRD widgets.example.com"}
	}}.Compute(fresh)
	fmt.Println(before.Status, before.Confidence)
	fmt.Println(after.Status, after.Reason)
	// Output:
	// Current assumed
	// InProgress NotObserved
}

func ExampleEvaluator_rules() {
	painted := func(o *status.Fields) status.Result {
		if have, want := o.Text("status.colour", ""), o.Text("spec.colour", "red"); have != want {
			return status.InProgress("NotAvailable", "painted %q, want %q", have, want)
		}
		return status.Current("Reconciled", "painted")
	}
	e := status.Evaluator{Rules: status.Rules{{Group: "example.com", Kind: "Wall"}: {Rule: painted}}}
	r, _ := e.Compute(fromJSON(`{"apiVersion": "example.com/v1", "kind": "Wall", "spec": {"colour": "blue"}, "status": {"colour": "red"}}`))
	fmt.Println(r.Status, r.Message)
	// Output: InProgress painted "red", want "blue"
}

func ExampleEvaluator_Augment() {
	m := fromJSON(web)
	e := status.Evaluator{Now: func() time.Time { return time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC) }}
	if err := e.Augment(m); err != nil {
		fmt.Println(err)
		return
	}
	b, _ := json.MarshalIndent(m["status"].(map[string]any)["conditions"], "", "  ")
	fmt.Println(string(b))
	// Output:
	// [
	//   {
	//     "lastTransitionTime": "2026-01-01T12:00:00Z",
	//     "lastUpdateTime": "2026-01-01T12:00:00Z",
	//     "message": "2/3 available",
	//     "reason": "NotAvailable",
	//     "status": "True",
	//     "type": "Reconciling"
	//   }
	// ]
}

func ExampleParseProfile() {
	job := fromJSON(`{"apiVersion": "example.com/v1", "kind": "Widget"}`)
	for _, name := range []string{"default", "strict"} {
		p, _ := status.ParseProfile(name)
		r, _ := status.Evaluator{Profile: p}.Compute(job)
		fmt.Println(name, r.Status)
	}
	// Output:
	// default Current
	// strict Unknown
}

func ExampleCompatProfile() {
	job := fromJSON(`{"apiVersion": "batch/v1", "kind": "Job", "status": {"startTime": "2026-01-01T12:00:00Z", "active": 1}}`)
	for _, p := range []status.Profile{status.Profile{}, status.CompatProfile(), {}} {
		r, _ := status.Evaluator{Profile: p}.Compute(job)
		fmt.Println(p.Name(), r.Status)
	}
	// Output:
	// default InProgress
	// compat Current
	// default InProgress
}

// What a status holds from the start, by the defaults of its schema, no
// controller has written.
