package status

import "strconv"

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
		f.recordRead(path, strconv.Itoa(len(v))+" items")
	case map[string]any:
		f.recordRead(path, strconv.Itoa(len(v))+" fields")
	default:
		f.recordRead(path, v)
	}
}
