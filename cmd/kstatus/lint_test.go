package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kstatus.dev/author/crd"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/terminal"
)

const lampCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.example.com}
spec:
  group: example.com
  names: {kind: Lamp, listKind: LampList, plural: lamps, singular: lamp}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status:
            type: object
            properties:
              conditions:
                type: array
                items: {type: object, required: [type], properties: {type: {type: string}, status: {type: string}}}
`

// The kustomization from --patch builds the same text that --fix writes.
func TestKustomizationBuildsWhatFixWrites(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("lamp.yaml", []byte(lampCRD), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &stderr}
	if code := run(t.Context(), env, []string{"kstatus", "lint", "lamp.yaml", "--unsafe", "--patch", "kustomize"}); code != exit.OK && code != exit.Findings {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	built := manifest.NewReader(t.Context(), nil).Read(nil, false, dir)[0]
	if built.Err != nil || len(built.Items) != 1 || built.Items[0].Err != nil {
		t.Fatalf("the kustomization builds %+v", built)
	}
	if code := run(t.Context(), env, []string{"kstatus", "lint", "lamp.yaml", "--unsafe", "--foreign", "--fix"}); code != exit.OK && code != exit.Findings {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	text, err := os.ReadFile("lamp.yaml")
	if err != nil || string(text) == lampCRD {
		t.Fatalf("--fix changes nothing, %v", err)
	}
	want := crd.Parse("lamp.yaml", text).Objects()[0].Value
	have := normalized(t, built.Items[0].Content)
	if !reflect.DeepEqual(have, normalized(t, want)) {
		t.Errorf("the kustomization builds\n%v\n--fix writes\n%v", have, want)
	}
}

func normalized(t *testing.T, o map[string]any) any {
	t.Helper()
	var b bytes.Buffer
	if err := terminal.NewEncoder(&b).Encode(o); err != nil {
		t.Fatal(err)
	}
	value, _, err := manifest.DecodeJSON(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return value
}
