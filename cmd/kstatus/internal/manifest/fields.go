package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/internal/integer"
	"kstatus.dev/report"
)

// A Source is the place from which an object was read.
type Source = report.Source

// ValueAt returns the value at a path of keys, or nil without one.
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

// StringAt returns the string at a path of keys, or an empty one.
func StringAt(root map[string]any, path ...string) string {
	s, _ := ValueAt(root, path...).(string)
	return s
}

// IntegerAt returns the integer at a path of keys, or nil without one. It also parses strings,
// since some controllers write generations as strings.
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

// nameError returns an error if the name or the namespace of an object is not a string, otherwise
// nil. For example, n without quotes is a boolean in YAML.
func nameError(root map[string]any) error {
	for _, field := range []string{"name", "generateName", "namespace"} {
		if err := notText("metadata."+field, ValueAt(root, "metadata", field)); err != nil {
			return err
		}
	}
	return nil
}

// LabelError returns an error if a label of an object is not a string, otherwise nil.
func LabelError(root map[string]any) error {
	all, _ := ValueAt(root, "metadata", "labels").(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if err := notText("metadata.labels["+key+"]", all[key]); err != nil {
			return err
		}
	}
	return nil
}

// notText returns an error for a value that is neither text nor missing.
func notText(path string, value any) error {
	what := "something else"
	switch value.(type) {
	case nil, string:
		return nil
	case bool:
		what = fmt.Sprintf("the boolean %v", value)
	case float64, int64, int, json.Number:
		what = fmt.Sprintf("the number %v", value)
	}
	return fmt.Errorf("%s: want text, have %s; quote it", path, what)
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
