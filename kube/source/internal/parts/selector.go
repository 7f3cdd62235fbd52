package parts

import (
	"maps"
	"slices"
	"strings"
)

// A cover says of which parents the parts are asked for: of those that select
// by one of these values at each of these labels. Without labels, of all.
type selector struct{ values map[string][]string }

// What a selector may grow to: a request's address is bounded, and a server
// goes through the values for each object.
const (
	maxSelectorValues = 100
	maxSelectorBytes  = 4 << 10
)

// coverOf returns the narrowest cover of all these parents.
func selectorOf(parents []*workload) *selector {
	c := &selector{values: map[string][]string{}}
	if len(parents) == 0 {
		return c
	}
	size := 0
	for _, key := range slices.Sorted(maps.Keys(parents[0].labels)) {
		distinct := map[string]bool{}
		for _, p := range parents {
			if value, ok := p.labels[key]; ok {
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
			c.values[key] = values
		}
	}
	return c
}

// has reports whether the parts of a parent are covered.
func (c *selector) matches(p *workload) bool {
	for key, values := range c.values {
		value, ok := p.labels[key]
		if _, found := slices.BinarySearch(values, value); !ok || !found {
			return false
		}
	}
	return true
}

// String returns the cover as a label selector.
func (c *selector) String() string {
	var terms []string
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		terms = append(terms, key+" in ("+strings.Join(c.values[key], ",")+")")
	}
	return strings.Join(terms, ",")
}
