package writes

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/internal/decoded"
)

// withheldResources are confidential: their writes are not read or reported.
var withheldResources = []schema.GroupResource{{Resource: "secrets"}, {Resource: "configmaps"}}

// isWithheld reports whether a resource is confidential.
func isWithheld(r schema.GroupResource) bool { return slices.Contains(withheldResources, r) }

// identityOf returns an object with only its identity.
func identityOf(object map[string]any) map[string]any {
	kept, meta := map[string]any{}, map[string]any{}
	for _, key := range []string{"apiVersion", "kind"} {
		if text, ok := object[key].(string); ok {
			kept[key] = text
		}
	}
	for _, key := range []string{"namespace", "name", "uid", "resourceVersion"} {
		if text := decoded.Text(object, "metadata", key); text != "" {
			meta[key] = text
		}
	}
	kept["metadata"] = meta
	return kept
}
