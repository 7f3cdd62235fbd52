package manifest

import (
	"strconv"

	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/internal/integer"
	"kstatus.dev/report"
)

// A Source is where an object was read.
type Source = report.Source

// At returns the value at a path of keys, nil if there is none.
func At(root map[string]any, path ...string) any {
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

func TextAt(root map[string]any, path ...string) string {
	s, _ := At(root, path...).(string)
	return s
}

// WholeAt returns the whole number at a path of keys, nil if there is none. Some
// controllers write generations as text, so a number in a text is one as well.
func WholeAt(root map[string]any, path ...string) *int64 {
	v := At(root, path...)
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

func Labels(root map[string]any) labels.Set {
	set := labels.Set{}
	m, _ := At(root, "metadata", "labels").(map[string]any)
	for key, value := range m {
		set[key], _ = value.(string)
	}
	return set
}
