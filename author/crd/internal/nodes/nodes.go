// Package nodes finds values in the nodes of a YAML document.
package nodes

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"kstatus.dev/internal/expansion"
)

// Describe returns the properties of a node that determine the size of the expanded
// document.
func Describe(n *yaml.Node) expansion.Node[*yaml.Node] {
	return expansion.Node[*yaml.Node]{Text: n.Value, Content: n.Content, Named: n.Kind == yaml.MappingNode, Target: n.Alias}
}

// HasAlias reports whether an alias exists below a node.
func HasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, HasAlias)
}

// An Index maps the keys of large mappings to the positions of their values in
// the content of the mapping. If a key occurs twice, the last one counts.
type Index map[*yaml.Node]map[string]int

// wide is the number of nodes from which a mapping is indexed.
const wide = 32

// Add indexes the mappings of a tree. It calls twice for each duplicate key.
func (k Index) Add(n *yaml.Node, twice func(key *yaml.Node)) {
	if n.Kind == yaml.MappingNode {
		seen, at := map[string]bool{}, map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if seen[key.Value] && key.Kind == yaml.ScalarNode && key.Tag != "!!merge" {
				twice(key)
			}
			seen[key.Value], at[key.Value] = true, i+1
		}
		if len(n.Content) > wide {
			k[n] = at
		}
	}
	for _, below := range n.Content {
		k.Add(below, twice)
	}
}

// Child returns the node of a field or an item, and its index in the content of
// the parent. A field also has the node of its key.
func (k Index) Child(n *yaml.Node, step any) (index int, key, value *yaml.Node) {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	switch s := step.(type) {
	case string:
		if n.Kind != yaml.MappingNode {
			return 0, nil, nil
		}
		if at, indexed := k[n]; indexed {
			if i, there := at[s]; there {
				return i, n.Content[i-1], n.Content[i]
			}
			return 0, nil, nil
		}
		for i := len(n.Content) - 2; i >= 0; i -= 2 {
			if n.Content[i].Value == s {
				return i + 1, n.Content[i], n.Content[i+1]
			}
		}
	case int:
		if n.Kind == yaml.SequenceNode && s >= 0 && s < len(n.Content) {
			return s, nil, n.Content[s]
		}
	}
	return 0, nil, nil
}
