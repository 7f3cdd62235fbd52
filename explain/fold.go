package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// folds joins equal causes.
type folds struct {
	all   []*fold
	byKey map[string]*fold
}

// A fold is one cause with all who have it.
type fold struct {
	index  int
	first  found // the one that is told, of the first object in order
	at     map[*node]bool
	blocks []ID
	images map[string]bool // that cannot be pulled
	into   *fold           // the one that tells more of the same, if there is one
}

// fold is what equal causes have in common.
func (f found) fold() string { return f.kind + "\x00" + cmp.Or(f.key, f.text) }

// add joins what was found below an object that was asked about, and returns
// the number of the cause.
func (fs *folds) add(f found, asked ID) int {
	key := f.fold()
	if fs.byKey == nil {
		fs.byKey = map[string]*fold{}
	}
	c := fs.byKey[key]
	if c == nil {
		c = &fold{index: len(fs.all), first: f, at: map[*node]bool{}, images: map[string]bool{}}
		fs.byKey[key] = c
		fs.all = append(fs.all, c)
	}
	c.at[f.at()] = true
	if f.image != "" {
		c.images[f.image] = true
	}
	if !slices.Contains(c.blocks, asked) {
		c.blocks = append(c.blocks, asked)
	}
	if c.blocks[0] == asked && f.at().ID.Compare(c.first.at().ID) < 0 {
		c.first = f
	}
	return c.index
}

// join adds causes that do not tell why an image cannot be pulled to the first that does.
// Kubelets say why after a pull, and not while they wait for the next one.
func (fs *folds) join() {
	for _, vague := range fs.all {
		image := vague.first.image
		if image == "" || vague.first.text != unpulled(image) {
			continue
		}
		for _, c := range fs.all {
			if c == vague || !c.images[image] {
				continue
			}
			vague.into = c
			maps.Copy(c.at, vague.at)
			for _, id := range vague.blocks {
				if !slices.Contains(c.blocks, id) {
					c.blocks = append(c.blocks, id)
				}
			}
			break
		}
	}
}

// into puts the causes into an explanation, the one that explains most first:
// what names a cause before what only takes its time and a report of trouble, then
// what lets one fail of those asked about, then by how many of them it stops, how
// many have it, and the order of [Kinds].
func (fs *folds) into(e *Explanation, s *scene) {
	fs.join()
	causes := make([]Cause, len(fs.all))
	var order []int
	for i, c := range fs.all {
		if c.into == nil {
			causes[i] = c.cause(s)
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &causes[a], &causes[b]
		return cmp.Or(
			urgency(x)-urgency(y),
			rank(s.anyFailed(x.Blocks))-rank(s.anyFailed(y.Blocks)),
			cmp.Compare(len(y.Blocks), len(x.Blocks)),
			cmp.Compare(y.Count, x.Count),
			cmp.Compare(kindIndex(x.Kind), kindIndex(y.Kind)),
			x.Objects[0].Compare(y.Objects[0]),
			cmp.Compare(x.Text, y.Text))
	})
	place := make([]int, len(fs.all))
	e.Causes = make([]Cause, len(order))
	for i, from := range order {
		e.Causes[i], place[from] = causes[from], i
	}
	for i, c := range fs.all {
		if c.into != nil {
			place[i] = place[c.into.index]
		}
	}
	for i := range e.Objects {
		of := e.Objects[i].Causes
		for j := range of {
			of[j] = place[of[j]]
		}
		slices.Sort(of)
		e.Objects[i].Causes = slices.Compact(of)
	}
}

// anyFailed reports whether one of the objects has failed.
func (s *scene) anyFailed(ids []ID) bool {
	return slices.ContainsFunc(ids, func(id ID) bool {
		n := s.find(id)
		return n != nil && n.Result.Status == status.FailedStatus
	})
}

func rank(yes bool) int {
	if yes {
		return 0
	}
	return 1
}

// urgency puts what names a cause before what only takes its time, and a report of
// trouble last.
func urgency(c *Cause) int {
	switch {
	case !c.Certain:
		return 2
	case takesTime[c.Kind]:
		return 1
	}
	return 0
}

// The kinds of causes where nothing is wrong yet.
var takesTime = map[string]bool{"ImagePulling": true, "Provisioning": true, "MinReadySeconds": true, "GracePeriod": true}

func (c *fold) cause(s *scene) Cause {
	f := c.first
	kind := kindNamed(f.kind)
	cause := Cause{
		Kind: f.kind, Text: show.Line(f.text), Count: len(c.at), Blocks: c.blocks, Evidence: f.evidence,
		Next: f.next, Certain: kind.Certain, Terminal: f.at().Result.Failure == status.Terminal,
	}
	for n := range c.at {
		cause.Objects = append(cause.Objects, n.ID)
	}
	slices.SortFunc(cause.Objects, ID.Compare)
	cause.Objects = cause.Objects[:min(len(cause.Objects), mostNamed)]
	for i, n := range f.chain {
		l := Link{ID: n.ID, Status: n.Result.Status, Text: brief(n.linked(f.chain[i+1:]))}
		if i+1 < len(f.chain) {
			if waiting := n.waiters(f.chain[i+1]); waiting != "" {
				l.Text = show.Line(l.Text + "; " + waiting)
			}
		}
		if i == len(f.chain)-1 {
			l.Container = f.container
		}
		cause.Chain = append(cause.Chain, l)
	}
	cause.Evidence = append(slices.Clip(cause.Evidence), carried(f.chain)...)
	cause.Changed = changed(f.chain)
	if len(cause.Changed) > 0 && mendedByUndo[f.kind] {
		cause.Next = append(slices.Clip(cause.Next), undo(f.chain)...)
	}
	if f.log != nil {
		cause.hear(s, *f.log)
	}
	return cause
}

// linked says where an object on the way to a cause stands, without what its
// verdict repeats of those that follow. Of a Service its verdict does not tell
// that nobody serves behind it.
func (n *node) linked(next []*node) string {
	if n.ID.GroupKind() == service {
		if _, ready, known := n.endpoints(); known && ready == 0 && n.Text("spec.type") != "ExternalName" {
			return "no endpoint behind it is ready"
		}
	}
	text := n.Result.Message
	for _, part := range next { // controllers of Cluster API list objects like this
		text, _, _ = strings.Cut(text, "; "+part.ID.Kind+" "+part.ID.Name+":")
	}
	if slices.ContainsFunc(next, n.tellsOf) {
		return text
	}
	return n.Parts.AppendTo(text)
}

// tellsOf reports whether the verdict repeats what is wrong with a part.
func (n *node) tellsOf(part *node) bool {
	p := n.Parts
	return p != nil && p.Kind == part.ID.Kind && p.Group == part.ID.Group && (p.Count > 1 || p.Name == part.ID.Name)
}

// mostLink is how many characters of a message are shown on the way to a cause,
// whose evidence has the whole of it.
const mostLink = 160

// brief returns the beginning of a message.
func brief(text string) string {
	text = show.Line(text)
	n := 0
	for i := range text {
		if n++; n == mostLink {
			return strings.TrimSuffix(text[:i], "…") + "…"
		}
	}
	return text
}

// hear adds the end of a log, if it is among the facts, or else wishes for it.
func (c *Cause) hear(s *scene, wish LogWish) {
	log := s.logs[wish]
	if log == nil {
		c.Log = &wish
		return
	}
	if len(log.Lines) == 0 || log.Error != "" {
		return
	}
	e := Evidence{From: FromLog, Object: wish.Pod, Log: wish.Container}
	if wish.Previous {
		e.Log += ", previous run"
	}
	for _, line := range log.Lines {
		e.Lines = append(e.Lines, show.LogLine(messages.Head(line)))
	}
	c.Evidence = append(slices.Clip(c.Evidence), e)
}

// gapsOf returns what could not be read, in order and each once.
func (s *scene) gapsOf() []Gap {
	gaps := slices.Clone(s.gaps)
	for _, log := range s.logs {
		if log.Error != "" {
			gaps = append(gaps, Gap{What: "log of " + log.Container + " in " + log.Pod.String(), Why: show.Line(log.Error)})
		}
	}
	for _, n := range s.all {
		if n.unfollowed > 0 {
			gaps = append(gaps, Gap{What: "what " + n.ID.String() + " refers to", Why: fmt.Sprintf("of %d objects %d were looked at", n.unfollowed+mostRefs, mostRefs)})
		}
	}
	slices.SortFunc(gaps, func(a, b Gap) int { return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Why, b.Why)) })
	return slices.Compact(gaps)
}
