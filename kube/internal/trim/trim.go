// Package trim makes objects small that are kept.
package trim

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Object removes from an object what no verdict rests on and what makes up most of
// it: the fields that each writer has written, except whether they are of the spec
// or of the status, and the manifest as it was applied.
func Object(object map[string]any) {
	meta, _ := object["metadata"].(map[string]any)
	writers, _ := meta["managedFields"].([]any)
	for _, w := range writers {
		entry, _ := w.(map[string]any)
		fields, _ := entry["fieldsV1"].(map[string]any)
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
