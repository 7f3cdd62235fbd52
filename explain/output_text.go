package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/explain/layout"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// Text returns the explanation as text for people. It is ASCII, except for names and
// messages of the cluster. Each item is on one line of any length.
func (e *Explanation) Text(now time.Time) string {
	var out strings.Builder
	for _, l := range e.Lines(now) {
		out.WriteString(strings.TrimRight(l.Prefix(false)+l.Lead+l.Text, " "))
		out.WriteByte('\n')
	}
	return out.String()
}

// Lines returns the explanation line by line. Each object comes with its first cause and
// the chain to it. A further cause at the end of the same chain follows it. Other objects
// that a cause blocks are listed with it.
func (e *Explanation) Lines(now time.Time) []layout.Line {
	p := &page{now: now, subjects: map[status.ID]*Subject{}}
	for i := range e.Subjects {
		p.subjects[e.Subjects[i].ID] = &e.Subjects[i]
	}
	shown := map[status.ID]bool{}
	causes := e.causesBySubject()
	for i, c := range causes {
		id, same := c.Blocks[0], i > 0 && causes[i-1].Blocks[0] == c.Blocks[0]
		if !shown[id] || !same {
			p.title(e, p.subject(id))
			shown[id] = true
		}
		if !same || !sameChain(causes[i-1].Chain, c.Chain) {
			p.blank()
			p.chain(c.Chain)
		}
		p.cause(e, c)
		for _, id := range c.Blocks {
			shown[id] = true
		}
	}
	for i := range e.Subjects {
		if a := &e.Subjects[i]; !shown[a.ID] {
			p.title(e, a)
		}
	}
	for i, g := range e.Gaps {
		if i == 0 && len(p.lines) > 0 {
			p.blank()
		}
		p.addLabelled(layout.RoleGap, "Not seen", i, g.String())
	}
	return p.lines
}

// sameChain reports whether two chains have the same objects.
func sameChain(a, b []Step) bool {
	return slices.EqualFunc(a, b, func(x, y Step) bool { return x.ID == y.ID })
}

// A page collects lines.
type page struct {
	now      time.Time
	subjects map[status.ID]*Subject
	lines    []layout.Line
}

// subject returns the subject with an ID, or a subject without a status.
func (p *page) subject(id status.ID) *Subject {
	if s := p.subjects[id]; s != nil {
		return s
	}
	return &Subject{ID: id}
}

func (p *page) add(role layout.Role, lead, text string) {
	p.lines = append(p.lines, layout.Line{Role: role, Lead: lead, Text: show.Line(text)})
}

func (p *page) blank() { p.lines = append(p.lines, layout.Line{Role: layout.RoleBlank}) }

// title adds the title of an object: "Deployment/api in shop: Failed for 31s". A status
// that was just seen for the first time has no duration.
func (p *page) title(e *Explanation, a *Subject) {
	if len(p.lines) > 0 {
		p.blank()
	}
	text := show.Title(a.ID.Kind.Kind, a.ID.Name, a.ID.Namespace, a.ID.Cluster) + ": " + statusText(a)
	if !a.Since.IsZero() {
		text += duration.For(p.now.Sub(a.Since))
	}
	if e.hasWarning(a) {
		text += ", with a warning"
	}
	if len(a.Causes) == 0 && a.Message != "" {
		text += ": " + a.Message
	}
	p.add(layout.RoleTitle, "", text)
	warnings := a.Warnings
	if len(a.Causes) == 0 && a.Caveat != "" {
		warnings = append([]string{a.Caveat}, warnings...)
	}
	for i, w := range warnings {
		p.addLabelled(layout.RoleGap, "Warning", i, w)
	}
}

// statusText is the status for people.
func statusText(a *Subject) string {
	switch {
	case a.Failing:
		return "Failing"
	case a.Assumed:
		return string(a.Status) + " (assumed)"
	}
	return string(a.Status)
}

// cause adds one cause with its evidence. A cause of Current objects only is a warning.
func (p *page) cause(e *Explanation, c *Cause) {
	if len(c.Chain) > 1 || c.Chain[0].Status != status.NotFoundStatus {
		p.blank()
	}
	label := "Cause"
	if !e.OfUnmetGoals && e.hasWarning(p.subject(c.Blocks[0])) { // Current objects come last
		label = "Warning"
	}
	title := c.Text
	if c.Count > 1 {
		title = text.Count(c.Count, c.noun()) + ": " + title
	}
	p.addLabelled(layout.RoleCause, label, 0, title)
	for i, fact := range c.Evidence {
		p.evidence(c, fact, i)
	}
	for i, text := range c.Changed {
		p.addLabelled(layout.RoleChanged, "Changed", i, text)
	}
	for i, text := range c.Next {
		p.addLabelled(layout.RoleNext, "Next", i, text)
	}
	if others := c.Blocks[1:]; len(others) > 0 {
		p.addLabelled(layout.RoleBlocked, "Affects", 0, strings.Join(p.affected(others, c.Blocks[0]), ", "))
	}
}

// noun returns the common kind of the objects of a cause, or "object".
func (c *Cause) noun() string {
	for _, id := range c.Objects {
		if id.Kind.Kind != c.Objects[0].Kind.Kind {
			return "object"
		}
	}
	return c.Objects[0].Kind.Kind
}

// affected returns the texts of objects that share a cause, of at most maxNamed. It tells
// which objects are Current, since readers do not expect that here.
func (p *page) affected(ids []status.ID, near status.ID) []string {
	all := idTexts(ids, near)
	for i, id := range ids[:min(len(ids), maxNamed)] {
		if s := p.subject(id); s.Status == status.CurrentStatus {
			all[i] += " (" + statusText(s) + ")"
		}
	}
	return all
}

// titleNear returns the title of an object, without the namespace and the cluster that it
// shares with another object.
func titleNear(id, other status.ID) string {
	if id.Cluster == other.Cluster {
		id.Cluster = ""
		if id.Namespace == other.Namespace {
			id.Namespace = ""
		}
	}
	return show.Title(id.Kind.Kind, id.Name, id.Namespace, id.Cluster)
}

// idTexts renders the IDs of objects that are named together with another object. It
// renders at most maxNamed of them.
func idTexts(ids []status.ID, near status.ID) (all []string) {
	for i, id := range ids {
		if i == maxNamed {
			return append(all, fmt.Sprintf("and %d more", len(ids)-i))
		}
		all = append(all, titleNear(id, near))
	}
	return all
}

// widthBefore returns the number of runes of a line before its Text.
func widthBefore(l layout.Line) int { return utf8.RuneCountInString(l.Prefix(false) + l.Lead) }

// chain adds the objects from the requested one down to the one with the cause. It adds no
// chain for an object that does not exist, since the title and the cause have it all.
func (p *page) chain(links []Step) {
	if len(links) == 1 && links[0].Status == status.NotFoundStatus {
		return
	}
	lines := make([]layout.Line, len(links))
	room := 0
	for i, l := range links {
		lines[i] = layout.Line{Role: layout.RoleChain, Depth: i, Lead: show.Line(titleNear(l.ID, links[0].ID)), Text: show.Line(cmp.Or(l.Text, string(l.Status)))}
		room = max(room, widthBefore(lines[i]))
	}
	for i := range lines {
		lines[i].Lead += strings.Repeat(" ", room-widthBefore(lines[i])+2)
	}
	p.lines = append(p.lines, lines...)
}

// evidence adds one fact. It names the object of the fact, unless that is the object with
// the cause.
func (p *page) evidence(c *Cause, e Evidence, i int) {
	place := ""
	if at := c.Chain[len(c.Chain)-1].ID; e.Object != at {
		place = titleNear(e.Object, c.Chain[0].ID) + " "
	}
	switch e.From {
	case OriginLog:
		place = fmt.Sprintf("%s/%s, last %s:", e.Object.Name, e.Log, text.Count(len(e.Lines), "line"))
	case OriginSpec, OriginStatus:
		if e.Path != "" {
			place += e.Path + " = "
		}
	}
	p.addLabelled(layout.RoleEvidence, "Evidence", i, place+e.Value)
	last := &p.lines[len(p.lines)-1]
	last.Lead += fmt.Sprintf("%-*s", show.OriginWidth, layout.EvidenceLabel(string(e.From)))
	for _, line := range e.Lines {
		p.add(layout.RoleLog, "", line)
	}
}

// addLabelled adds a line with a label. Of several lines only the first has it.
func (p *page) addLabelled(role layout.Role, label string, i int, text string) {
	if i > 0 {
		label = ""
	}
	lead := fmt.Sprintf("%-*s", show.LabelWidth-len(show.Indent), label)
	if !strings.HasSuffix(lead, " ") {
		lead += "  "
	}
	p.add(role, lead, text)
}
