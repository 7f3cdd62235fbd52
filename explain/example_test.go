package explain_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"kstatus.dev/explain"
	"kstatus.dev/explain/layout"
	"kstatus.dev/status"
)

// Explain why a Pod is not ready, from the Pod alone.
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
	id := status.ID{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "api-0"}
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

// crashing returns facts about a Pod whose container crashes repeatedly.
func crashing() (*explain.Facts, status.ID) {
	pod := status.Map{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"namespace": "shop", "name": "api-0"},
		"spec": map[string]any{"containers": []any{map[string]any{"name": "api", "image": "shop/api:1.9.0"}}},
		"status": map[string]any{"phase": "Running", "containerStatuses": []any{map[string]any{"name": "api", "restartCount": 5,
			"state":     map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff"}},
			"lastState": map[string]any{"terminated": map[string]any{"exitCode": 1, "reason": "Error"}}}}},
	}
	verdict, err := status.Compute(pod)
	if err != nil {
		panic(err)
	}
	id := status.ID{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "api-0"}
	return &explain.Facts{Objects: []explain.ObjectFact{{ID: id, Object: pod, Result: *verdict}}}, id
}

func ExampleExplain() {
	facts, id := crashing()
	e := explain.Explain(facts, id)
	fmt.Println(e.Subjects[0].ID, e.Subjects[0].Status)
	fmt.Println(e.Causes[0].Kind, e.Causes[0].Text)
	// Output:
	// Pod/shop/api-0 Failed
	// CrashLoop container "api" exits with code 1
}

func ExampleExplanation_Lines() {
	facts, id := crashing()
	for _, l := range explain.Explain(facts, id).Lines(facts.Now) {
		if l.Role == layout.RoleCause {
			fmt.Println(l.Text)
		}
	}
	// Output: container "api" exits with code 1
}

func ExampleExplanation_Text() {
	facts, id := crashing()
	fmt.Print(explain.Explain(facts, id).Text(facts.Now))
	// Output:
	// Pod/api-0 in shop: Failed
	//
	//   Pod/api-0  CrashLoopBackOff: container api exits with code 1 (5 restarts)
	//
	//   Cause     container "api" exits with code 1
	//   Evidence  field   .status.containerStatuses[api].lastState.terminated.exitCode = 1
	//             field   .status.containerStatuses[api].restartCount = 5
	//   Next      kubectl -n shop logs api-0 -c api --previous
}

// Queries returns what to read next.
func ExampleQueries() {
	facts, id := crashing()
	for _, q := range explain.Queries(facts, id) {
		fmt.Println(q.Type)
	}
	// Output:
	// events
	// log
}

func ExampleFacts_Encode() {
	facts, id := crashing()
	var file bytes.Buffer
	if err := facts.Encode(&file); err != nil {
		fmt.Println(err)
		return
	}
	again, err := explain.DecodeFacts(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(explain.Explain(again, id).Causes[0].Kind)
	// Output: CrashLoop
}

// Decode reads one line. Use it for files that also have lines of other programs.
func ExampleFacts_Decode() {
	facts, id := crashing()
	var file bytes.Buffer
	if err := facts.Encode(&file); err != nil {
		fmt.Println(err)
		return
	}
	again := new(explain.Facts)
	for line := range bytes.Lines(file.Bytes()) {
		if err := again.Decode(line); err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, o := range again.Objects {
		if o.ID.Compare(id) == 0 {
			fmt.Println(o.ID.Kind, o.Result.Status, o.Message())
		}
	}
	// Output: Pod Failed CrashLoopBackOff: container api exits with code 1 (5 restarts)
}

func ExampleFacts_Merge() {
	facts, id := crashing()
	facts.Merge(&explain.Facts{Gaps: []explain.Gap{{Subject: "events in namespace shop", Reason: "forbidden (list events)"}}})
	fmt.Println(explain.Explain(facts, id).Gaps[0])
	// Output: events in namespace shop: forbidden (list events)
}

func ExampleFacts_Trees() {
	facts, id := crashing()
	for _, t := range facts.Trees(nil, id) {
		fmt.Println(t.ID, len(t.Parts))
	}
	// Output: Pod/shop/api-0 0
}

func ExampleEventFromObject() {
	event, ok := explain.EventFromObject(status.Map{
		"apiVersion": "v1", "kind": "Event", "type": "Warning", "reason": "BackOff", "message": "back-off restarting failed container",
		"involvedObject": map[string]any{"kind": "Pod", "namespace": "shop", "name": "api-0"},
	})
	fmt.Println(ok, event.About, event.Reason)
	// Output: true Pod/shop/api-0 BackOff
}

func ExamplePartKinds() {
	fmt.Println(explain.PartKinds(status.Kind{Group: "apps", Kind: "Deployment"}))
	// Output: [ReplicaSet.apps]
}

func ExampleCauseKinds() {
	fmt.Println(explain.CauseKinds()[0].Name)
	// Output: RollbackTrap
}

func ExampleRedactor_Event() {
	event := new(explain.Redactor).Event(explain.Event{Reason: "Unhealthy", Message: "GET http://app:s3cret@10.0.0.1/ready: 401"})
	fmt.Println(event.Reason, event.Message)
	// Output: Unhealthy GET http://app:<redacted>@10.0.0.1/ready: 401
}

func ExampleRedactor_Log() {
	log := new(explain.Redactor).Log(explain.Log{Lines: []string{"connecting with password=s3cret", "connection refused"}})
	fmt.Println(strings.Join(log.Lines, "\n"))
	// Output:
	// connecting with password=<redacted>
	// connection refused
}

// Equal values get equal replacements, so a change of a value is visible.
func ExampleRedactor_ObjectFact() {
	var r explain.Redactor
	redacted := func(password string) any {
		env := map[string]any{"name": "PASSWORD", "value": password}
		fact := r.ObjectFact(explain.ObjectFact{Object: status.Map{"apiVersion": "v1", "kind": "Pod", "spec": map[string]any{
			"containers": []any{map[string]any{"name": "api", "env": []any{env}}},
		}}})
		container := fact.Object["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
		return container["env"].([]any)[0].(map[string]any)["value"]
	}
	fmt.Println(redacted("old") == redacted("old"), redacted("old") == redacted("new"))
	// Output: true false
}

// Texts that no explanation reads are replaced.
func ExampleRedactor_Brief() {
	var r explain.Redactor
	fact := r.Brief(explain.ObjectFact{Object: status.Map{"apiVersion": "example.com/v1", "kind": "Lamp", "spec": map[string]any{"secretName": "a", "motto": "b"}}})
	fmt.Println(fact.Object["spec"])
	// Output: map[motto:<redacted 1> secretName:a]
}

// A Secret may be missing because the controller of one of these kinds has not created it.
func ExampleSecretProducers() {
	for _, kind := range explain.SecretProducers() {
		if strings.HasPrefix(kind.Group, "cert-manager") {
			fmt.Println(kind)
		}
	}
	// Output: Certificate.cert-manager.io
}

// A field classRef of a Database names a DatabaseClass.
func ExampleSimilarKind() {
	served := []status.Kind{{Group: "example.com", Kind: "Database"}, {Group: "example.com", Kind: "DatabaseClass"}, {Group: "networking.k8s.io", Kind: "IngressClass"}}
	kind, ok := explain.SimilarKind(status.Kind{Group: "example.com", Kind: "Class"}, served)
	fmt.Println(kind, ok)
	// Output: DatabaseClass.example.com true
}

// A ClusterIssuer names a Secret and its namespace.
func ExampleNamespacesOf() {
	id := status.ID{Kind: status.Kind{Group: "example.com", Kind: "ClusterIssuer"}, Name: "ca"}
	facts := &explain.Facts{Objects: []explain.ObjectFact{{ID: id, Object: status.Map{
		"apiVersion": "example.com/v1", "kind": "ClusterIssuer", "metadata": map[string]any{"name": "ca"},
		"spec": map[string]any{"secretRef": map[string]any{"namespace": "shop", "name": "key"}},
	}}}}
	fmt.Println(explain.NamespacesOf(facts, id))
	// Output: [shop]
}
