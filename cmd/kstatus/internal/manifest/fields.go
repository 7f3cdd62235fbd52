package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
	"kstatus.dev/report"
)

// A Source is the place from which an object was read.
type Source = report.Source

// IntegerAt returns the integer at a path of keys, or nil without one. It also parses strings,
// since some controllers write generations as strings.
func IntegerAt(root map[string]any, path ...string) *int64 {
	v := decoded.At(root, path...)
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
		if err := notText("metadata."+field, decoded.At(root, "metadata", field)); err != nil {
			return err
		}
	}
	return nil
}

// LabelError returns an error if a label of an object is not a string, otherwise nil.
func LabelError(root map[string]any) error {
	all := decoded.Map(root, "metadata", "labels")
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
	for key, value := range decoded.Map(root, "metadata", "labels") {
		set[key], _ = value.(string)
	}
	return set
}
