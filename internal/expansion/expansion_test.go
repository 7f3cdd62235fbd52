package expansion_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kstatus.dev/internal/expansion"
)

// A node is a node of a document without a parser.
type node struct {
	text    string
	content []*node
	alias   *node
}

func describe(n *node) expansion.Node[*node] {
	if n.alias != nil {
		return expansion.Node[*node]{Target: n.alias}
	}
	return expansion.Node[*node]{Text: n.text, Content: n.content}
}

func text(n int) *node { return &node{text: strings.Repeat("x", n)} }

func list(of ...*node) *node { return &node{content: of} }

func aliases(of *node, n int) (all []*node) {
	for range n {
		all = append(all, &node{alias: of})
	}
	return all
}

func TestCheck(t *testing.T) {
	ten := list(text(1), text(1), text(1), text(1), text(1), text(1), text(1), text(1), text(1))
	million := text(1 << 20)
	self := &node{}
	self.content = aliases(self, 3)
	deep := list(text(1), text(1))
	for range 60 {
		deep = list(deep, &node{alias: deep})
	}
	for name, c := range map[string]struct {
		root *node
		want string
	}{
		"it accepts a document without aliases": {list(text(10<<20), text(10<<20)), ""},
		"it accepts aliases up to the limit":    {list(append(aliases(ten, expansion.MaxValues/10), ten)...), ""},
		"it rejects one value more":             {list(append(aliases(ten, expansion.MaxValues/10+1), ten)...), "values"},
		"it accepts text up to the limit":       {list(append(aliases(million, 4), million)...), ""},
		"it rejects more text":                  {list(append(aliases(million, 5), million)...), "bytes"},
		"it rejects doubling at each level":     {deep, "values"},
		"it rejects an anchor within itself":    {self, ""},
	} {
		t.Run(name, func(t *testing.T) {
			at, err := expansion.Check(c.root, describe)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
				t.Errorf("have %v, want an error with %q", err, c.want)
			}
			if (at == nil) != (err == nil) || at != nil && at.alias == nil {
				t.Errorf("the error %v is at %v, want an alias", err, at)
			}
		})
	}
}

// Check agrees with the expanded size of documents of any shape without cycles.
func TestCheckAgreesWithExpanding(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		known := []*node{text(r.IntN(2000)), text(1)}
		for range r.IntN(12) {
			var of []*node
			for range 1 + r.IntN(6) {
				of = append(of, &node{alias: known[r.IntN(len(known))]})
			}
			known = append(known, list(of...))
		}
		root := list(known...)
		values, bytes := 0, 0
		var expand func(n *node, within bool)
		expand = func(n *node, within bool) {
			switch {
			case values > expansion.MaxValues || bytes > expansion.MaxBytes:
			case n.alias != nil:
				expand(n.alias, true)
			default:
				if within {
					values, bytes = values+1, bytes+len(n.text)
				}
				for _, below := range n.content {
					expand(below, within)
				}
			}
		}
		expand(root, false)
		_, err := expansion.Check(root, describe)
		if large := values > expansion.MaxValues || bytes > expansion.MaxBytes; large != (err != nil) {
			t.Errorf("seed %d: %d values, %d bytes, have %v", seed, values, bytes, err)
		}
	}
}
