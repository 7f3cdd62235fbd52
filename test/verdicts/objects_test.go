package test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/yaml"

	"kstatus.dev/status"
)

// An unstructured object can be passed as it is.
var _ status.Object = (*unstructured.Unstructured)(nil)

// An object gets the same verdict in all forms and in every profile. The forms are those that
// Kubernetes clients decode, a plain map of encoding/json, and a kyaml node.
func TestFormsOfObjectsHaveOneVerdict(t *testing.T) {
	noon := func() time.Time { return time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC) }
	for _, s := range samples(t) {
		t.Run(s.from, func(t *testing.T) {
			forms := formsOf(t, s)
			for _, profile := range status.Profiles() {
				e := status.Evaluator{Profile: profile, Now: noon}
				want, wantErr := e.Compute(forms["unstructured"])
				for name, obj := range forms {
					got, err := e.Compute(obj)
					if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
						t.Errorf("profile %s: %s gives %+v, %v; unstructured %+v, %v", profile.Name(), name, got, err, want, wantErr)
					}
				}
			}
		})
	}
}

func formsOf(t *testing.T, s sample) map[string]status.Object {
	t.Helper()
	text, err := json.Marshal(s.obj)
	if err != nil {
		t.Fatalf("%s: %v", s.from, err)
	}
	var plain map[string]any
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatalf("%s: %v", s.from, err)
	}
	plain, _ = withWhole(plain, s.obj).(map[string]any)
	doc, err := yaml.JSONToYAML(text)
	if err != nil {
		t.Fatalf("%s: %v", s.from, err)
	}
	node, err := kyaml.Parse(string(doc))
	if err != nil {
		t.Fatalf("%s: %v", s.from, err)
	}
	rendered, err := node.Map()
	if err != nil {
		t.Fatalf("%s: %v", s.from, err)
	}
	return map[string]status.Object{
		"unstructured": &unstructured.Unstructured{Object: runtime.DeepCopyJSON(s.obj)},
		"a plain map":  status.Map(plain),
		"a kyaml node": status.Map(rendered),
	}
}

// withWhole returns a value of encoding/json with the whole numbers of the original that a float cannot
// hold.
func withWhole(plain, original any) any {
	switch o := original.(type) {
	case int64:
		if o > 1<<53 || o < -1<<53 {
			return o
		}
	case map[string]any:
		for key, item := range o {
			m := plain.(map[string]any)
			m[key] = withWhole(m[key], item)
		}
	case []any:
		for i, item := range o {
			list := plain.([]any)
			list[i] = withWhole(list[i], item)
		}
	}
	return plain
}

// Judging does not change an object.
func TestComputeDoesNotModifyObjects(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(s.from, func(t *testing.T) {
			before := runtime.DeepCopyJSON(s.obj)
			for _, profile := range status.Profiles() {
				e := status.Evaluator{Profile: profile}
				_, _ = e.Compute(status.Map(s.obj))
				_, _, _ = e.Explain(status.Map(s.obj))
			}
			if !reflect.DeepEqual(before, s.obj) {
				t.Errorf("judging changed the object to %v", s.obj)
			}
		})
	}
}
