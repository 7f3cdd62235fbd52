package explain

import (
	"cmp"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// A group is the findings that are equal, from all objects asked about.
type group struct {
	first     finding // of the first object in order, below the first object asked about
	at        map[*object]bool
	blocks    []ID
	explains  map[ID]bool     // for each of blocks, whether the findings explain the verdict on it
	isRelated bool            // whether they explain one of those verdicts
	images    map[string]bool // that cannot be pulled
	kind      int             // its place among [CauseKinds], -1 if it has none
	failed    bool            // one of the objects that it blocks has failed
}

// groupKey is what equal findings have in common.
func (f finding) groupKey() string { return f.kind + "\x00" + cmp.Or(f.key, f.text) }

// groups visits the objects asked about, and returns what it finds, the group that
// explains most first.
func (t *traversal) groups() []*group {
	var all []*group
	byKey := map[string]*group{}
	for _, o := range t.requested {
		for _, f := range o.withVerdict(t.visit(o, true)) {
			key := f.at.ID.Cluster + "\x00" + f.groupKey() // a name in another cluster is another object
			g := byKey[key]
			if g == nil {
				g = &group{first: f, at: map[*object]bool{}, explains: map[ID]bool{}, images: map[string]bool{}, kind: kindIndex(f.kind)}
				byKey[key] = g
				all = append(all, g)
			}
			g.add(f, o)
		}
	}
	all = mergeImages(all)
	for _, g := range all {
		g.failed = t.index.anyFailed(g.blocks)
	}
	slices.SortStableFunc(all, (*group).compare)
	return all
}

// add adds a finding below an object that was asked about.
func (g *group) add(f finding, asked *object) {
	g.at[f.at] = true
	if f.image != "" {
		g.images[f.image] = true
	}
	g.block(asked.ID, asked.isExplainedBy(f))
	if g.blocks[0] == asked.ID && f.at.ID.Compare(g.first.at.ID) < 0 {
		g.first = f
	}
}

// block adds an object that is blocked.
func (g *group) block(id ID, explains bool) {
	if _, known := g.explains[id]; !known {
		g.blocks = append(g.blocks, id)
	}
	g.explains[id] = g.explains[id] || explains
	g.isRelated = g.isRelated || explains
}

// compare orders groups: first what explains the verdict on an object asked about; of
// those what names a cause, then what only takes its time, and reports of trouble last. Then comes what lets one of the objects asked about
// fail, what blocks most of them, what most objects have, and what is first among
// [CauseKinds].
func (g *group) compare(other *group) int {
	return cmp.Or(
		rank(g.isRelated)-rank(other.isRelated),
		g.urgency()-other.urgency(),
		rank(g.failed)-rank(other.failed),
		cmp.Compare(len(other.blocks), len(g.blocks)),
		cmp.Compare(len(other.at), len(g.at)),
		cmp.Compare(g.kind, other.kind),
		g.firstObject().Compare(other.firstObject()),
		cmp.Compare(show.Line(g.first.text), show.Line(other.first.text)))
}

// urgency puts what names a cause before what only takes its time, and a report of
// trouble last.
func (g *group) urgency() int {
	switch {
	case g.kind < 0, !kinds[g.kind].Certain:
		return 2
	case takesTime[g.first.kind]:
		return 1
	}
	return 0
}

// The kinds of causes where nothing is wrong yet.
var takesTime = map[string]bool{"ImagePulling": true, "Provisioning": true, "MinReadySeconds": true, "GracePeriod": true}

// firstObject returns the first object in order that has the cause.
func (g *group) firstObject() ID {
	var first *object
	for o := range g.at {
		if first == nil || o.ID.Compare(first.ID) < 0 {
			first = o
		}
	}
	return first.ID
}

// missingLog returns the log that would tell more, nil if there is none or it is
// among the facts.
func (g *group) missingLog(x *index) *LogID {
	if g.first.log == nil || x.logs[*g.first.log] != nil {
		return nil
	}
	return g.first.log
}

// cause returns the group as a cause, with its texts.
func (g *group) cause(x *index) Cause {
	f, chain := g.first, g.first.chain.objects()
	c := Cause{
		Kind: f.kind, Text: strings.TrimRight(show.Line(f.text), ": "), Count: len(g.at), Blocks: g.blocks, Objects: g.objects(), Chain: f.links(), Next: f.next,
		Log: g.missingLog(x), Certain: g.kind >= 0 && kinds[g.kind].Certain, Terminal: f.at.Result.Failure == status.FailureTerminal,
	}
	c.Evidence = slices.Concat(f.evidence, jobRuleEvidence(chain), x.logEvidence(f.log))
	if c.Changed = revisionChanges(chain); len(c.Changed) > 0 && mendedByUndo[f.kind] {
		c.Next = append(slices.Clip(c.Next), undoCommands(chain)...)
	}
	c.Next = commands(c.Next)
	return c
}

// objects returns the first objects in order that have the cause.
func (g *group) objects() []ID {
	var all []ID
	for o := range g.at {
		all = append(all, o.ID)
	}
	slices.SortFunc(all, ID.Compare)
	return all[:min(len(all), maxNamed)]
}

// logEvidence returns the end of a log, if it is among the facts.
func (x *index) logEvidence(of *LogID) []Evidence {
	if of == nil || x.logs[*of] == nil || len(x.logs[*of].Lines) == 0 || x.logs[*of].Error != "" {
		return nil
	}
	e := Evidence{From: OriginLog, Object: of.Pod, Log: of.Container}
	if of.Previous {
		e.Log += ", previous run"
	}
	for _, line := range x.logs[*of].Lines {
		e.Lines = append(e.Lines, show.LogLine(messages.Head(line)))
	}
	return []Evidence{e}
}

// anyFailed reports whether one of the objects has failed.
func (x *index) anyFailed(ids []ID) bool {
	return slices.ContainsFunc(ids, func(id ID) bool {
		o := x.find(id)
		return o != nil && o.Result.Status == status.FailedStatus
	})
}

// rank sorts what is so before what is not.
func rank(yes bool) int {
	if yes {
		return 0
	}
	return 1
}
