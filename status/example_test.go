package status_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// web is a Deployment with one replica that is not available yet.
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

func ExampleCompatRuleProfile() {
	job := fromJSON(`{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"deletionTimestamp": "2026-01-01T12:00:00Z"}}`)
	for _, p := range []status.Profile{status.CompatProfile(), status.CompatRuleProfile()} {
		r, _ := status.Evaluator{Profile: p}.Compute(job)
		fmt.Println(r.Status, r.Message)
	}
	// Output:
	// Terminating Resource scheduled for deletion
	// InProgress Job not started
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

// A status with only the defaults of its schema was not written by a controller.

func ExampleEvaluator_Hint() {
	kind := status.Kind{Group: "cert-manager.io", Kind: "CertificateRequest"}
	fmt.Print(status.Evaluator{}.Hint(kind))
	// Output: summary conditions, which must all be True: Ready
}

func ExampleEvaluator_HintedKinds() {
	kinds := status.Evaluator{}.HintedKinds()
	fmt.Println(slices.Contains(kinds, status.Kind{Group: "source.toolkit.fluxcd.io", Kind: "GitRepository"}), len(kinds) > 100)
	// Output: false true
}

func ExampleProfile_Rules() {
	rules := status.Profile{}.Rules()
	deployment := rules[status.Kind{Group: "apps", Kind: "Deployment"}]
	fmt.Println(deployment.Generation == schema.GenerationRequired)
	// Output: true
}

func ExampleProfile_Reasons() {
	for _, r := range (status.Profile{}).Reasons() {
		if r.Name == "Completed" {
			fmt.Println(r.Status, r.Settled, r.Healthy)
		}
	}
	// Output: Current true True
}

func ExampleProfile_StatusOverrides() {
	fmt.Println(status.StartedProfile().StatusOverrides()["Running"])
	// Output: Current
}

func ExampleProfile_FailureWindows() {
	fmt.Println(status.Profile{}.FailureWindows()["ImagePullBackOff"])
	// Output: 1m0s
}

func ExampleProfile_Stages() {
	for name := range (status.Profile{}).Stages() {
		fmt.Println(name)
	}
	// Output:
	// deletion
	// suspension
	// generation
	// standard conditions
	// kind
	// report
	// expectation
}

func ExampleStrictProfile() {
	widget := fromJSON(`{"apiVersion": "example.com/v1", "kind": "Widget"}`)
	for _, profile := range []status.Profile{{}, status.StrictProfile()} {
		r, _ := status.Evaluator{Profile: profile}.Compute(widget)
		fmt.Println(profile.Name(), r.Status, r.Reason)
	}
	// Output:
	// default Current NoEvidence
	// strict Unknown NoEvidence
}

func ExampleStartedProfile() {
	job := fromJSON(`{"apiVersion": "batch/v1", "kind": "Job", "status": {"startTime": "2026-01-01T12:00:00Z", "active": 1}}`)
	for _, profile := range []status.Profile{{}, status.StartedProfile()} {
		r, _ := status.Evaluator{Profile: profile}.Compute(job)
		fmt.Println(profile.Name(), r.Status)
	}
	// Output:
	// default InProgress
	// started Current
}

func ExampleProfiles() {
	for _, p := range status.Profiles() {
		fmt.Println(p.Name())
	}
	// Output:
	// default
	// strict
	// started
	// compat
	// compat-0.0.2
}

func ExampleStatuses() {
	fmt.Println(status.Statuses())
	// Output: [Failed Unknown Terminating NotFound InProgress Current]
}

// Functions for the results of rules.
func ExampleCurrent() {
	for _, r := range []status.Result{
		status.Current("Reconciled", "%d of %d are ready", 2, 2),
		status.InProgress("NotAvailable", "%d of %d are ready", 1, 2),
	} {
		fmt.Println(r.Status, r.Message)
	}
	// Output:
	// Current 2 of 2 are ready
	// InProgress 1 of 2 are ready
}

// A Current object may have warnings.
func ExampleResult_AllWarnings() {
	result, err := status.Compute(status.Map{
		"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": "n1"},
		"status": map[string]any{"conditions": []any{
			map[string]any{"type": "Ready", "status": "True"},
			map[string]any{"type": "DiskPressure", "status": "True", "message": "the disk is full"},
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Status, result.AllWarnings())
	// Output: Current [DiskPressure: the disk is full]
}

func ExampleInProgress() {
	r := status.InProgress("NotAvailable", "1 of 2 are ready")
	fmt.Println(r.Status, r.Settled(), r.Healthy())
	// Output: InProgress false False
}

func ExampleFailedTerminal() {
	terminal := status.FailedTerminal("JobFailed", "its Pods fail")
	recoverable := status.FailedRecoverable("SyncFailed", "its source cannot be read")
	fmt.Println(terminal.Status, terminal.Failure, terminal.Settled())
	fmt.Println(recoverable.Status, recoverable.Failure, recoverable.Settled())
	// Output:
	// Failed terminal true
	// Failed recoverable false
}

func ExampleFailedRecoverable() {
	rule := func(o *status.Fields) status.Result {
		failure := status.FailedRecoverable("ImagePullBackOff", "its image cannot be pulled")
		return o.FailAfterWindow(o.Text("status.failedSince", ""), failure)
	}
	now, _ := time.Parse(time.RFC3339, "2026-01-01T12:00:10Z")
	e := status.Evaluator{Rules: status.Rules{{Group: "example.com", Kind: "Widget"}: {Rule: rule}}, Now: func() time.Time { return now }}
	r, _ := e.Compute(fromJSON(`{"apiVersion": "example.com/v1", "kind": "Widget", "status": {"failedSince": "2026-01-01T12:00:00Z"}}`))
	fmt.Println(r.Status, r.Failure, r.Recheck)
	// Output: InProgress recoverable 50s
}

func ExampleSuspended() {
	byUser := status.Suspended(status.SuspendedByUser, "Paused", "spec.paused is true")
	byQueue := status.Suspended(status.SuspendedByController, "SuspendedByOther", "the queue holds it")
	fmt.Println(byUser.Status, byQueue.Status)
	// Output: Current InProgress
}

// A rule reads its object by paths. A malformed field makes the object Unknown.
func ExampleFields() {
	rule := func(o *status.Fields) status.Result {
		for item := range o.Each("status.members") {
			if !item.Bool("ready", false) {
				return status.InProgress("NotAvailable", "member %s is not ready", item.Text("name", "?"))
			}
		}
		if c := o.Condition("Ready"); !c.Is("True") {
			return status.InProgress("NotAvailable", "%s", c.Sentence())
		}
		return status.Current("Reconciled", "%d members", o.Len("status.members"))
	}
	e := status.Evaluator{Rules: status.Rules{{Group: "example.com", Kind: "Widget"}: {Rule: rule}}}
	for _, state := range []string{
		`{"members": [{"name": "a", "ready": true}, {"name": "b"}]}`,
		`{"conditions": [{"type": "Ready", "status": "False", "message": "no route"}]}`,
		`{"members": [{"name": "a", "ready": "yes"}]}`,
	} {
		r, _ := e.Compute(fromJSON(`{"apiVersion": "example.com/v1", "kind": "Widget", "status": ` + state + `}`))
		fmt.Println(r.Status, r.Message)
	}
	// Output:
	// InProgress member b is not ready
	// InProgress Ready is False: no route
	// Unknown status.members[0].ready: want a boolean, have string "yes"
}

func ExampleParts_AppendTo() {
	parts := &status.Parts{Count: 2, Kind: "Pod", Name: "web-1", Message: "container web is waiting"}
	fmt.Println(parts.AppendTo("1/3 available"))
	// Output: 1/3 available; 2 Pods, such as web-1: container web is waiting
}

// A rule may add what a reader of a good result should know.
func ExampleResult_WithCaveat() {
	fmt.Println(status.Current("Reconciled", "it is ready").WithCaveat("its certificate ends today").Caveat)
	// Output: its certificate ends today
}

func ExampleID_Compare() {
	deployment := status.Kind{Group: "apps", Kind: "Deployment"}
	ids := []status.ID{
		{Kind: status.Kind{Kind: "Node"}, Name: "worker-1"},
		{Kind: deployment, Namespace: "shop", Name: "web"},
		{Kind: deployment, Namespace: "db", Name: "web"},
	}
	slices.SortFunc(ids, status.ID.Compare)
	fmt.Println(ids)
	// Output: [Deployment/db/web Deployment/shop/web Node/worker-1]
}
