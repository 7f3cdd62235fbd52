package lint_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

// lampDefinition is a definition with an open creation race.
const lampDefinition = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "lamps.example.com"},
"spec": {"group": "example.com", "scope": "Namespaced", "names": {"kind": "Lamp", "plural": "lamps"}, "versions": [{
  "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
  "schema": {"openAPIV3Schema": {"type": "object", "properties": {"status": {"type": "object", "properties": {
    "observedGeneration": {"type": "integer", "format": "int64"}, "bulb": {"type": "string"}}}}}}}]}}`

// bundle returns the definition of lamps with other objects.
func bundle(objects ...map[string]any) lint.Bundle {
	var crd map[string]any
	if err := json.Unmarshal([]byte(lampDefinition), &crd); err != nil {
		panic(err)
	}
	return lint.Bundle{Objects: append([]map[string]any{crd}, objects...)}
}

func ExampleRun() {
	for _, f := range lint.Run(bundle(), lint.Options{Profile: lint.ProfileKstatus}) {
		fmt.Printf("%s %s %s: %s\n", f.Severity, f.ID, f.Check, f.Message)
	}
	// Output:
	// error L-06 creation-race: a new object counts as done before its controller has observed it: cli-utils (Helm 4, Flux) returns Current
	// warning L-11 conditions: the status has no conditions, so generic programs cannot find out whether an object is ready
}

func ExampleApplyFixes() {
	unsafe := false // only fixes that keep valid objects valid
	fixed, err := lint.ApplyFixes(bundle(), 0, unsafe, lint.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range fixed.Edits() {
		fmt.Println(e.Op, e.Path.Pointer(), e.Value)
	}
	fmt.Println("findings that are left:", len(lint.Run(fixed.Bundle, lint.Options{})))
	// Output:
	// add /spec/versions/0/schema/openAPIV3Schema/properties/status/properties/observedGeneration/default -1
	// add /spec/versions/0/schema/openAPIV3Schema/properties/status/default map[]
	// findings that are left: 1
}

func ExampleApply() {
	lamp := map[string]any{"spec": map[string]any{"color": "red"}}
	changed, err := lint.Apply(lamp,
		lint.Edit{Op: lint.OpReplace, Path: lint.Path{"spec", "color"}, Value: "blue"},
		lint.Edit{Op: lint.OpAdd, Path: lint.Path{"spec", "watt"}, Value: 5})
	fmt.Println(changed, err)
	fmt.Println(lamp)
	_, err = lint.Apply(lamp, lint.Edit{Op: lint.OpRemove, Path: lint.Path{"spec", "watt"}})
	fmt.Println(err)
	// Output:
	// map[spec:map[color:blue watt:5]] <nil>
	// map[spec:map[color:red]]
	// remove spec.watt: watt: does not exist
}

// A check of your own requires that plurals are words, and runs with the others.
func ExampleCheck() {
	plural := &lint.Check{
		ID: "X-01", Name: "short-plural", Severity: severity.Warning,
		Doc: "the plural has at most 4 letters",
		CRD: func(p *lint.Pass, crd lint.CRD) {
			if len(crd.Plural) > 4 {
				p.Report(lint.Finding{
					Path:       lint.Path{"spec", "names", "plural"},
					Message:    "the plural " + crd.Plural + " is long",
					Suggestion: "a shorter word",
				})
			}
		},
	}
	for _, f := range lint.Run(bundle(), lint.Options{Checks: []*lint.Check{plural}}) {
		fmt.Printf("%s %s: %s: %s; write %s\n", f.Severity, f.Name, f.Path, f.Message, f.Suggestion)
	}
	// Output:
	// warning lamps.example.com: spec.names.plural: the plural lamps is long; write a shorter word
}

// Two checks share a value that the first of them computes.
func ExampleMemo() {
	type kinds struct{}
	count := func(p *lint.Pass) int {
		return lint.Memo(p, kinds{}, func() int {
			fmt.Println("counting")
			return len(p.CRDs())
		})
	}
	check := func(id string) *lint.Check {
		return &lint.Check{ID: id, Name: id, Severity: severity.Info, Bundle: func(p *lint.Pass) { fmt.Println(id, "sees", count(p)) }}
	}
	lint.Run(bundle(), lint.Options{Checks: []*lint.Check{check("X-01"), check("X-02")}})
	// Output:
	// counting
	// X-01 sees 1
	// X-02 sees 1
}

func ExamplePass_ForObject() {
	examples := &lint.Check{
		ID: "X-02", Name: "no-examples", Severity: severity.Info,
		Bundle: func(p *lint.Pass) {
			for i, o := range p.Bundle.Objects {
				if o["kind"] == "Lamp" {
					p.ForObject(i).Report(lint.Finding{Path: lint.Path{"kind"}, Message: "an example is installed"})
				}
			}
		},
	}
	b := bundle(map[string]any{"apiVersion": "example.com/v1", "kind": "Lamp", "metadata": map[string]any{"name": "desk"}})
	for _, f := range lint.Run(b, lint.Options{Checks: []*lint.Check{examples}}) {
		fmt.Println(f.Object, f.Name, f.Message)
	}
	// Output: 1 desk an example is installed
}

func ExampleProfiles() {
	check := &lint.Check{Severity: severity.Info, InProfile: map[lint.Profile]severity.Level{lint.ProfileKstatus: severity.Error}}
	fmt.Println("default:", check.SeverityIn(lint.ProfileDefault))
	for _, p := range lint.Profiles() {
		fmt.Printf("%s: %s\n", p, check.SeverityIn(p))
	}
	// Output:
	// default: info
	// kstatus: error
	// capi: info
	// strict: warning
}

func ExampleBundle_CRDs() {
	for _, crd := range bundle().CRDs() {
		for _, v := range crd.Versions {
			fmt.Println(crd.Kind, v.Name, v.Status().Property("bulb").Type(), v.StatusSubresource())
		}
	}
	// Output: Lamp v1 string true
}

func ExampleOptions_DeclaredConditions() {
	lamp := map[string]any{"apiVersion": "example.com/v1", "kind": "Lamp", "metadata": map[string]any{"name": "desk"},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready"}, map[string]any{"type": "Lit"}}}}
	b := bundle(lamp)
	types, source := lint.Options{}.DeclaredConditions(b, b.CRDs()[0])
	fmt.Println(types, "from", source)
	// Output: [Ready Lit] from Lamp desk
}

func ExampleSchema_WithDefaults() {
	s := lint.Schema{Node: map[string]any{"properties": map[string]any{
		"status": map[string]any{"type": "object", "default": map[string]any{}, "properties": map[string]any{
			"observedGeneration": map[string]any{"type": "integer", "default": -1}}}}}}
	fmt.Println(s.WithDefaults(map[string]any{}))
	// Output: map[status:map[observedGeneration:-1]]
}

func ExampleSchema_Refusal() {
	s := lint.Schema{Node: map[string]any{"type": "integer", "minimum": 0}}
	fmt.Println(s.Refusal(-1))
	fmt.Println(s.Refusal(1) == "")
	// Output:
	// found -1; want at least 0
	// true
}

func ExamplePath() {
	p := lint.Path{"spec", "versions", 0}.With("schema", "x/y")
	fmt.Println(p)
	fmt.Println(p.Pointer())
	// Output:
	// spec.versions[0].schema["x/y"]
	// /spec/versions/0/schema/x~1y
}

func ExampleToolVerdicts() {
	version := bundle().CRDs()[0].Versions[0]
	for _, v := range lint.ToolVerdicts(version) {
		if v.Scenario.Name == "created" {
			fmt.Printf("%s: %s, correct: %v\n", v.Tool, v.Output, v.Correct)
		}
	}
	// Output:
	// kubectl wait: waits for condition=Ready, correct: true
	// kstatus (cli-utils): Current, correct: false
	// Helm 4: ends: installed, correct: false
	// Flux: health check passed, correct: false
	// Argo CD: Healthy, correct: false
	// kstatus: InProgress, correct: true
}

// A Schema gives access to the schemas of fields and of list items. A part that does not exist
// has a path too.
func ExampleSchema_At() {
	s := lint.Schema{Node: map[string]any{"type": "object", "properties": map[string]any{
		"spec": map[string]any{"type": "object", "properties": map[string]any{
			"bulbs": map[string]any{"type": "array", "items": map[string]any{"type": "string"}}}}}}}
	fmt.Println(s.At("spec", "bulbs").Items().Type())
	fmt.Println(s.At("spec", "socket").Exists(), s.At("spec", "socket").Path)
	// Output:
	// string
	// false properties.spec.properties.socket
}

// A new object has the fields that the API server sets at its creation: metadata and defaults.
func ExampleVersion_NewObject() {
	for _, crd := range bundle().CRDs() {
		for _, v := range crd.Versions {
			fmt.Println(v.HasStatus(), slices.Sorted(maps.Keys(v.NewObject())))
		}
	}
	// Output: true [apiVersion kind metadata]
}

func ExampleScenarios() {
	for _, s := range lint.Scenarios() {
		fmt.Println(s.Name, s.Done)
	}
	// Output:
	// created false
	// first-write false
	// observed-early false
	// ready true
	// spec-changed false
	// failing false
}
