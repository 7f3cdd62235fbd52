package source

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/status"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// metadataOnly reports whether of objects of that kind only the metadata are
// asked for: Secrets, whose values never leave the server so, and ConfigMaps
// unless their data matter.
func metadataOnly(k status.Kind, data bool) bool {
	return k.Group == "" && (k.Kind == "Secret" || k.Kind == "ConfigMap" && !data)
}

// trim removes from an object what no verdict rests on and what makes up most
// of it: who wrote which field, and the manifest as it was applied.
func trim(u *unstructured.Unstructured) {
	meta, _ := u.Object["metadata"].(map[string]any)
	delete(meta, "managedFields")
	if notes, ok := meta["annotations"].(map[string]any); ok {
		delete(notes, lastApplied)
	}
}
