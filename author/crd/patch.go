package crd

import (
	"bytes"
	"encoding/json"
	"strings"

	"kstatus.dev/author/crd/internal/difference"
	"kstatus.dev/author/lint"
)

// An operation is an operation of a JSON patch (RFC 6902).
type operation struct {
	Op    lint.Op          `json:"op"`
	Path  string           `json:"path"`
	Value *json.RawMessage `json:"value,omitempty"`
}

// JSONPatch returns edits as a JSON patch (RFC 6902). It is an error if JSON
// cannot represent a value.
func JSONPatch(edits []lint.Edit) ([]byte, error) {
	all := make([]operation, len(edits))
	for i, e := range edits {
		all[i] = operation{Op: e.Op, Path: e.Path.Pointer()}
		if e.Op == lint.OpRemove {
			continue
		}
		value, err := json.Marshal(e.Value)
		if err != nil {
			return nil, err
		}
		raw := json.RawMessage(value)
		all[i].Value = &raw
	}
	return json.Marshal(all)
}

// A Patch is a list of edits of the definition with a name.
type Patch struct {
	Name  string
	Edits []lint.Edit
}

// Kustomization returns a kustomization.yaml that applies the patches to definitions in
// files.
func Kustomization(files []string, patches []Patch) ([]byte, error) {
	t := &text{step: 2, compact: true}
	var b bytes.Buffer
	b.WriteString("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n")
	if len(files) > 0 {
		var list []any
		for _, f := range files {
			list = append(list, f)
		}
		lines, err := t.encode(map[string]any{"resources": list})
		if err != nil {
			return nil, err
		}
		b.WriteString(lines)
	}
	if len(patches) > 0 {
		b.WriteString("patches:\n")
	}
	for _, p := range patches {
		target := map[string]any{"group": "apiextensions.k8s.io", "version": "v1", "kind": "CustomResourceDefinition", "name": p.Name}
		var operations []any
		for _, e := range p.Edits {
			o := map[string]any{"op": string(e.Op), "path": e.Path.Pointer()}
			if e.Op != lint.OpRemove {
				o["value"] = difference.Normalize(e.Value)
			}
			operations = append(operations, o)
		}
		patch, err := t.encode(operations)
		if err != nil {
			return nil, err
		}
		head, err := t.encode([]any{map[string]any{"target": target}})
		if err != nil {
			return nil, err
		}
		b.WriteString(head + "  patch: |-\n")
		for line := range strings.Lines(patch) {
			b.WriteString("    " + line)
		}
	}
	return b.Bytes(), nil
}
