package manifest

import (
	"strconv"

	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/internal/integer"
	"kstatus.dev/report"
)

// A Source is where an object was read.
type Source = report.Source

// ValueAt returns the value at a path of keys, nil if there is none.
func ValueAt(root map[string]any, path ...string) any {
	var v any = root
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// StringAt returns the text at a path of keys, empty if there is none.
func StringAt(root map[string]any, path ...string) string {
	s, _ := ValueAt(root, path...).(string)
	return s
}

// IntegerAt returns the whole number at a path of keys, nil if there is none. It also
// reads a number from a text, since some controllers write generations as text.
func IntegerAt(root map[string]any, path ...string) *int64 {
	v := ValueAt(root, path...)
	if n, ok := integer.Of(v); ok {
		return &n
	}
	if s, ok := v.(string); ok {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return &n
		}
	}
	return nil
}

// Labels returns the labels of an object.
func Labels(root map[string]any) labels.Set {
	set := labels.Set{}
	m, _ := ValueAt(root, "metadata", "labels").(map[string]any)
	for key, value := range m {
		set[key], _ = value.(string)
	}
	return set
}
