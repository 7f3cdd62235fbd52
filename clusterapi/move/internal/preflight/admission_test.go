package preflight

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/internal/management"
)

func TestRulesAboutDeletion(t *testing.T) {
	machines := &management.Kind{GroupVersionKind: schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: "v1beta2", Kind: "Machine"}, Resource: "machines"}
	secrets := &management.Kind{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Resource: "secrets"}
	rule := func(operation, group, resource string) map[string]any {
		return map[string]any{"operations": []any{"CREATE", operation}, "apiGroups": []any{group}, "apiVersions": []any{"v1alpha1"}, "resources": []any{"boxes", resource}}
	}
	for _, row := range []struct {
		it   string
		rule any
		kind *management.Kind
		want bool
	}{
		{"names the kind, in any version", rule("DELETE", "cluster.x-k8s.io", "machines"), machines, true},
		{"names the kind of the core group", rule("DELETE", "", "secrets"), secrets, true},
		{"names all operations", rule("*", "cluster.x-k8s.io", "machines"), machines, true},
		{"names all groups", rule("DELETE", "*", "machines"), machines, true},
		{"names all resources", rule("DELETE", "cluster.x-k8s.io", "*"), machines, true},
		{"names all resources and subresources", rule("DELETE", "*", "*/*"), machines, true},
		{"names the kind and its subresources", rule("DELETE", "cluster.x-k8s.io", "machines/*"), machines, true},
		{"names a subresource", rule("DELETE", "cluster.x-k8s.io", "machines/status"), machines, false},
		{"names another operation", rule("UPDATE", "cluster.x-k8s.io", "machines"), machines, false},
		{"names another group", rule("DELETE", "infrastructure.cluster.x-k8s.io", "machines"), machines, false},
		{"names another kind", rule("DELETE", "cluster.x-k8s.io", "machinesets"), machines, false},
		{"has no resources", map[string]any{"operations": []any{"*"}, "apiGroups": []any{"*"}}, machines, false},
		{"has another shape", "*", machines, false},
	} {
		if have := isAboutDeletion(row.rule, row.kind); have != row.want {
			t.Errorf("a rule that %s is about the deletion: %t, want %t", row.it, have, row.want)
		}
	}
}
