package explain

import (
	"fmt"
	"strings"
	"testing"

	"kstatus.dev/status"
)

// ownedObject returns an object with owners. The controller has a mark behind its name.
func ownedObject(name string, owners ...string) ObjectFact {
	var refs []any
	for _, owner := range owners {
		uid, controls := strings.CutSuffix(owner, "!")
		refs = append(refs, map[string]any{"uid": uid, "controller": controls})
	}
	return ObjectFact{ID: status.ID{Kind: status.Kind{Kind: "T"}, Name: name}, Object: status.Map{"metadata": map[string]any{"uid": name, "ownerReferences": refs}}}
}

func treeText(trees []Tree) string {
	var all []string
	for _, t := range trees {
		text := t.ID.Name
		if len(t.Parts) > 0 {
			text += "(" + treeText(t.Parts) + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

func TestTrees(t *testing.T) {
	rows := []struct {
		name   string
		things []ObjectFact
		owners string // a<b: a is owned by b, by no reference
		ask    string
		want   string
	}{
		{"it grows", []ObjectFact{ownedObject("a"), ownedObject("c", "b!"), ownedObject("b", "a!"), ownedObject("z")}, "", "a", "a(b(c))"},
		{"it has each object below its controller", []ObjectFact{ownedObject("a"), ownedObject("b"), ownedObject("c", "a", "b!")}, "", "a b", "a b(c)"},
		{"it has each object below its first owner", []ObjectFact{ownedObject("a"), ownedObject("b"), ownedObject("c", "x", "b", "a")}, "", "a b", "a b(c)"},
		{"it has requested parts too", []ObjectFact{ownedObject("a"), ownedObject("b", "a!"), ownedObject("c", "b!")}, "", "c b a", "a(b(c))"},
		{"it uses owners from the arguments", []ObjectFact{ownedObject("a"), ownedObject("b"), ownedObject("c", "b!")}, "b<a", "a b c", "a(b(c))"},
		{"it prefers the owner in the object", []ObjectFact{ownedObject("a"), ownedObject("b"), ownedObject("c", "b!")}, "c<a", "a b", "a b(c)"},
		{"an object owns itself", []ObjectFact{ownedObject("a", "a!")}, "", "a", "a"},
		{"owners form a cycle", []ObjectFact{ownedObject("a", "c!"), ownedObject("b", "a!"), ownedObject("c", "b!")}, "", "b a", "b(c(a))"},
		{"an owner is in a cycle", []ObjectFact{ownedObject("a", "b!"), ownedObject("b", "a!"), ownedObject("c", "b!")}, "", "c", "c"},
		{"an object is not known", []ObjectFact{ownedObject("a")}, "", "b a", "a"},
		{"an object is requested twice", []ObjectFact{ownedObject("a")}, "", "a a", "a"},
	}
	id := func(name string) status.ID { return status.ID{Kind: status.Kind{Kind: "T"}, Name: name} }
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			owners := map[status.ID]status.ID{}
			if a, b, ok := strings.Cut(row.owners, "<"); ok {
				owners[id(a)] = id(b)
			}
			var ids []status.ID
			for name := range strings.FieldsSeq(row.ask) {
				ids = append(ids, id(name))
			}
			if have := treeText((&Facts{Objects: row.things}).Trees(owners, ids...)); have != row.want {
				t.Errorf("have %s, want %s", have, row.want)
			}
		})
	}
}

// A long chain of owners is a tree as well.
func TestTreesAreDeep(t *testing.T) {
	const deep = 20_000
	f := &Facts{Objects: []ObjectFact{ownedObject("0")}}
	for i := 1; i < deep; i++ {
		f.Objects = append(f.Objects, ownedObject(fmt.Sprint(i), fmt.Sprint(i-1)+"!"))
	}
	n := 0
	for trees := f.Trees(nil, status.ID{Kind: status.Kind{Kind: "T"}, Name: "0"}); len(trees) > 0; trees = trees[0].Parts {
		n++
	}
	if n != deep {
		t.Errorf("it has %d levels, want %d", n, deep)
	}
}
