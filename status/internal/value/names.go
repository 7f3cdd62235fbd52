package value

import "slices"

// Names knows where in long lists the items with a name are, once it has looked through a
// list. The zero value knows nothing. It belongs to one goroutine.
type Names struct{ lists map[*any]map[string]int } // by the first items

// long is how many items a list has that is worth looking through once.
const long = 16

// Find returns the last item of a list with a name, and its index; nil if there is none.
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
