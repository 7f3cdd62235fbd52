package crd

import (
	"fmt"
	"strings"
	"testing"

	"kstatus.dev/author/crd/internal/rules"
)

// definitionWithRules returns a definition with a schema that has rules.
func definitionWithRules(all ...string) map[string]any {
	var list []any
	for _, rule := range all {
		list = append(list, map[string]any{"rule": rule})
	}
	schema := map[string]any{"type": "object", "x-kubernetes-validations": list, "properties": map[string]any{"a": map[string]any{"type": "integer"}}}
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "lamps.example.com"},
		"spec": map[string]any{"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Lamp", "plural": "lamps", "listKind": "LampList", "singular": "lamp"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{"spec": schema}}}}}},
	}
}

// ruleOf returns a rule of a length, of many terms.
func ruleOf(length int) string {
	rule := "self.a == 1"
	for len(rule) < length-20 {
		rule += fmt.Sprintf(" || self.a == %d", len(rule)%10)
	}
	return rule + strings.Repeat(" ", length-len(rule))
}

func TestLongRulesAreNotCompiled(t *testing.T) {
	short, long := ruleOf(40), ruleOf(rules.MaxLength)
	rows := []struct {
		it   string
		all  []string
		want []string // the paths of the problems, below the schema of the spec
	}{
		{"checks many short rules", strings.Split(strings.Repeat(short+"\n", 200)+short, "\n"), nil},
		{"does not check a long rule", []string{short, long + " "}, []string{"x-kubernetes-validations[1]"}},
		{"does not check rules beyond the budget", []string{long, long, long, long, long, short}, []string{"x-kubernetes-validations[4]", "x-kubernetes-validations[5]"}},
		{"checks the other rules", []string{long + " ", "self.b"}, []string{"x-kubernetes-validations[0]", "x-kubernetes-validations[1].rule"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			definition := definitionWithRules(row.all...)
			var have []string
			for _, p := range (&Validator{}).Validate(definition) {
				_, path, _ := strings.Cut(p.Path.String(), "properties.spec.")
				have = append(have, path)
			}
			if fmt.Sprint(have) != fmt.Sprint(row.want) {
				t.Errorf("have problems at %q, want %q", have, row.want)
			}
			if schema := definition["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)["properties"].(map[string]any)["spec"].(map[string]any); len(schema["x-kubernetes-validations"].([]any)) != len(row.all) {
				t.Error("the definition was changed")
			}
		})
	}
}
