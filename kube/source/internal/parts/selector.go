package parts

import (
	"maps"
	"slices"
	"strings"
)

// A selector is a label selector that covers the Pods of workloads: each label
// has one of the values. Without labels it covers everything.
type selector struct{ values map[string][]string }

// The limits of a selector, because the length of a URL is limited, and because the server
// compares each object with all values.
const (
	maxSelectorValues = 100
	maxSelectorBytes  = 4 << 10
)

// selectorOf returns the narrowest selector that covers all these workloads.
func selectorOf(workloads []*workload) *selector {
	s := &selector{values: map[string][]string{}}
	if len(workloads) == 0 {
		return s
	}
	size := 0
	for _, key := range slices.Sorted(maps.Keys(workloads[0].labels)) {
		distinct := map[string]bool{}
		for _, w := range workloads {
			if value, ok := w.labels[key]; ok {
				distinct[value] = true
			} else {
				distinct = nil
				break
			}
		}
		values := slices.Sorted(maps.Keys(distinct))
		bytes := len(key)
		for _, v := range values {
			bytes += len(v) + 1
		}
		if len(values) > 0 && len(values) <= maxSelectorValues && size+bytes <= maxSelectorBytes {
			size += bytes
			s.values[key] = values
		}
	}
	return s
}

// matches reports whether the selector covers a workload.
func (s *selector) matches(w *workload) bool {
	for key, values := range s.values {
		value, ok := w.labels[key]
		if _, found := slices.BinarySearch(values, value); !ok || !found {
			return false
		}
	}
	return true
}

// String returns the selector in the syntax of Kubernetes.
func (s *selector) String() string {
	var terms []string
	for _, key := range slices.Sorted(maps.Keys(s.values)) {
		terms = append(terms, key+" in ("+strings.Join(s.values[key], ",")+")")
	}
	return strings.Join(terms, ",")
}
