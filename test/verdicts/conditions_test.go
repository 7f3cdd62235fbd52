package test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/check"
	"kstatus.dev/explain"
	"kstatus.dev/internal/condition"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

// forms are conditions in usual and unusual forms, and the status of Ready in them.
var forms = []struct {
	name       string
	conditions any
	want       string
}{
	{"a list", []any{entry("Ready", "True")}, "True"},
	{"another status", []any{entry("Ready", "False")}, "False"},
	{"two, the worse last", []any{entry("Ready", "True"), entry("Ready", "False")}, "False"},
	{"two, the worse first", []any{entry("Ready", "False"), entry("Ready", "True")}, "False"},
	{"two, one unknown", []any{entry("Ready", "True"), entry("Ready", "Unknown")}, "Unknown"},
	{"a map", map[string]any{"Ready": map[string]any{"status": "True"}}, "True"},
	{"a map with False", map[string]any{"Ready": map[string]any{"status": "False"}}, "False"},
	{"a boolean", []any{entry("Ready", true)}, "True"},
	{"a false boolean", []any{entry("Ready", false)}, "False"},
	{"a map of booleans", map[string]any{"Ready": map[string]any{"status": true}}, "True"},
	{"small letters", []any{entry("Ready", "true")}, "True"},
	{"another word", []any{entry("Ready", "Yes")}, "Unknown"},
	{"no status", []any{map[string]any{"type": "Ready"}}, "Unknown"},
	{"other items", []any{nil, "Ready", map[string]any{"status": "True"}, entry("Ready", "True")}, "True"},
}

func entry(t string, status any) any {
	return map[string]any{"type": t, "status": status, "reason": "Because"}
}

func machine(conditions any) status.Map {
	return status.Map{
		"apiVersion": "infrastructure.cluster.x-k8s.io/v1", "kind": "ShelfMachine", "metadata": map[string]any{"name": "a-1", "uid": "1", "generation": int64(1)},
		"status": map[string]any{"conditions": conditions},
	}
}

// All readers see the same condition.
func TestReadersAgree(t *testing.T) {
	for _, row := range forms {
		t.Run(row.name, func(t *testing.T) {
			obj := machine(row.conditions)
			for reader, read := range readers {
				if have := read(t, obj); have != (row.want == "True") {
					t.Errorf("%s: Ready is True: %t, want %s", reader, have, row.want)
				}
			}
			if c, _ := condition.Find(condition.Of(obj), "Ready"); c.Status != row.want {
				t.Errorf("its status is %q", c.Status)
			}
		})
	}
}

// readers report, each in its own way, whether Ready is True.
var readers = map[string]func(*testing.T, status.Map) bool{
	"a verdict": func(t *testing.T, obj status.Map) bool {
		r, err := status.Evaluator{NoHints: true}.Compute(obj)
		if err != nil {
			t.Fatal(err)
		}
		return r.Status == status.CurrentStatus
	},
	"a goal": func(_ *testing.T, obj status.Map) bool {
		met, _ := goal.Condition("Ready", "True").Met(observe.Update{}, obj)
		return met
	},
	"a goal in small letters": func(_ *testing.T, obj status.Map) bool {
		met, _ := goal.Condition("ready", "true").Met(observe.Update{}, obj)
		return met
	},
	"a rule of the audit": func(_ *testing.T, obj status.Map) (isTrue bool) {
		a := audit.New(audit.Options{Rules: []*audit.Rule{{ID: "W-99", Name: "ready", Severity: severity.Warning, OnVersion: func(p *audit.Pass) {
			c, _ := p.New.Condition("Ready")
			isTrue = c.Status == "True"
		}}}})
		a.Add(audit.Write{Type: audit.WriteAdded, Time: time.Unix(0, 0), Object: obj})
		a.Report()
		return isTrue
	},
	"a check for Cluster API": func(_ *testing.T, obj status.Map) bool {
		stale := machine(earlier(condition.Of(obj)))
		stale["metadata"].(map[string]any)["generation"] = int64(2)
		for _, f := range lint.Run(lint.Bundle{Objects: []map[string]any{stale}}, lint.Options{Checks: check.ObjectChecks(check.Options{})}) {
			if f.Check == "stale-summary" {
				return true
			}
		}
		return false
	},
	"an explanation": func(_ *testing.T, obj status.Map) bool {
		id := status.ID{Kind: status.Kind{Kind: "Pod"}, Name: "a"}
		pod := explain.ObjectFact{ID: id, Result: status.InProgress("NotAvailable", "it is not ready"), Object: map[string]any{
			"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "a"},
			"spec":   map[string]any{"readinessGates": []any{map[string]any{"conditionType": "Lit"}}},
			"status": map[string]any{"conditions": withContainersReady(condition.Of(obj))},
		}}
		e := explain.Explain(&explain.Facts{Objects: []explain.ObjectFact{pod}}, id)
		return !slices.ContainsFunc(e.Causes, func(c explain.Cause) bool { return c.Kind == "ReadinessGate" })
	},
}

// withContainersReady adds a condition that is True.
func withContainersReady(conditions any) any {
	if m, ok := conditions.(map[string]any); ok {
		m = maps.Clone(m)
		m["ContainersReady"] = map[string]any{"status": "True"}
		return m
	}
	return append([]any{entry("ContainersReady", "True")}, conditions.([]any)...)
}

// earlier returns conditions that are for generation 1.
func earlier(conditions any) any {
	var items []any
	switch v := conditions.(type) {
	case []any:
		items = v
	case map[string]any:
		items = slices.Collect(maps.Values(v))
	}
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			m["observedGeneration"] = int64(1)
		}
	}
	return conditions
}
