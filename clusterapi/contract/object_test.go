package contract

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
)

func TestScenariosAreNamedOnceAndShowRules(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Scenarios {
		t.Run(s.Name, func(t *testing.T) {
			if seen[s.Name] {
				t.Errorf("scenario %s is there twice", s.Name)
			}
			seen[s.Name] = true
			if len(s.Rules) == 0 || s.Doc == "" || s.run == nil {
				t.Errorf("scenario %s: want rules, a doc and a function", s.Name)
			}
		})
	}
}

func TestRunErrors(t *testing.T) {
	cluster := &unstructured.Unstructured{Object: map[string]any{"kind": "ACluster", "apiVersion": "a/v1"}}
	for want, p := range map[string]Provider{
		"InfraCluster":                {},
		`unknown scenario "nonesuch"`: {InfraCluster: cluster, Scenarios: []string{"nonesuch"}},
		"want an object with a k":     {InfraCluster: &unstructured.Unstructured{}},
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := Run(context.Background(), &rest.Config{}, p); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("Run = %v, want an error that says %s", err, want)
			}
		})
	}
}

// What a provider writes may have any shape.
func TestMalformedObjects(t *testing.T) {
	for name, status := range map[string]any{
		"it has no status":                    nil,
		"its status is a text":                "fine",
		"its conditions are a map":            map[string]any{"conditions": map[string]any{}},
		"its conditions hold nothing":         map[string]any{"conditions": []any{nil, "x", map[string]any{"type": 7}}},
		"its initialization is a text":        map[string]any{"initialization": "yes"},
		"its provisioned is a text":           map[string]any{"initialization": map[string]any{"provisioned": "true"}},
		"its condition has no status":         map[string]any{"conditions": []any{map[string]any{"type": "Ready"}}},
		"its condition has an unknown status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": []any{}}}},
		"its condition is a duplicate":        map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "False"}, map[string]any{"type": "Ready", "status": "True"}}},
		"its condition has a long message":    map[string]any{"conditions": []any{map[string]any{"type": "Ready", "message": strings.Repeat("x", 1<<20)}}},
	} {
		t.Run(name, func(t *testing.T) {
			obj := &unstructured.Unstructured{Object: map[string]any{"kind": "AMachine", "status": status}}
			if initialized(obj) || ready(obj) || hasCondition("Ready", "True")(obj) {
				t.Errorf("when %s it counts as provisioned or ready", name)
			}
			if text := brief(obj) + changesOf(obj, &unstructured.Unstructured{}); len(text) > 2000 {
				t.Errorf("when %s its description has %d bytes", name, len(text))
			}
			summary(obj)
		})
	}
}

// What a user does to a paused object, and the condition Paused, are not the provider's doing.
func TestDone(t *testing.T) {
	object := func(size string, conditions ...any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": size}, "status": map[string]any{"conditions": conditions}}}
	}
	condition := func(typ, status string) map[string]any { return map[string]any{"type": typ, "status": status} }
	before := object("small", condition("Ready", "True"))
	for name, row := range map[string]struct {
		after *unstructured.Unstructured
		want  string
	}{
		"it is empty without a change":             {before, ""},
		"it ignores Paused":                        {object("small", condition("Paused", "True"), condition("Ready", "True")), ""},
		"it reports another status of a condition": {object("small", condition("Ready", "False")), "status"},
		"it reports a removed condition":           {object("small", condition("Paused", "True")), "status"},
		"it reports another spec":                  {object("large", condition("Ready", "True")), "spec"},
		"it reports an added condition":            {object("small", condition("Ready", "True"), condition("Up", "True")), "status"},
		"it ignores the order of conditions":       {object("small", condition("Ready", "True")), ""},
		"it reports a removed status":              {object("small"), "status"},
	} {
		t.Run(name, func(t *testing.T) {
			if have := changesOf(before, row.after); (have == "") != (row.want == "") || !strings.HasPrefix(have, row.want) {
				t.Errorf("done = %q, want %q", have, row.want)
			}
		})
	}
}
