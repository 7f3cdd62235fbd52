package check_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/clusterapi/check"
)

// shelfDefinitions is the definition of an infrastructure machine without the fields of
// the contract.
const shelfDefinitions = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "shelfmachines.infrastructure.cluster.x-k8s.io", "labels": {"cluster.x-k8s.io/provider": "infrastructure-shelf", "cluster.x-k8s.io/v1beta2": "v1"}},
"spec": {"group": "infrastructure.cluster.x-k8s.io", "scope": "Namespaced", "names": {"kind": "ShelfMachine", "listKind": "ShelfMachineList", "plural": "shelfmachines"}, "versions": [{
  "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
  "schema": {"openAPIV3Schema": {"type": "object", "properties": {
    "spec": {"type": "object", "properties": {"providerID": {"type": "string"}}},
    "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}}}}}}]}}`

// decoded decodes objects from JSON.
func decoded(texts ...string) (b lint.Bundle) {
	for _, text := range texts {
		var o map[string]any
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			panic(err)
		}
		b.Objects = append(b.Objects, o)
	}
	return b
}

func ExampleChecks() {
	checks := check.Checks(check.Options{})
	for _, f := range lint.Run(decoded(shelfDefinitions), lint.Options{Checks: checks}) {
		if f.Severity == severity.Error {
			fmt.Printf("%s %s: %s\n", f.ID, f.Check, f.Message)
		}
	}
	// Output: L-31 initialization: status.initialization.provisioned is missing: core reads it under v1beta2, and does not read status.ready
}

// The checks of package lint and the extra checks of this package run together,
// without duplicates.
func ExampleExtraChecks() {
	all := slices.Concat(lint.Checks, check.ExtraChecks(check.Options{}))
	fmt.Println(len(all) < len(lint.Checks)+len(check.Checks(check.Options{})))
	// Output: true
}

func ExampleObjectChecks() {
	b := decoded(shelfDefinitions, `{"apiVersion": "infrastructure.cluster.x-k8s.io/v1", "kind": "ShelfMachine", "metadata": {"name": "a-1"},
"status": {"initialization": {"provisioned": true}}}`)
	for _, f := range lint.Run(b, lint.Options{Checks: check.ObjectChecks(check.Options{})}) {
		fmt.Printf("%s %s %s: %s\n", f.Severity, f.Check, f.Name, f.Message)
	}
	// Output:
	// error without-provider-id a-1: the machine is provisioned, but spec.providerID is empty
	// warning without-summary a-1: condition Ready, which core mirrors as InfrastructureReady, is missing
}

func ExampleContracts() {
	for _, c := range check.Contracts() {
		fmt.Println(c, c.Label())
	}
	// Output:
	// v1beta2 cluster.x-k8s.io/v1beta2
	// v1beta1 cluster.x-k8s.io/v1beta1
}

func ExampleVersionOf() {
	fmt.Println(check.VersionOf(decoded(shelfDefinitions).CRDs()[0]))
	// Output: v1
}

func ExampleFoundByMove() {
	for _, d := range decoded(shelfDefinitions).CRDs()[:1] {
		fmt.Println(d.Kind, check.FoundByMove(d))
		d.Group, d.Labels = "shelf.example", nil
		fmt.Println("without labels, in the group", d.Group, check.FoundByMove(d))
		d.Labels = map[string]string{"clusterctl.cluster.x-k8s.io/move": ""}
		fmt.Println("with the label for moves", check.FoundByMove(d))
	}
	// Output:
	// ShelfMachine true
	// without labels, in the group shelf.example false
	// with the label for moves true
}
