package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/internal/planted"
)

// plantDefinition writes a definition whose defaults contain secrets. Since the schema does not
// allow these defaults, findings quote them.
func plantDefinition(t *testing.T, secrets []string) (file string) {
	t.Helper()
	var properties [2]map[string]any // of the spec and of the status
	for i := range properties {
		properties[i] = map[string]any{}
	}
	for i, secret := range secrets {
		texts := planted.Messages(secret)
		for j, name := range slices.Sorted(maps.Keys(texts)) {
			properties[i%2][fmt.Sprintf("p%dx%d", i, j)] = map[string]any{"type": "string", "pattern": "^never$", "default": texts[name]}
		}
	}
	object := func(properties map[string]any) map[string]any {
		return map[string]any{"type": "object", "properties": properties}
	}
	text, err := json.MarshalIndent(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "lamps.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Lamp", "listKind": "LampList", "plural": "lamps", "singular": "lamp"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true, "subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": object(map[string]any{"spec": object(properties[0]), "status": object(properties[1])})},
			}},
		},
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "lamps.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Findings quote values of a definition, but no secrets.
func TestLintFindingsHaveNoSecret(t *testing.T) {
	plants := slices.DeleteFunc(planted.Plants(), func(p planted.Plant) bool { return !strings.HasPrefix(p.Shape, "message: ") })
	var secrets []string
	for _, p := range plants {
		if len(secrets) < 4 && !slices.Contains(secrets, p.Secret) {
			secrets = append(secrets, p.Secret)
		}
	}
	file := plantDefinition(t, secrets)
	for _, format := range []string{"text", "json", "sarif", "github"} {
		t.Run(format, func(t *testing.T) {
			var out, stderr strings.Builder
			run(t.Context(), cli.Env{In: strings.NewReader(""), Out: &out, Err: &stderr, Now: time.Now}, []string{"kstatus", "lint", file, "-o", format})
			text := out.String() + stderr.String()
			if n := strings.Count(text, "never"); n < 50 {
				t.Errorf("%d defaults are found fault with:\n%.2000s", n, text)
			}
			for _, secret := range secrets {
				if p := (planted.Plant{Secret: secret}); p.FoundIn(text) {
					i := strings.Index(text, secret)
					t.Errorf("%q is in it: …%s…", secret, text[max(0, i-200):min(len(text), i+40)])
				}
			}
		})
	}
}
