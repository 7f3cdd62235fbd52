package crd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"kstatus.dev/author/lint"
)

// definitionWithFindings returns a definition with versions in which lint has findings.
func definitionWithFindings(i, versions int) map[string]any {
	var all []any
	for j := range versions {
		all = append(all, map[string]any{"name": fmt.Sprintf("v%d", j+1), "served": true, "storage": j == 0,
			"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{
				"status": map[string]any{"type": "object", "properties": map[string]any{
					fmt.Sprintf("field%d", i): map[string]any{"type": "string"},
					"conditions": map[string]any{"type": "array", "items": map[string]any{"type": "object", "required": []any{"type"}, "properties": map[string]any{
						"type": map[string]any{"type": "string"}, "status": map[string]any{"type": "string"},
					}}},
				}},
			}}}})
	}
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": fmt.Sprintf("lamps%d.example.com", i)},
		"spec": map[string]any{"group": "example.com", "scope": "Namespaced", "versions": all, "names": map[string]any{"kind": fmt.Sprintf("Lamp%d", i), "plural": fmt.Sprintf("lamps%d", i)}},
	}
}

// The hunks of one object are the hunks of the whole file, whatever its style.
func TestHunksAgreeWithFile(t *testing.T) {
	list := map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{}, "items": []any{definitionWithFindings(0, 1), definitionWithFindings(1, 5), definitionWithFindings(2, 1), definitionWithFindings(3, 1)}}
	asYAML, err := yaml.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	encode := yamlv3.NewEncoder(&indented)
	if err := encode.Encode(list); err != nil {
		t.Fatal(err)
	}
	pretty, _ := json.MarshalIndent(list, "", "    ")
	compact, _ := json.Marshal(list)
	var documents bytes.Buffer
	for _, o := range list["items"].([]any) {
		text, _ := yaml.Marshal(o)
		documents.WriteString("# a definition\n---\n" + string(text))
	}
	for name, text := range map[string]string{
		"a List of YAML":               string(asYAML),
		"a List of YAML, indented":     indented.String(),
		"a List with comments":         strings.ReplaceAll(string(asYAML), "\n- ", "\n# one more\n\n- "),
		"a List with Windows' newline": strings.ReplaceAll(string(asYAML), "\n", "\r\n"),
		"a List of JSON":               string(pretty) + "\n",
		"a List on one line":           string(compact),
		"documents":                    documents.String(),
	} {
		t.Run(name, func(t *testing.T) {
			f := Parse("x.yaml", []byte(text))
			var b lint.Bundle
			for _, o := range f.Objects() {
				b.Objects = append(b.Objects, o.Value)
			}
			windows := 0
			for _, found := range lint.Run(b, lint.Options{}) {
				if found.Fix == nil {
					continue
				}
				o := f.Objects()[found.Object]
				if o.window(found.Fix.Edits) != nil {
					windows++
				}
				have, err := o.Hunks(found.Fix.Edits...)
				after, wantErr := f.Edit(found.Object, found.Fix.Edits...)
				if wantErr != nil {
					if err == nil || err.Error() != wantErr.Error() {
						t.Errorf("%s of %s: have %v, want %v", found.Check, found.Name, err, wantErr)
					}
					continue
				}
				if want := Hunks(f.Text(), after.Text()); err != nil || !slices.Equal(have, want) {
					t.Errorf("%s of %s %s: have %v, %v, want %v", found.Check, found.Name, found.Version, have, err, want)
				}
			}
			if windows == 0 && name != "a List on one line" {
				t.Error("no edit was made in a part of the document")
			}
		})
	}
}
