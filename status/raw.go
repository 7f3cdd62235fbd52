package status

import "strconv"

// Object returns the object as it was decoded, for a rule that learns only when
// it runs which fields it is about. It is not to be changed.
func (f *Fields) Object() map[string]any { return f.node }

// RecordRead records a field as read, for a rule that has read it by itself: a value
// as it is, of a list or a map how much it holds.
func (f *Fields) RecordRead(path string, v any) {
	if !f.traced() {
		return
	}
	switch v := v.(type) {
	case []any:
		f.saw(path, strconv.Itoa(len(v))+" items")
	case map[string]any:
		f.saw(path, strconv.Itoa(len(v))+" fields")
	default:
		f.saw(path, v)
	}
}
