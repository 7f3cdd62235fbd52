package explain

import (
	"os"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/internal/text"
)

// Answering queries, starting from the requested objects alone, leads to the same
// explanation as all the facts of a case.
func TestWishesLeadToTheExplanation(t *testing.T) {
	files := caseFiles(t)
	for _, file := range files {
		t.Run(caseName(file), func(t *testing.T) {
			all, asked := readCase(t, file)
			g := &granter{all: newIndex(all), facts: &Facts{Now: all.Now, Gaps: all.Gaps}, done: map[Query]bool{}}
			for _, id := range asked {
				g.grant(Query{Type: QueryObject, ID: id})
			}
			rounds := 0
			for ; g.round(Queries(g.facts, asked...)); rounds++ {
				if rounds == 12 {
					t.Fatalf("still queries after %d rounds", rounds)
				}
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".case") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			if have := Explain(g.facts, asked...).Text(g.facts.Now); have != string(want) {
				t.Errorf("after %d rounds have:\n%s\nwant:\n%s", rounds, have, want)
			}
		})
	}
}

// A granter answers queries from all the facts of a case.
type granter struct {
	all   *index
	facts *Facts
	done  map[Query]bool
}

func (g *granter) round(queries []Query) (more bool) {
	for _, w := range queries {
		if !g.done[w] {
			g.done[w], more = true, true
			g.grant(w)
		}
	}
	return more
}

func (g *granter) grant(w Query) {
	switch w.Type {
	case QueryObject:
		if o := g.all.find(w.ID); o != nil {
			g.give(o)
		}
	case QueryParts:
		for _, o := range g.all.objects[w.ID].parts {
			if o.ID.GroupKind() == w.Kind {
				g.give(o)
			}
		}
	case QueryEvents:
		for _, e := range g.all.objects[w.ID].events {
			if !slices.Contains(g.facts.Events, e) {
				g.facts.Events = append(g.facts.Events, e)
			}
		}
	case QueryLog:
		if log := g.all.logs[w.Log]; log != nil {
			g.facts.Logs = append(g.facts.Logs, *log)
		}
	case QueryList:
		for _, o := range g.all.all {
			if l := w.List; l.Resource != "" && text.Plural(strings.ToLower(o.ID.Kind)) == l.Resource && o.ID.Group == l.Group && o.ID.Namespace == l.Namespace {
				g.give(o)
			}
		}
		for _, o := range g.all.objectsIn(w.List) {
			g.give(o)
		}
		if g.all.isListed(w.List) {
			g.facts.Lists = append(g.facts.Lists, w.List)
		}
	}
}

// give adds an object. If parts of the object may be of any kind, give adds them too:
// callers know which kinds exist, so no query requests them.
func (g *granter) give(o *object) {
	for _, t := range g.facts.Objects {
		if t.ID == o.ID {
			return
		}
	}
	g.facts.Objects = append(g.facts.Objects, *o.ObjectFact)
	if len(PartKinds(o.ID.GroupKind())) == 0 && strings.Contains(o.ID.Group, ".") && !isBuiltinGroup(o.ID.Group) {
		for _, p := range o.parts {
			g.give(p)
		}
	}
}
