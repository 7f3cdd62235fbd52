package status

import safetext "kstatus.dev/internal/text"

// Object returns the decoded object, for a rule that determines the fields it reads at run time.
// Callers must not change it.
func (f *Fields) Object() map[string]any { return f.node }

// RecordRead records a field that a rule has read by itself: its value, or the size of a list or
// a map.
func (f *Fields) RecordRead(path string, v any) {
	if !f.isTraced() {
		return
	}
	switch v := v.(type) {
	case []any:
		f.recordRead(path, safetext.Count(len(v), "item"))
	case map[string]any:
		f.recordRead(path, safetext.Count(len(v), "field"))
	default:
		f.recordRead(path, v)
	}
}
