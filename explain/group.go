package explain

import (
	"cmp"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// A group holds equal findings from all requested objects.
type group struct {
	firstAt   status.ID // the first object in order that has the cause; set once the group is complete
	first     finding   // of the first affected object, below the first requested object
	at        map[*object]bool
	blocks    []status.ID
	explains  map[status.ID]bool // by the objects in blocks: a finding explains the verdict
	affected  map[status.ID]int  // by the objects in blocks: how many objects below it have the cause
	isRelated bool               // the findings explain one of those verdicts
	images    map[string]bool    // that cannot be pulled
	kind      int                // the index in [CauseKinds], or -1
	failed    bool               // a blocked object has failed
	isWarning bool               // all blocked objects are Current
}

// groupKey is the key that equal findings share.
func (f finding) groupKey() string { return f.kind + "\x00" + cmp.Or(f.key, f.text) }

// currentLast returns the requested objects, and the Current ones last. So the object that
// represents all objects with a cause is not a Current one, if another object has the cause.
func (t *traversal) currentLast() []*object {
	sorted := slices.Clone(t.requested)
	slices.SortStableFunc(sorted, func(a, b *object) int { return rank(!a.isDone()) - rank(!b.isDone()) })
	return sorted
}

// groups visits the requested objects, and groups the findings. The group that explains
// most comes first.
func (t *traversal) groups() []*group {
	var all []*group
	byKey := map[string]*group{}
	for _, o := range t.requested {
		t.visit(o, true) // in the order of the request
	}
	for _, o := range t.currentLast() {
		for _, f := range o.withVerdict(t.visit(o, true)) {
			key := f.at.ID.Cluster + "\x00" + f.groupKey() // the same name in another cluster is another object
			g := byKey[key]
			if g == nil {
				g = &group{first: f, at: map[*object]bool{}, explains: map[status.ID]bool{}, affected: map[status.ID]int{}, images: map[string]bool{}, kind: kindIndex(f.kind)}
				byKey[key] = g
				all = append(all, g)
			}
			g.add(f, o)
		}
	}
	all = mergeImages(all)
	for _, g := range all {
		g.failed = t.index.anyFailed(g.blocks)
		g.isWarning = t.index.allCurrent(g.blocks)
		g.firstAt = g.firstObject()
	}
	slices.SortStableFunc(all, (*group).compare)
	return all
}

// add adds a finding below a requested object.
func (g *group) add(f finding, requested *object) {
	g.at[f.at] = true
	if f.image != "" {
		g.images[f.image] = true
	}
	g.block(requested.ID, requested.isExplainedBy(f))
	g.affected[requested.ID]++
	if g.blocks[0] == requested.ID && f.at.ID.Compare(g.first.at.ID) < 0 {
		g.first = f
	}
}

// block adds a requested object that is blocked.
func (g *group) block(id status.ID, explains bool) {
	if _, known := g.explains[id]; !known {
		g.blocks = append(g.blocks, id)
	}
	g.explains[id] = g.explains[id] || explains
	g.isRelated = g.isRelated || explains
}

// compare orders groups. Groups that affect only Current objects come last. Groups that
// explain the verdict on a requested object come first, in the order of their urgency. Then
// come groups with more blocked objects, with a failed requested object, and with more
// affected objects. The last criterion is the order of [CauseKinds].
func (g *group) compare(other *group) int {
	return cmp.Or(
		rank(!g.isWarning)-rank(!other.isWarning),
		rank(g.isRelated)-rank(other.isRelated),
		g.urgency()-other.urgency(),
		cmp.Compare(len(other.blocks), len(g.blocks)),
		rank(g.failed)-rank(other.failed),
		cmp.Compare(len(other.at), len(g.at)),
		cmp.Compare(g.kind, other.kind),
		g.firstAt.Compare(other.firstAt),
		cmp.Compare(show.Line(g.first.text), show.Line(other.first.text)))
}

// urgency is lowest for a real cause. It is higher for one that only takes time, or follows from
// another one. It is highest for a reported problem without a cause.
func (g *group) urgency() int {
	switch {
	case g.kind < 0, !kinds[g.kind].Certain:
		return 2
	case temporaryCauses[g.first.kind], g.first.isResult:
		return 1
	}
	return 0
}

// The kinds of causes that only take time.
var temporaryCauses = map[string]bool{"ImagePulling": true, "Provisioning": true, "VolumeResizing": true, "MinReadySeconds": true, "GracePeriod": true}

// firstObject returns the first object in order that has the cause.
func (g *group) firstObject() status.ID {
	var first *object
	for o := range g.at {
		if first == nil || o.ID.Compare(first.ID) < 0 {
			first = o
		}
	}
	return first.ID
}

// missingLog returns the log that would show more, or nil if the facts have it or none
// exists.
func (g *group) missingLog(x *index) *LogID {
	if g.first.log == nil {
		return nil
	}
	if id := x.latestLog(*g.first.log); x.logs[id] == nil {
		return &id
	}
	return nil
}

// latestLog returns a log, or that of the next run if the log no longer exists. A kubelet removes the
// logs of earlier runs.
func (x *index) latestLog(id LogID) LogID {
	if log := x.logs[id]; log != nil && log.Gone {
		id.Previous = false
	}
	return id
}

// cause returns the group as a cause, with its texts.
func (g *group) cause(x *index) Cause {
	f, chain := g.first, g.first.chain.objects()
	c := Cause{
		Kind: f.kind, Text: strings.TrimRight(show.Line(f.text), ": "), Count: len(g.at), Blocks: g.blocks, Objects: g.objects(), Chain: f.steps(), Next: f.next,
		Log: g.missingLog(x), Certain: g.kind >= 0 && kinds[g.kind].Certain, Terminal: f.at.Result.Failure == status.FailureTerminal,
	}
	c.Evidence = slices.Concat(f.evidence, jobRuleEvidence(chain), x.logEvidence(f.log))
	if c.Changed = revisionChanges(chain); len(c.Changed) > 0 && fixedByRollback[f.kind] {
		c.Next = append(slices.Clip(c.Next), undoCommands(chain)...)
	}
	if f.at.Former { // commands about the object would find nothing
		c.Next = []string{commandFor(f.at.ID, "get", "events")}
	}
	c.Next = commands(c.Next)
	return c
}

// objects returns the first objects in order that have the cause.
func (g *group) objects() []status.ID {
	var all []status.ID
	for o := range g.at {
		all = append(all, o.ID)
	}
	slices.SortFunc(all, status.ID.Compare)
	return all[:min(len(all), maxNamed)]
}

// logEvidence returns the end of a log, if it is among the facts.
func (x *index) logEvidence(of *LogID) []Evidence {
	if of == nil {
		return nil
	}
	id := x.latestLog(*of)
	log := x.logs[id]
	if log == nil || len(log.Lines) == 0 || log.Error != "" {
		return nil
	}
	e := Evidence{From: OriginLog, Object: id.Pod, Log: id.Container}
	if id.Previous {
		e.Log += ", previous run"
	}
	for _, line := range log.Lines {
		e.Lines = append(e.Lines, show.LogLine(messages.Head(line)))
	}
	return []Evidence{e}
}

// anyFailed reports whether one of the objects has failed.
func (x *index) anyFailed(ids []status.ID) bool {
	return slices.ContainsFunc(ids, func(id status.ID) bool {
		o := x.find(id)
		return o != nil && o.Result.Status == status.FailedStatus
	})
}

// rank returns 0 for true and 1 for false, so that true sorts first.
func rank(yes bool) int {
	if yes {
		return 0
	}
	return 1
}
