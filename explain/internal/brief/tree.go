package brief

import (
	"strings"

	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/status"
)

// A tree holds fields by the steps of their paths. A list has the node of its items.
type tree struct {
	fields map[string]*tree
	isText bool // explanations read the text of the field
	isAll  bool // they read everything below it
}

// trees are the fields of each kind in the table.
var trees = func() map[status.Kind]*tree {
	all := map[status.Kind]*tree{}
	for kind, paths := range reads {
		all[kind] = new(tree)
		all[kind].add(paths)
		if !isBuiltin(kind.Group) {
			all[kind].add(custom)
		}
	}
	return all
}()

// customTree has the fields of a kind that is neither in the table nor one of Kubernetes.
var customTree = func() *tree {
	t := new(tree)
	t.add(custom)
	return t
}()

// treeOf returns the fields of a kind; nil if explanations read no texts of it.
func treeOf(kind status.Kind) *tree {
	if t := trees[kind]; t != nil || isBuiltin(kind.Group) {
		return t
	}
	return customTree
}

// isBuiltin reports whether a group is one of Kubernetes.
func isBuiltin(group string) bool {
	return !strings.Contains(group, ".") || reference.IsBuiltinGroup(group)
}

// add adds paths.
func (t *tree) add(paths []string) {
	for _, path := range paths {
		at := t
		for step := range strings.SplitSeq(path, ".") {
			if step == "**" {
				at.isAll = true
				break
			}
			if at.fields == nil {
				at.fields = map[string]*tree{}
			}
			if at.fields[step] == nil {
				at.fields[step] = new(tree)
			}
			at = at.fields[step]
		}
		at.isText = true
	}
}

// everything is the tree of fields below a field that is read as a whole.
var everything = &tree{isText: true, isAll: true}

// under returns the tree of a field, nil if nothing below it is read.
func (t *tree) under(field string) *tree {
	switch {
	case t == nil:
		return nil
	case t.isAll:
		return everything
	case t.fields[field] != nil:
		return t.fields[field]
	}
	return t.fields["*"]
}
