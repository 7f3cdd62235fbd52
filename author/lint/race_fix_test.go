package lint_test

import (
	"encoding/json"
	"strings"
	"testing"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

// The fix depends on the schema of the kind, on its declared conditions, and on its
// owner.
func TestRaceFix(t *testing.T) {
	open := func(fields map[string]any, more ...string) map[string]any {
		patch := map[string]any{"default": nil, "properties": fields}
		if len(more) > 0 {
			required := []any{}
			for _, name := range more {
				required = append(required, name)
			}
			patch["required"] = required
		}
		return patch
	}
	known := map[string]any{"observedGeneration": map[string]any{"default": nil}}
	least := map[string]any{"observedGeneration": map[string]any{"default": nil, "minimum": 1.0}}
	absent := map[string]any{"observedGeneration": nil}
	with := func(fields map[string]any, name string, field map[string]any) map[string]any {
		all := map[string]any{name: field}
		for k, v := range fields {
			all[k] = v
		}
		return all
	}
	text, lit := map[string]any{"type": "string"}, map[string]any{"type": "boolean", "default": false}
	ready, other := []string{"Ready"}, []string{"Available"}
	for _, c := range []struct {
		it       string
		status   map[string]any
		declared []string
		foreign  bool
		unsafe   bool
		asks     bool   // a change of the controller
		want     string // the default of the status after the fix
	}{
		{it: "has the field", status: open(known), declared: other, want: `{}`},
		{it: "has the field, for others", status: open(known), declared: other, foreign: true, want: `{}`},
		{it: "has no field", status: open(absent), declared: ready, asks: true, want: `{}`},
		{it: "has no field, for others, and writes Ready", status: open(absent), declared: ready, foreign: true, want: `Ready`},
		{it: "has no field, for others, and writes no Ready", status: open(absent), declared: other, foreign: true, unsafe: true, asks: true, want: `{}`},
		{it: "has a minimum, and writes Ready", status: open(least), declared: ready, want: `Ready`},
		{it: "has a minimum, and writes no Ready", status: open(least), declared: other, unsafe: true, want: `{}`},
		{it: "requires a text", status: open(with(known, "color", text), "color"), declared: ready, unsafe: true, want: `{}`},
		{it: "requires a boolean that has a default", status: open(with(known, "lit", lit), "lit"), declared: ready, want: `{"lit":false}`},
		{it: "requires a boolean that is true by default", status: open(with(known, "ready", map[string]any{"type": "boolean", "default": true}), "ready"), declared: other, unsafe: true, want: `{}`},
		{it: "requires the field", status: open(known, "observedGeneration"), declared: ready, want: `{"observedGeneration":-1}`},
	} {
		t.Run(c.it, func(t *testing.T) {
			b := lint.Bundle{Objects: []map[string]any{patchedVersion(t, c.status).CRD.Raw}}
			o := lint.Options{Conditions: map[string][]string{"Lamp.example.com": c.declared}, Foreign: c.foreign}
			fix := fixOf(lint.Run(b, o), "creation-race")
			if fix == nil || fix.Unsafe != c.unsafe || fix.ChangesController != c.asks || fix.Note == "" {
				t.Fatalf("the fix is %+v, want unsafe %v, of the controller %v", fix, c.unsafe, c.asks)
			}
			changed, err := lint.Apply(b.Objects[0], fix.Edits...)
			if err != nil {
				t.Fatal(err)
			}
			have, err := json.Marshal(statusOf(changed, 0)["default"])
			if err != nil {
				t.Fatal(err)
			}
			if string(have) != c.want && !(c.want == "Ready" && strings.Contains(string(have), `"type":"Ready"`)) {
				t.Errorf("the default of the status is %s, want %s", have, c.want)
			}
		})
	}
}

// Without the status subresource the observed generation is always behind, so a default of it
// would block every object forever.
func TestRaceFixNeedsStatusSubresource(t *testing.T) {
	for _, c := range []struct {
		name   string
		field  any
		checks []string
	}{
		{"without the field", nil, []string{"creation-race", "observed-generation"}},
		{"with the field", map[string]any{"default": nil}, []string{"creation-race"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			crd := patchedVersion(t, map[string]any{"default": nil, "properties": map[string]any{"observedGeneration": c.field}}).CRD.Raw
			o := lint.Options{Conditions: map[string][]string{"Lamp.example.com": {"Available"}}}
			for _, subresource := range []bool{true, false} {
				if !subresource {
					delete(crd["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any), "subresources")
				}
				found := lint.Run(lint.Bundle{Objects: []map[string]any{crd}}, o)
				for _, check := range c.checks {
					if fix := fixOf(found, check); fix == nil || fix.Unsafe == subresource {
						t.Errorf("subresource %v: the fix of %s is %+v", subresource, check, fix)
					}
				}
			}
		})
	}
}

func fixOf(found []lint.Finding, check string) *lint.Fix {
	for _, f := range found {
		if f.Check == check {
			return f.Fix
		}
	}
	return nil
}

// A fix that closes the race in only one served version is not safe.
func TestRaceFixOfOneVersion(t *testing.T) {
	b := lint.Bundle{Objects: []map[string]any{base(t)}}
	spec := b.Objects[0]["spec"].(map[string]any)
	old := base(t)["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)
	old["name"], old["storage"] = "v2", false
	spec["versions"] = append(spec["versions"].([]any), old)
	for i := range 2 {
		status := statusOf(b.Objects[0], i)
		delete(status, "default")
		og := status["properties"].(map[string]any)["observedGeneration"].(map[string]any)
		delete(og, "default")
		if i == 1 {
			og["minimum"] = 1.0
		}
	}
	o := lint.Options{Conditions: map[string][]string{"Lamp.example.com": {"Available", "Reconciling"}}}
	if fixed, err := lint.ApplyFixes(b, 0, false, o); err != nil || len(fixed.Findings) > 0 {
		t.Errorf("a safe repair made %v, error %v; want nothing", fixed.Edits(), err)
	}
	fixed, err := lint.ApplyFixes(b, 0, true, o)
	if left := lint.Run(fixed.Bundle, o); err != nil || len(left) > 0 {
		t.Errorf("after an unsafe repair %v is left, error %v; want nothing", left, err)
	}
}

// The minimum is an error if the race is open, and info if a condition closes it.
func TestSeverityOfMinimum(t *testing.T) {
	for file, want := range map[string]severity.Level{"bad": severity.Info, "more": severity.Error} {
		t.Run(file, func(t *testing.T) {
			cs, err := suite.Read(checkNamed(t, "observed-generation-minimum"))
			if err != nil {
				t.Fatal(err)
			}
			c := cs.Bad
			if file == "more" {
				c = cs.More[0]
			}
			b, err := suite.Bundle(c)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range lint.Run(b, lint.Options{Profile: lint.ProfileKstatus}) {
				if f.Check == "observed-generation-minimum" && f.Severity != want {
					t.Errorf("it %s: it weighs %s, want %s", c.Name, f.Severity, want)
				}
			}
		})
	}
}

func checkNamed(t *testing.T, name string) *lint.Check {
	t.Helper()
	for _, c := range lint.Checks {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no check is named %s", name)
	return nil
}
