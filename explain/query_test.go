package explain

import (
	"os"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/explain/internal/reference"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// Answering queries, starting from the requested objects alone, leads to the same
// explanation as all the facts of a case.
func TestQueriesLeadToTheExplanation(t *testing.T) {
	files := caseFiles(t)
	for _, file := range files {
		t.Run(caseName(file), func(t *testing.T) {
			all, requested := readCase(t, file)
			g := &answerer{index: newIndex(all), facts: &Facts{Now: all.Now, Gaps: all.Gaps}, done: map[Query]bool{}}
			for _, id := range requested {
				g.answer(Query{Type: QueryObject, ID: id})
			}
			rounds := 0
			for ; g.round(Queries(g.facts, requested...)); rounds++ {
				if rounds == 12 {
					t.Fatalf("still queries after %d rounds", rounds)
				}
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".case") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			if have := Explain(g.facts, requested...).Text(g.facts.Now); have != string(want) {
				t.Errorf("after %d rounds have:\n%s\nwant:\n%s", rounds, have, want)
			}
		})
	}
}

// An answerer answers queries from all the facts of a case.
type answerer struct {
	index *index
	facts *Facts
	done  map[Query]bool
}

func (g *answerer) round(queries []Query) (more bool) {
	for _, q := range queries {
		if !g.done[q] {
			g.done[q], more = true, true
			g.answer(q)
		}
	}
	return more
}

func (g *answerer) answer(q Query) {
	switch q.Type {
	case QueryObject:
		if o := g.index.referent(objectRef{ID: q.ID, isSimilar: q.Similar}); o != nil {
			g.addObject(o)
		}
	case QueryParts:
		for _, o := range g.index.objects[q.ID].parts {
			if o.ID.Kind == q.Kind {
				g.addObject(o)
			}
		}
	case QueryEvents:
		events := g.index.former[q.ID]
		if o := g.index.objects[q.ID]; o != nil {
			events = o.events
		}
		for _, e := range events {
			if !slices.Contains(g.facts.Events, e) {
				g.facts.Events = append(g.facts.Events, e)
			}
		}
	case QueryLog:
		if log := g.index.logs[q.Log]; log != nil {
			g.facts.Logs = append(g.facts.Logs, *log)
		}
	case QueryList:
		for _, o := range g.index.all {
			if l := q.List; l.Resource != "" && text.Plural(strings.ToLower(o.ID.Kind.Kind)) == l.Resource && o.ID.Group == l.Group && o.ID.Namespace == l.Namespace {
				g.addObject(o)
			}
		}
		for _, o := range g.index.objectsIn(q.List) {
			g.addObject(o)
		}
		if g.index.isListed(q.List) {
			g.facts.Lists = append(g.facts.Lists, q.List)
		}
	}
}

// addObject adds an object. If parts of the object may be of any kind, addObject adds them too:
// callers know which kinds exist, so no query requests them.
func (g *answerer) addObject(o *object) {
	for _, t := range g.facts.Objects {
		if t.ID == o.ID {
			return
		}
	}
	g.facts.Objects = append(g.facts.Objects, *o.ObjectFact)
	if len(PartKinds(o.ID.Kind)) == 0 && strings.Contains(o.ID.Group, ".") && !reference.IsBuiltinGroup(o.ID.Group) {
		for _, p := range o.parts {
			g.addObject(p)
		}
	}
}

// A cluster-scoped object adds the namespaces that it names, and a Namespace itself. An object of a
// namespace adds none.
func TestNamespacesOf(t *testing.T) {
	naming := func(kind, namespace, name, refKind, refNamespace string) ObjectFact {
		ref := map[string]any{"apiVersion": "example.com/v1", "kind": refKind, "name": "below"}
		if refNamespace != "" {
			ref["namespace"] = refNamespace
		}
		meta := map[string]any{"name": name}
		if namespace != "" {
			meta["namespace"] = namespace
		}
		return ObjectFact{
			ID:     status.ID{Kind: status.Kind{Group: "example.com", Kind: kind}, Namespace: namespace, Name: name},
			Object: status.Map{"apiVersion": "example.com/v1", "kind": kind, "metadata": meta, "spec": map[string]any{"targetRef": ref}},
			Result: status.Result{Status: status.InProgressStatus, Reason: "Reconciling"},
		}
	}
	f := &Facts{Objects: []ObjectFact{
		naming("Widget", "shop", "w", "Store", "vault"), naming("Class", "", "direct", "Store", "vault"),
		naming("Class", "", "chain", "Pool", ""), naming("Pool", "", "below", "Store", "deep"),
	}}
	for _, row := range []struct {
		it   string
		ids  []status.ID
		want []string
	}{
		{"adds none for an object of a namespace", []status.ID{{Kind: status.Kind{Group: "example.com", Kind: "Widget"}, Namespace: "shop", Name: "w"}}, nil},
		{"adds the namespace that a cluster-scoped object names", []status.ID{{Kind: status.Kind{Group: "example.com", Kind: "Class"}, Name: "direct"}}, []string{"vault"}},
		{"adds the namespace at the end of a chain", []status.ID{{Kind: status.Kind{Group: "example.com", Kind: "Class"}, Name: "chain"}}, []string{"deep"}},
		{"adds a Namespace itself", []status.ID{{Kind: status.Kind{Kind: "Namespace"}, Name: "shop"}}, []string{"shop"}},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := NamespacesOf(f, row.ids...); !slices.Equal(have, row.want) {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}
