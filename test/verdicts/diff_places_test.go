package test

import "slices"

// A place is a field or an item that a mutation can change.
type place struct {
	m    map[string]any
	key  string
	list []any
	item int
}

func (p place) get() any {
	if p.m != nil {
		return p.m[p.key]
	}
	return p.list[p.item]
}

func (p place) set(v any) {
	if p.m != nil {
		p.m[p.key] = v
		return
	}
	p.list[p.item] = v
}

// places lists every field and item in an order that is the same in every run.
func places(v any) (all []place) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			all = append(all, place{m: v, key: k})
			all = append(all, places(v[k])...)
		}
	case []any:
		for i := range v {
			all = append(all, place{list: v, item: i})
			all = append(all, places(v[i])...)
		}
	}
	return all
}
