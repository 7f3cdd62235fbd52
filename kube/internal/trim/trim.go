// Package trim removes unused data from objects that are kept in memory.
package trim

import "kstatus.dev/internal/decoded"

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Object removes the largest parts of an object that no verdict depends on. These
// are the applied manifest, and the fields in managedFields, except whether they
// are of the spec or of the status.
func Object(object map[string]any) {
	meta := decoded.Map(object, "metadata")
	for _, entry := range decoded.Maps(meta, "managedFields") {
		fields := decoded.Map(entry, "fieldsV1")
		for name, written := range fields {
			fields[name] = nil
			if name == "f:metadata" && meta["deletionTimestamp"] != nil {
				fields[name] = finalizersIn(written)
			}
		}
	}
	if notes, ok := meta["annotations"].(map[string]any); ok {
		delete(notes, lastApplied)
	}
}

// finalizersIn returns what is kept of the metadata that a writer has written, for
// an object that is being deleted: the finalizers.
func finalizersIn(written any) any {
	of, _ := written.(map[string]any)
	if set, ok := of["f:finalizers"]; ok {
		return map[string]any{"f:finalizers": set}
	}
	return nil
}
