package crd_test

import (
	"fmt"
	"strings"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
)

const lamps = `# Lamps light a room.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: lamps.example.com
spec:
  group: example.com
  names: {kind: Lamp, plural: lamps}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true   # the only one
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              watts: {type: integer, minimum: 1, default: 5}
`

// statusSubresource adds the status subresource to a version.
var statusSubresource = lint.Edit{Op: lint.OpAdd, Path: lint.Path{"spec", "versions", 0, "subresources"}, Value: map[string]any{"status": map[string]any{}}}

// An edit keeps comments and order, and changes only the lines that it must.
func ExampleFile_Edit() {
	before := crd.Parse("lamps.yaml", []byte(lamps))
	after, err := before.Edit(0, statusSubresource)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(crd.Diff("lamps.yaml", before.Text(), after.Text())))
	// Output:
	// --- lamps.yaml
	// +++ lamps.yaml
	// @@ -19,3 +19,5 @@
	//              type: object
	//              properties:
	//                watts: {type: integer, minimum: 1, default: 5}
	// +    subresources:
	// +      status: {}
}

func ExampleFile_EditAll() {
	file := crd.Parse("two.yaml", []byte("kind: List\nitems:\n- name: a\n- name: b\n"))
	file, err := file.EditAll(map[int][]lint.Edit{
		0: {{Op: lint.OpReplace, Path: lint.Path{"name"}, Value: "c"}},
		1: {{Op: lint.OpReplace, Path: lint.Path{"name"}, Value: "d"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(file.Text()))
	// Output:
	// kind: List
	// items:
	// - name: c
	// - name: d
}

// A document that cannot be read does not affect the others.
func ExampleParse() {
	file := crd.Parse("lamps.yaml", []byte("a: [1\n---\n"+lamps))
	fmt.Println(file.Errors())
	object := file.Objects()[0]
	line, column := object.Position(lint.Path{"spec", "versions", 0, "storage"})
	fmt.Println(object.File(), line, column)
	// Output:
	// [lamps.yaml:1: did not find expected ',' or ']']
	// lamps.yaml 15 5
}

func ExampleObject_Suppressions() {
	text := strings.Replace(lamps, "  - name: v1\n", "  # kstatus-lint: ignore status-subresource written by hand\n  - name: v1\n", 1)
	suppressions, errs := crd.Parse("lamps.yaml", []byte(text)).Objects()[0].Suppressions()
	fmt.Println(suppressions[0].Check, suppressions[0].Reason, suppressions[0].Line, errs)
	object := crd.Parse("lamps.yaml", []byte(text)).Objects()[0]
	fmt.Println(suppressions[0].Covers(object, "status-subresource", lint.Path{"spec", "versions", 0}))
	fmt.Println(crd.Parse("lamps.yaml", []byte("# kstatus-lint: ignore conditions\n"+lamps)).SuppressionErrors())
	// Output:
	// status-subresource written by hand 11 []
	// true
	// [lamps.yaml:1: kstatus-lint: ignore conditions: want a reason after it]
}

func ExampleAnnotationSuppressions() {
	fmt.Println(crd.AnnotationSuppressions(map[string]any{"metadata": map[string]any{"annotations": map[string]any{
		crd.IgnoreAnnotation: "status-subresource written by hand\nconditions\n",
	}}})[0].Reason)
	// Output: written by hand
}

func ExampleHunks() {
	for _, h := range crd.Hunks([]byte("a\nb\nc\n"), []byte("a\nB\nc\n")) {
		fmt.Printf("%d %d %q\n", h.Line, h.Removed, h.Added)
	}
	// Output: 2 1 "B\n"
}

func ExampleJSONPatch() {
	patch, err := crd.JSONPatch([]lint.Edit{statusSubresource})
	fmt.Println(string(patch), err)
	// Output: [{"op":"add","path":"/spec/versions/0/subresources","value":{"status":{}}}] <nil>
}

func ExampleKustomization() {
	text, err := crd.Kustomization([]string{"lamps.yaml"}, []crd.Patch{{Name: "lamps.example.com", Edits: []lint.Edit{statusSubresource}}})
	fmt.Print(string(text))
	fmt.Println(err)
	// Output:
	// apiVersion: kustomize.config.k8s.io/v1beta1
	// kind: Kustomization
	// resources:
	// - lamps.yaml
	// patches:
	// - target:
	//     group: apiextensions.k8s.io
	//     kind: CustomResourceDefinition
	//     name: lamps.example.com
	//     version: v1
	//   patch: |-
	//     - op: add
	//       path: /spec/versions/0/subresources
	//       value:
	//         status: {}
	// <nil>
}

func ExamplePlural() {
	fmt.Println(crd.Plural("ProxyPolicy"))
	// Output: proxypolicies
}

func ExampleReadAll() {
	text, err := crd.ReadAll(strings.NewReader("kind: Lamp\n"))
	fmt.Printf("%q %v\n", text, err)
	// Output: "kind: Lamp\n" <nil>
}

func ExampleValidator_Validate() {
	definition := crd.Parse("lamps.yaml", []byte(strings.Replace(lamps, "default: 5", "default: 0", 1))).Objects()[0]
	var validator crd.Validator
	for _, problem := range validator.Validate(definition.Value) {
		fmt.Println(problem.Path, problem.Message)
	}
	// Output: spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.watts.default Invalid value: 0:  in body should be greater than or equal to 1
}

// One schema validates many objects.
func ExampleValidator_Schema() {
	definition := crd.Parse("lamps.yaml", []byte(lamps)).Objects()[0].Value
	var validator crd.Validator
	schema, err := validator.Schema(definition, "v1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(schema.AsStored(map[string]any{"spec": map[string]any{"unknown": true}}))
	for _, watts := range []int64{5, 0} {
		fmt.Println(schema.Validate(map[string]any{"spec": map[string]any{"watts": watts}}))
	}
	// Output:
	// map[spec:map[watts:5]]
	// []
	// [{spec.watts Invalid value: 0: spec.watts in body should be greater than or equal to 1}]
}

func ExampleValidator_ValidateObject() {
	definition := crd.Parse("lamps.yaml", []byte(lamps)).Objects()[0].Value
	var validator crd.Validator
	fmt.Println(validator.ValidateObject(definition, "v1", map[string]any{"spec": map[string]any{"watts": "five"}}))
	// Output: [{spec.watts Invalid value: "string": spec.watts in body must be of type integer: "string"}]
}

func ExampleFile_Warnings() {
	file := crd.Parse("lamps.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nmetadata: {name: b}\n"))
	fmt.Println(file.Warnings())
	// Output: [lamps.yaml:4: key "metadata" is set twice; the last value counts]
}
