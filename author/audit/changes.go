package audit

import (
	"reflect"
	"slices"
	"strconv"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
)

// A Change is one place where two versions of an object differ. Its values are
// scalars, empty objects or empty lists. Old is nil for an added value, and New
// for a removed one. Items of a list are compared by type or name, wherever
// they are in the list. If their order changed, Order is set, and Path is the
// path of the list.
type Change struct {
	Path     string
	Old, New any
	Order    bool
}

// Changes returns the differences between this version and the one before it,
// in the order of their paths. It returns nil without a version before. It
// ignores resourceVersion, generation and managedFields, which the server sets.
func (p *Pass) Changes() []Change {
	if p.Old == nil || p.compared {
		return p.changes
	}
	p.compared = true
	d := differ{}
	d.maps("", p.Old.Object, p.New.Object)
	p.changes = d.all
	return p.changes
}

// maxChanges bounds the number of changes that are reported.
const maxChanges = 256

type differ struct{ all []Change }

func (d *differ) add(c Change) {
	if len(d.all) < maxChanges {
		d.all = append(d.all, c)
	}
}

// values appends the differences between two values that are not equal.
func (d *differ) values(path string, was, is any) {
	before, m1 := was.(map[string]any)
	after, m2 := is.(map[string]any)
	if m1 && m2 || m1 && is == nil && len(before) > 0 || m2 && was == nil && len(after) > 0 {
		d.maps(path, before, after)
		return
	}
	had, l1 := was.([]any)
	has, l2 := is.([]any)
	if l1 && l2 || l1 && is == nil && len(had) > 0 || l2 && was == nil && len(has) > 0 {
		d.lists(path, had, has)
		return
	}
	d.add(Change{Path: path, Old: was, New: is})
}

func (d *differ) maps(path string, was, is map[string]any) {
	var keys []string
	for k, now := range is {
		if before, ok := was[k]; !ok || !equal(before, now) {
			keys = append(keys, k)
		}
	}
	for k := range was {
		if _, ok := is[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		if path != ".metadata" || k != "resourceVersion" && k != "generation" && k != "managedFields" {
			d.values(path+"."+k, was[k], is[k])
		}
	}
}

func (d *differ) lists(path string, was, is []any) {
	before, named := itemsByKey(was)
	after, too := itemsByKey(is)
	if !named || !too {
		for i := range max(len(was), len(is)) {
			d.items(path+"["+strconv.Itoa(i)+"]", at(was, i), at(is, i))
		}
		return
	}
	if !slices.Equal(common(before, after), common(after, before)) {
		d.add(Change{Path: path, Old: was, New: is, Order: true})
	}
	for _, item := range after {
		old, _ := find(before, item.key)
		d.items(path+item.step(), old, item.value)
	}
	for _, item := range before {
		if _, ok := find(after, item.key); !ok {
			d.items(path+item.step(), item.value, nil)
		}
	}
}

func (d *differ) items(path string, was, is any) {
	if !equal(was, is) {
		d.values(path, was, is)
	}
}

// A keyed is an item of a list with its key: the name of a field, and its
// value.
type keyed struct {
	key   [2]string
	value any
}

func (k keyed) step() string { return "[" + k.key[0] + "=" + strconv.Quote(k.key[1]) + "]" }

func find(items []keyed, key [2]string) (any, bool) {
	for _, item := range items {
		if item.key == key {
			return item.value, true
		}
	}
	return nil, false
}

// itemsByKey returns the items with their keys. ok is false if an item has no
// key, if two have the same, or if the list is long. Such lists are compared by
// index.
func itemsByKey(list []any) (all []keyed, ok bool) {
	if len(list) > maxKeyed {
		return nil, false
	}
	for _, item := range list {
		m, _ := item.(map[string]any)
		key := [2]string{"type", decoded.Text(m, "type")}
		if key[1] == "" {
			key = [2]string{"name", decoded.Text(m, "name")}
		}
		if _, twice := find(all, key); twice || key[1] == "" {
			return nil, false
		}
		all = append(all, keyed{key, item})
	}
	return all, true
}

// maxKeyed bounds the length of lists whose items are compared by key.
const maxKeyed = 64

// common returns the keys of the items that are also in the other list, in
// order.
func common(items, other []keyed) (keys [][2]string) {
	for _, item := range items {
		if _, ok := find(other, item.key); ok {
			keys = append(keys, item.key)
		}
	}
	return keys
}

func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// equal compares two JSON values. Numbers are equal if their values are,
// whatever their type.
func equal(x, y any) bool {
	switch x := x.(type) {
	case map[string]any:
		y, ok := y.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if w, exists := y[k]; !exists || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := y.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i]) {
				return false
			}
		}
		return true
	case string:
		s, ok := y.(string)
		return ok && x == s
	case nil, bool:
		switch y.(type) {
		case nil, bool:
			return x == y
		}
		return false
	}
	n, whole1 := integer.Of(x)
	m, whole2 := integer.Of(y)
	if whole1 && whole2 {
		return n == m
	}
	return whole1 == whole2 && reflect.DeepEqual(x, y)
}
