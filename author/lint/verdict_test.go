package lint_test

import (
	"strings"
	"testing"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/lint/linttest"
)

// wrongScenarios returns the scenarios in which a tool is wrong.
func wrongScenarios(verdicts []lint.ToolVerdict, tool string) string {
	var all []string
	for _, r := range verdicts {
		if r.Tool == tool && !r.Correct {
			all = append(all, r.Scenario.Name)
		}
	}
	return strings.Join(all, " ")
}

// patchedVersion returns the first version of the base after a patch of its status, as in a case
// of the checks.
func patchedVersion(t *testing.T, patch map[string]any) lint.Version {
	t.Helper()
	crd := map[string]any{"spec": map[string]any{"versions": map[string]any{"0": map[string]any{"schema": map[string]any{
		"openAPIV3Schema": map[string]any{"properties": map[string]any{"status": patch}}}}}}}
	b, err := suite.Bundle(linttest.Case{CRD: crd})
	if err != nil {
		t.Fatal(err)
	}
	return b.CRDs()[0].Versions[0]
}

func fields(patch map[string]any) map[string]any { return map[string]any{"properties": patch} }

func TestToolVerdicts(t *testing.T) {
	none := map[string]any{"default": nil}
	noDefault := map[string]any{"default": nil, "properties": map[string]any{"observedGeneration": map[string]any{"default": nil}}}
	noGeneration := map[string]any{"default": nil, "properties": map[string]any{"observedGeneration": nil}}
	unknown := []any{map[string]any{"type": "Ready", "status": "Unknown", "reason": "New", "message": "", "lastTransitionTime": "1970-01-01T00:00:00Z"}}
	for _, c := range []struct {
		it       string
		patch    map[string]any
		declared []string
		tool     string
		want     string
	}{
		{"default on the status and on the field", nil, nil, "kstatus (cli-utils)", "observed-early"},
		{"default on the status only", map[string]any{"default": map[string]any{"observedGeneration": float64(-1)}, "properties": noDefault["properties"]}, nil,
			"kstatus (cli-utils)", "first-write observed-early"},
		{"default on the field only", none, nil, "kstatus (cli-utils)", "created observed-early"},
		{"a condition that is Unknown by default", map[string]any{"default": map[string]any{"conditions": unknown}, "properties": noDefault["properties"]}, nil,
			"kstatus (cli-utils)", "first-write observed-early"},
		{"no default", noDefault, nil, "kstatus (cli-utils)", "created first-write observed-early"},
		{"no observedGeneration", noGeneration, nil, "kstatus (cli-utils)", "created first-write spec-changed"},
		{"no observedGeneration", noGeneration, nil, "Helm 4", "created first-write spec-changed"},
		{"no observedGeneration", noGeneration, nil, "Flux", "created first-write spec-changed"},
		{"no observedGeneration", noGeneration, nil, "kubectl wait", ""},
		{"no observedGeneration anywhere", map[string]any{"default": nil, "properties": map[string]any{"observedGeneration": nil, "conditions": map[string]any{
			"items": map[string]any{"properties": map[string]any{"observedGeneration": nil}}}}}, nil, "kubectl wait", "spec-changed"},
		{"Available and no Ready", nil, []string{"Available"}, "kstatus (cli-utils)", "observed-early failing"},
		{"Available and no Ready", nil, []string{"Available"}, "kubectl wait", ""},
		{"no conditions", fields(map[string]any{"conditions": nil}), nil, "kubectl wait", "ready"},
		{"no conditions", fields(map[string]any{"conditions": nil}), nil, "kstatus (cli-utils)", "observed-early failing"},
		{"anything", nil, nil, "Argo CD", "created first-write observed-early spec-changed failing"},
		{"no default", noDefault, nil, "kstatus", ""},
		{"no observedGeneration", noGeneration, nil, "kstatus", ""},
	} {
		t.Run(c.it+" for "+c.tool, func(t *testing.T) {
			verdicts := lint.ToolVerdicts(patchedVersion(t, c.patch), c.declared...)
			if have := wrongScenarios(verdicts, c.tool); have != c.want {
				t.Errorf("it is wrong in %q, want %q", have, c.want)
			}
			for _, r := range verdicts {
				if r.Output == "" || r.Why == "" || r.Correct == (r.Advice != "") {
					t.Errorf("%s in %s: says %q, why %q, right %v, helps %q", r.Tool, r.Scenario.Name, r.Output, r.Why, r.Correct, r.Advice)
				}
			}
		})
	}
}

// Cluster API reads only kinds with its labels, and only the boolean of the contract.
func TestToolVerdictsOfClusterAPI(t *testing.T) {
	boolean := map[string]any{"type": "boolean"}
	v := patchedVersion(t, fields(map[string]any{"ready": boolean, "initialization": map[string]any{"type": "object", "properties": map[string]any{"provisioned": boolean}}}))
	for _, c := range []struct {
		it, label, want string
		none            bool
	}{
		{"no label of a contract", "", "", true},
		{"the contract v1beta1", "cluster.x-k8s.io/v1beta1", "spec-changed", false},
		{"the contract v1beta2", "cluster.x-k8s.io/v1beta2", "spec-changed", false},
	} {
		t.Run(c.it, func(t *testing.T) {
			v.CRD.Labels = map[string]string{c.label: "v1"}
			verdicts := lint.ToolVerdicts(v)
			if have := wrongScenarios(verdicts, "Cluster API"); have != c.want {
				t.Errorf("wrong in %q, want %q", have, c.want)
			}
			found := false
			for _, r := range verdicts {
				found = found || r.Tool == "Cluster API"
			}
			if found == c.none {
				t.Errorf("there are verdicts: %v, want %v", found, !c.none)
			}
		})
	}
}

func TestDeclared(t *testing.T) {
	crd := lint.Bundle{Objects: []map[string]any{base(t)}}.CRDs()[0]
	sample := map[string]any{"apiVersion": "example.com/v7", "kind": "Lamp", "metadata": map[string]any{"name": "hall"},
		"status": map[string]any{"conditions": []any{nil, map[string]any{"type": "Lit"}, map[string]any{"type": "Lit"}, map[string]any{"type": 3.0}}}}
	b := lint.Bundle{Objects: []map[string]any{{"kind": "Lamp"}, sample}}
	types, source := lint.Options{}.DeclaredConditions(b, crd)
	if len(types) != 1 || types[0] != "Lit" || source != "Lamp hall" {
		t.Errorf("a sample declares %v by %q, want Lit by Lamp hall", types, source)
	}
	types, _ = lint.Options{Conditions: map[string][]string{"Lamp.example.com": {"Ready"}}}.DeclaredConditions(b, crd)
	if len(types) != 1 || types[0] != "Ready" {
		t.Errorf("the options declare %v, want Ready", types)
	}
	if types, _ := (lint.Options{}).DeclaredConditions(lint.Bundle{}, crd); types != nil {
		t.Errorf("nothing declares %v, want nothing", types)
	}
}
