// Package difference computes the edits from one JSON value to another, and
// which of them can be made at once.
package difference

import (
	"maps"
	"reflect"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"kstatus.dev/author/lint"
)

// Equal reports whether two values are equal in JSON.
func Equal(a, b any) bool {
	return reflect.DeepEqual(a, b) || reflect.DeepEqual(Normalize(a), Normalize(b))
}

// Normalize returns a value as decoded JSON.
func Normalize(v any) any {
	text, err := utiljson.Marshal(v)
	if err != nil {
		return v
	}
	var again any
	if err := utiljson.Unmarshal(text, &again); err != nil {
		return v
	}
	return again
}

// Add appends the edits from one value to another.
func Add(edits []lint.Edit, at lint.Path, old, want any) []lint.Edit {
	switch want := want.(type) {
	case map[string]any:
		if was, ok := old.(map[string]any); ok && len(was) > 0 && len(want) > 0 {
			return mapDifference(edits, at, was, want)
		}
	case []any:
		if was, ok := old.([]any); ok && len(was) > 0 && len(want) > 0 {
			return listDifference(edits, at, was, want)
		}
	}
	if Equal(old, want) {
		return edits
	}
	return append(edits, lint.Edit{Op: lint.OpReplace, Path: at, Value: want})
}

// mapDifference adds keys before it removes others, so that the map is never
// empty in between.
func mapDifference(edits []lint.Edit, at lint.Path, old, want map[string]any) []lint.Edit {
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if was, ok := old[key]; ok {
			edits = Add(edits, at.With(key), was, want[key])
		} else {
			edits = append(edits, lint.Edit{Op: lint.OpAdd, Path: at.With(key), Value: want[key]})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(old)) {
		if _, ok := want[key]; !ok {
			edits = append(edits, lint.Edit{Op: lint.OpRemove, Path: at.With(key)})
		}
	}
	return edits
}

// listDifference keeps the equal items at both ends of two lists.
func listDifference(edits []lint.Edit, at lint.Path, old, want []any) []lint.Edit {
	head, tail := 0, 0
	for head < len(old) && head < len(want) && Equal(old[head], want[head]) {
		head++
	}
	for tail < len(old)-head && tail < len(want)-head && Equal(old[len(old)-1-tail], want[len(want)-1-tail]) {
		tail++
	}
	olds, wants := old[head:len(old)-tail], want[head:len(want)-tail]
	both := min(len(olds), len(wants))
	for i := range both {
		edits = Add(edits, at.With(head+i), olds[i], wants[i])
	}
	for i := both; i < len(wants); i++ {
		edits = append(edits, lint.Edit{Op: lint.OpAdd, Path: at.With(head + i), Value: wants[i]})
	}
	for i := len(olds) - 1; i >= both; i-- {
		edits = append(edits, lint.Edit{Op: lint.OpRemove, Path: at.With(head + i)})
	}
	return edits
}

// Independent returns how many of the first edits can be made at once: none is
// inside, around or beside another.
func Independent(edits []lint.Edit) int {
	var all places
	for n, e := range edits {
		if !all.add(e.Path[:len(e.Path)-1]) {
			return n
		}
	}
	return len(edits)
}

// places is a set of paths, none of which contains another.
type places struct {
	below map[any]*places
	taken bool
}

// add adds a path. It returns false if a path of the set contains it, or is
// inside of it.
func (p *places) add(path lint.Path) bool {
	for _, step := range path {
		if p.taken {
			return false
		}
		if p.below == nil {
			p.below = map[any]*places{}
		}
		if p.below[step] == nil {
			p.below[step] = &places{}
		}
		p = p.below[step]
	}
	if p.taken || len(p.below) > 0 {
		return false
	}
	p.taken = true
	return true
}
