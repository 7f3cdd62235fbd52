package crd

import (
	"go.yaml.in/yaml/v3"

	"kstatus.dev/author/lint"
)

// Position returns the line and column of a field's key, or of the start of an
// item of a list. For a missing field it returns the position of the nearest
// existing parent.
func (o *Object) Position(p lint.Path) (line, column int) {
	trail := o.nodePath(p)
	at := trail[len(trail)-1]
	return at.Line + o.Document.Line - 1, at.Column
}

// File returns the name of the object's file.
func (o *Object) File() string { return o.Document.file }

// nodePath returns the nodes on the path to a field, as far as they exist. The
// first one is the node of the object.
func (o *Object) nodePath(p lint.Path) []*yaml.Node {
	node := o.node
	trail := []*yaml.Node{node}
	if !o.found {
		return trail
	}
	for _, step := range p {
		_, key, value := o.Document.keys.Child(node, step)
		if value == nil {
			break
		}
		node = value
		if key == nil {
			key = value
		}
		trail = append(trail, key)
	}
	return trail
}
