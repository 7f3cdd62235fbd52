package value

// Names knows where in long lists the items with a name are, once it has looked through a
// list. The zero value knows nothing. It belongs to one goroutine.
type Names struct{ lists map[*any]map[string]int } // by the first items

// Find returns the last item of a list with a name, and its index; nil if there is none.
func (n *Names) Find(list []any, name string) (int, map[string]any) {
	if len(list) == 0 {
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
