package lint_test

import (
	"encoding/json"
	"fmt"

	"kstatus.dev/lint"
)

// lamps is a definition as many are: the race is open, and Ready is printed.
const lamps = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "lamps.example.com"},
"spec": {"group": "example.com", "scope": "Namespaced", "names": {"kind": "Lamp", "plural": "lamps"}, "versions": [{
  "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
  "schema": {"openAPIV3Schema": {"type": "object", "properties": {"status": {"type": "object", "properties": {
    "observedGeneration": {"type": "integer", "format": "int64"}, "bulb": {"type": "string"}}}}}}}]}}`

func Example() {
	var crd map[string]any
	if err := json.Unmarshal([]byte(lamps), &crd); err != nil {
		fmt.Println(err)
		return
	}
	b := lint.Bundle{Objects: []map[string]any{crd}}
	for _, f := range lint.Run(b, lint.Options{Profile: lint.ProfileKstatus}) {
		fmt.Printf("%s %s %s: %s\n", f.Severity, f.ID, f.Check, f.Message)
	}
	fixed, err := lint.ApplyFixes(b, 0, false, lint.Options{})
	edits, mended := fixed.Edits(), fixed.Bundle
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range edits {
		fmt.Println(e.Op, e.Path.Pointer(), e.Value)
	}
	fmt.Println(len(lint.Run(mended, lint.Options{})), "left for people, or for --unsafe")
	// Output:
	// error L-06 creation-race: a new object counts as done before its controller has looked: kstatus says Current
	// warning L-11 conditions: the status has no conditions, so that generic programs cannot tell whether an object is ready
	// add /spec/versions/0/schema/openAPIV3Schema/properties/status/properties/observedGeneration/default -1
	// add /spec/versions/0/schema/openAPIV3Schema/properties/status/default map[]
	// 1 left for people, or for --unsafe
}

func ExampleToolVerdicts() {
	var crd map[string]any
	if err := json.Unmarshal([]byte(lamps), &crd); err != nil {
		fmt.Println(err)
		return
	}
	version := lint.Bundle{Objects: []map[string]any{crd}}.CRDs()[0].Versions[0]
	for _, r := range lint.ToolVerdicts(version) {
		if r.Scenario.Name == "created" {
			fmt.Printf("%s: %s, right: %v\n", r.Tool, r.Output, r.Correct)
		}
	}
	// Output:
	// kubectl wait: waits for condition=Ready, right: true
	// kstatus (cli-utils): Current, right: false
	// Helm 4: ends: installed, right: false
	// Flux: health check passed, right: false
	// Argo CD: Healthy, right: false
	// kstatus: InProgress, right: true
}
