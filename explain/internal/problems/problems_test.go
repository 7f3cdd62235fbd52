package problems_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/problems"
)

func TestFind(t *testing.T) {
	for _, row := range []struct{ status, want string }{
		{`{"lastError": {"code": 7, "message": "quota of project used up"}}`, "[{quota of project used up [status.lastError.message]}]"},
		{`{"lastError": "none", "error": ""}`, "[]"},
		{`{"validationErrors": ["spec.size: too small", {"message": "spec.zone: unknown"}]}`,
			"[{spec.size: too small [status.validationErrors[0]]} {spec.zone: unknown [status.validationErrors[1].message]}]"},
		{`{"members": [{"name": "a", "state": "Healthy"}, {"name": "b", "state": "Failed", "message": "disk is full"}]}`,
			"[{b: status.members[1].state is Failed: disk is full [status.members[1].state status.members[1].name]}]"},
		{`{"nodes": {"n1": {"phase": "Running"}, "n2": {"phase": "Error", "lastError": {"message": "no space"}}}}`,
			"[{status.nodes.n2.phase is Error: no space [status.nodes.n2.lastError.message status.nodes.n2.phase]}]"},
		{`{"history": [{"state": "Failed"}], "conditions": [{"type": "Ready", "status": "False"}]}`, "[]"},
		{`{"phase": "Failed"}`, "[]"},
		{`{"phase": "Failed", "detail": "the plan has expired"}`, "[{the plan has expired [status.detail]}]"},
		{`{"reconcileErrors": {"zone-b": "no route", "zone-a": "no address"}}`,
			"[{zone-a: no address [status.reconcileErrors[zone-a]]} {zone-b: no route [status.reconcileErrors[zone-b]]}]"},
		{`{"lastOperation": {"state": "Error", "description": "task was cancelled"}}`,
			"[{status.lastOperation.state is Error: task was cancelled [status.lastOperation.state]}]"},
		{`{"errors": [1, null, [], {"code": 3}]}`, "[]"},
	} {
		var m map[string]any
		if err := json.Unmarshal([]byte(row.status), &m); err != nil {
			t.Fatal(err)
		}
		if have := fmt.Sprint(problems.Find(fields.Section{Map: m, Path: "status."})); have != row.want {
			t.Errorf("%s: have\n%s\nwant\n%s", row.status, have, row.want)
		}
	}
}

func TestNotIn(t *testing.T) {
	all := []problems.Problem{{Text: "disk full", Paths: []string{"x"}}, {Text: "b c", Paths: []string{"y"}}, {Text: "d"}, {Text: "disk full"}}
	if text, paths := problems.NotIn("it has b c", all); text != "disk full; d" || fmt.Sprint(paths) != "[x]" {
		t.Errorf("have %q %v", text, paths)
	}
}
