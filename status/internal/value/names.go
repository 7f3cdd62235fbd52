package value

import "slices"

// Names finds items of long lists by name, and indexes each list once. The zero value is empty.
// It is not safe for concurrent use.
type Names struct{ lists map[*any]map[string]int } // by the first items

// long is the length from which on a list is indexed.
const long = 16

// Find returns the last item with a name, and its index; nil if the list has none.
func (n *Names) Find(list []any, name string) (int, map[string]any) {
	if len(list) <= long {
		for i, v := range slices.Backward(list) {
			m, _ := v.(map[string]any)
			if text, ok := Text(m["name"]); ok && text == name {
				return i, m
			}
		}
		return 0, nil
	}
	known := n.lists[&list[0]]
	if known == nil {
		known = map[string]int{}
		for i, v := range list {
			m, _ := v.(map[string]any)
			if text, ok := Text(m["name"]); ok {
				known[text] = i
			}
		}
		if n.lists == nil {
			n.lists = map[*any]map[string]int{}
		}
		n.lists[&list[0]] = known
	}
	i, there := known[name]
	if !there {
		return 0, nil
	}
	m, _ := list[i].(map[string]any)
	return i, m
}
