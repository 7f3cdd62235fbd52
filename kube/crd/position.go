package crd

import (
	"go.yaml.in/yaml/v3"

	"kstatus.dev/lint"
)

// Position returns the line and column of a field: of its name, or of the start of an item
// of a list. For a missing field it returns the position of the nearest existing parent.
func (o *Object) Position(p lint.Path) (line, column int) {
	trail := o.trail(p)
	at := trail[len(trail)-1]
	return at.Line + o.Document.Line - 1, at.Column
}

// File returns the name of the file in which the object stands.
func (o *Object) File() string { return o.Document.file }

// trail returns the nodes of the names and items on the way to a field, as far
// as there are any. The first is that of the object.
func (o *Object) trail(p lint.Path) []*yaml.Node {
	node := o.Document.root
	trail := []*yaml.Node{node}
	for i, step := range append(o.path.With(), p...) {
		key, value := child(node, step)
		if value == nil {
			break
		}
		node = value
		if i < len(o.path) {
			trail[0] = value
			continue
		}
		if key == nil {
			key = value
		}
		trail = append(trail, key)
	}
	return trail
}

// child returns the node of a field or an item, and that of its name if it has
// one. Of a name that is set twice the last counts.
func child(n *yaml.Node, step any) (key, value *yaml.Node) {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	switch s := step.(type) {
	case string:
		if n.Kind != yaml.MappingNode {
			return nil, nil
		}
		for i := len(n.Content) - 2; i >= 0; i -= 2 {
			if n.Content[i].Value == s {
				return n.Content[i], n.Content[i+1]
			}
		}
	case int:
		if n.Kind == yaml.SequenceNode && s >= 0 && s < len(n.Content) {
			return nil, n.Content[s]
		}
	}
	return nil, nil
}
