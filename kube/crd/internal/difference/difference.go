// Package difference finds the edits that turn one value of JSON into another, and those that
// can be made at once.
package difference

import (
	"maps"
	"reflect"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"kstatus.dev/lint"
)

// Equal reports whether two values are the same in JSON.
func Equal(a, b any) bool {
	return reflect.DeepEqual(a, b) || reflect.DeepEqual(Normalize(a), Normalize(b))
}

// Normalize returns a value as a decoder of JSON delivers it.
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

// Add adds the edits that turn one value into another.
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

// mapDifference adds before it removes, so that the map is never empty in between.
func mapDifference(edits []lint.Edit, at lint.Path, old, want map[string]any) []lint.Edit {
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if was, there := old[key]; there {
			edits = Add(edits, at.With(key), was, want[key])
		} else {
			edits = append(edits, lint.Edit{Op: lint.OpAdd, Path: at.With(key), Value: want[key]})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(old)) {
		if _, there := want[key]; !there {
			edits = append(edits, lint.Edit{Op: lint.OpRemove, Path: at.With(key)})
		}
	}
	return edits
}

// listDifference leaves alone what two lists have in common at both ends.
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

// Independent returns how many of the first edits can be made at once: none of
// them is in, around or beside what another changes.
func Independent(edits []lint.Edit) int {
	var all places
	for n, e := range edits {
		if !all.add(e.Path[:len(e.Path)-1]) {
			return n
		}
	}
	return len(edits)
}

// places are paths none of which is in another, by their steps.
type places struct {
	below map[any]*places
	taken bool
}

// add adds a path, unless it is one of the places, in one or around one.
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
