package status_test

import (
	"fmt"
	"strings"
	"time"

	"kstatus.dev/status"
)

// judge prints the verdict of a rule on a Widget at noon, and the fields that the rule has read
// and that are set.
func judge(rule status.Rule, widget string) {
	e := status.Evaluator{
		Rules: status.Rules{{Group: "example.com", Kind: "Widget"}: {Rule: rule}},
		Now:   func() time.Time { return time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC) },
	}
	result, reads, err := e.Explain(fromJSON(`{"apiVersion": "example.com/v1", "kind": "Widget", ` + widget + `}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Status, result.Message)
	for _, warning := range result.Warnings {
		fmt.Println("warning:", warning)
	}
	for _, r := range reads {
		if r.Value != nil {
			fmt.Println("read", r.Path, "=", r.Value)
		}
	}
}

// A rule gives a new object time before it counts a missing field.
func ExampleFields_Age() {
	judge(func(o *status.Fields) status.Result {
		if !o.Has("status.address") && o.Age() < time.Minute {
			return status.InProgress("NotAvailable", "created %s ago", o.Age())
		}
		return status.Current("Reconciled", "complete")
	}, `"metadata": {"creationTimestamp": "2026-01-01T11:59:30Z"}`)
	// Output:
	// InProgress created 30s ago
	// read status.address = false
	// read metadata.creationTimestamp = 2026-01-01T11:59:30Z
}

func ExampleFields_Since() {
	judge(func(o *status.Fields) status.Result {
		if o.Since(o.Text("status.lastHeartbeat", "")) > time.Minute {
			return status.FailedRecoverable("NotAvailable", "no heartbeat for a minute")
		}
		return status.Current("Reconciled", "alive")
	}, `"status": {"lastHeartbeat": "2026-01-01T11:50:00Z"}`)
	// Output:
	// Failed no heartbeat for a minute
	// read status.lastHeartbeat = 2026-01-01T11:50:00Z
}

// The second argument is the value for a missing field.
func ExampleFields_Int() {
	judge(func(o *status.Fields) status.Result {
		if ready, want := o.Int("status.ready", 0), o.Int("spec.replicas", 1); ready < want {
			return status.InProgress("NotAvailable", "%d/%d ready", ready, want)
		}
		return status.Current("Reconciled", "ready")
	}, `"spec": {"replicas": 3}, "status": {"ready": 2}`)
	// Output:
	// InProgress 2/3 ready
	// read status.ready = 2
	// read spec.replicas = 3
}

// Maps whose keys are not field names, such as labels and annotations, have their own methods.
func ExampleFields_MapText() {
	judge(func(o *status.Fields) status.Result {
		if o.HasKey("metadata.annotations", "example.com/hold") {
			reason := o.MapText("metadata.annotations", "example.com/hold")
			return status.Suspended(status.SuspendedByUser, "Paused", "on hold: %s", reason)
		}
		return status.Current("Reconciled", "labels %s", strings.Join(o.Keys("metadata.labels"), ", "))
	}, `"metadata": {"labels": {"tier": "db", "app": "web"}, "annotations": {"example.com/hold": "migration"}}`)
	// Output:
	// Current on hold: migration
	// read metadata.annotations[example.com/hold] = true
}

func ExampleFields_Keys() {
	judge(func(o *status.Fields) status.Result {
		return status.Current("Reconciled", "shards %s in %s", strings.Join(o.Keys("status.shards"), ", "), strings.Join(o.Texts("status.zones"), ", "))
	}, `"status": {"shards": {"b": {}, "a": {}}, "zones": ["west", "east"]}`)
	// Output:
	// Current shards a, b in west, east
	// read status.zones = 2 items
}

// Some kinds have lists of conditions at other paths than status.conditions.
func ExampleFields_ConditionIn() {
	judge(func(o *status.Fields) status.Result {
		if c := o.ConditionIn("status.network.conditions", "Attached"); !c.Is("True") {
			return status.InProgress("NotAvailable", "%s", c.Sentence())
		}
		return status.Current("Reconciled", "attached")
	}, `"status": {"network": {"conditions": [{"type": "Attached", "status": "False", "message": "no free address"}]}}`)
	// Output:
	// InProgress Attached is False: no free address
	// read status.network.conditions[Attached].status = False
	// read status.network.conditions[Attached].message = no free address
}

// A warning does not change the verdict.
func ExampleFields_Warn() {
	judge(func(o *status.Fields) status.Result {
		if o.Has("spec.colour") {
			o.Warn("spec.colour is deprecated")
		}
		return status.Current("Reconciled", "complete")
	}, `"spec": {"colour": "red"}`)
	// Output:
	// Current complete
	// warning: spec.colour is deprecated
	// read spec.colour = true
}

// A rule that reads the object directly records the read for explanations.
func ExampleFields_RecordRead() {
	judge(func(o *status.Fields) status.Result {
		mode, _ := o.Object()["mode"].(string)
		o.RecordRead("mode", mode)
		return status.Current("Reconciled", "mode %s", mode)
	}, `"mode": "fast"`)
	// Output:
	// Current mode fast
	// read mode = fast
}

func ExampleProfile_Doc() {
	fmt.Println(status.StrictProfile().Doc())
	// Output: like default, but not Current is an object without evidence, with a report on a part only, or suspended with a failure
}

// A Map implements Object, like the types of apimachinery.
func ExampleMap() {
	content := status.Map{"kind": "Pod"}.UnstructuredContent()
	fmt.Println(content["kind"])
	// Output: Pod
}
