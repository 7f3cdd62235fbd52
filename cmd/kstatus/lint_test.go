package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kstatus.dev/kube/crd"
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

// What the kustomization of --patch builds is what --fix writes.
func TestKustomizationBuildsWhatFixWrites(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("lamp.yaml", []byte(lampCRD), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	env := environment{in: strings.NewReader(""), out: &out, err: &said}
	if code := run(t.Context(), env, []string{"kstatus", "lint", "lamp.yaml", "--unsafe", "--patch", "kustomize"}); code != exitOK && code != exitFindings {
		t.Fatalf("exit code %d: %s", code, said.String())
	}
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	built := kustomized(dir)
	if built.err != nil || len(built.items) != 1 || built.items[0].err != nil {
		t.Fatalf("the kustomization builds %+v", built)
	}
	if code := run(t.Context(), env, []string{"kstatus", "lint", "lamp.yaml", "--unsafe", "--foreign", "--fix"}); code != exitOK && code != exitFindings {
		t.Fatalf("exit code %d: %s", code, said.String())
	}
	text, err := os.ReadFile("lamp.yaml")
	if err != nil || string(text) == lampCRD {
		t.Fatalf("--fix changes nothing, %v", err)
	}
	want := crd.Parse("lamp.yaml", text).Objects()[0].Value
	have := normalized(t, built.items[0].object)
	if !reflect.DeepEqual(have, normalized(t, want)) {
		t.Errorf("the kustomization builds\n%v\n--fix writes\n%v", have, want)
	}
}

func normalized(t *testing.T, o map[string]any) any {
	t.Helper()
	var b bytes.Buffer
	if err := encoderOn(&b).Encode(o); err != nil {
		t.Fatal(err)
	}
	value, _, err := decodeJSON(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return value
}
