package explain

import (
	"slices"

	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// Explain returns why objects are not ready. It explains an object that is Current
// too, if something is wrong with it.
func Explain(f *Facts, asked ...ID) *Explanation {
	t := newTraversal(f, asked)
	e := &Explanation{Causes: []Cause{}}
	causes := map[ID][]int{}
	groups := t.groups()
	for i, g := range groups {
		e.Causes = append(e.Causes, g.cause(t.index))
		for _, id := range g.blocks {
			causes[id] = append(causes[id], i)
		}
	}
	for _, o := range t.requested {
		e.Subjects = append(e.Subjects, Subject{
			ID: o.ID, Status: o.Result.Status, Failing: o.isFailing(), Reason: o.Result.Reason, Message: show.Line(o.Message()), Since: o.Since,
			Causes: explainedFirst(o.ID, causes[o.ID], groups), Caveat: show.Line(o.caveat()),
			Assumed: o.isDone() && o.Result.Confidence == status.ConfidenceAssumed, Warnings: o.Result.Warnings,
		})
	}
	e.Gaps = t.index.allGaps()
	return e
}

// A finding is one thing that is wrong with one object.
type finding struct {
	kind      string // of [CauseKinds]
	text      string // one line that does not name the object itself, so that equal findings are one cause
	key       string // equal findings have the same one; empty: the same text
	image     string // that cannot be pulled: why that is so for some Pods, it is for all
	weak      bool   // it counts only if nothing better is found, here or further down
	container string
	evidence  []Evidence
	next      []string // besides those that its kind has
	log       *LogID
	chain     *link // from the object that was asked about to the one that has it
	at        *object
}

// A link is an object of a chain, and those below it. Findings share what is below.
type link struct {
	object *object
	below  *link
}

// objects returns the objects of a chain, in order.
func (l *link) objects() (all []*object) {
	for ; l != nil; l = l.below {
		all = append(all, l.object)
	}
	return all
}

// A traversal goes from objects down to what is wrong with them, and visits each
// object once.
type traversal struct {
	index       *index
	requested   []*object // the objects asked about
	isRequested map[*object]bool
	findings    map[*object][]finding // of visited objects; nil during the visit
}

// newTraversal returns a traversal from the objects asked about.
func newTraversal(f *Facts, asked []ID) *traversal {
	t := &traversal{index: newIndex(f), findings: map[*object][]finding{}, isRequested: map[*object]bool{}}
	for _, id := range asked {
		o := t.index.objects[id]
		if o == nil {
			o = t.index.unknown(id)
		}
		t.requested = append(t.requested, o)
		t.isRequested[o] = true
	}
	return t
}

// visit returns what is wrong with an object: what its finders find, and what is
// wrong with its children and with what it refers to. If nothing is found, it is
// what the status says. It passes over an object that is ready, unless it is to be
// visited anyway.
func (t *traversal) visit(o *object, anyway bool) []finding {
	if known, visited := t.findings[o]; visited {
		return known
	}
	if o.isDone() && !anyway && !t.isRequested[o] {
		return nil
	}
	t.findings[o] = nil
	var own, deeper []finding
	for _, look := range o.finders() {
		own = append(own, look(o)...)
	}
	for _, part := range o.children() {
		deeper = append(deeper, t.visit(part, false)...)
	}
	own = withoutFindings(own, deeper)
	deeper = append(deeper, withoutFindings(t.referred(o), deeper)...)
	if len(own) > 0 {
		late := len(own) == 1 && own[0].kind == "ProgressDeadlineExceeded" // says less than where a Pod stands
		deeper = slices.DeleteFunc(deeper, func(f finding) bool { return f.kind == "Unexplained" && (!late || f.at.ID.GroupKind() != pod) })
	}
	if len(deeper) > 0 || slices.ContainsFunc(own, func(f finding) bool { return !f.weak }) {
		own = slices.DeleteFunc(own, func(f finding) bool { return f.weak })
	}
	for i := range own {
		own[i].evidence = slices.Clip(own[i].evidence)
	}
	all := slices.Concat(own, deeper)
	if len(all) == 0 && !o.isDone() {
		all = o.reported()
	}
	for i := range all {
		if all[i].chain == nil {
			all[i].at = o
		}
		all[i].chain = &link{o, all[i].chain}
	}
	t.findings[o] = all
	return all
}

// withoutFindings leaves out what is found at parts too: a controller repeats the
// problems of its parts.
func withoutFindings(all, atParts []finding) []finding {
	if len(all) == 0 || len(atParts) == 0 {
		return all
	}
	known := map[string]bool{}
	for _, p := range atParts {
		known[p.groupKey()] = true
	}
	return slices.DeleteFunc(all, func(f finding) bool { return known[f.groupKey()] })
}

// referred returns what is wrong with what an object refers to.
func (t *traversal) referred(o *object) (all []finding) {
	for _, ref := range o.references() {
		to := t.index.find(ref.ID)
		switch {
		case to == nil || to == o || ref.isAside || o.isPartOf(to):
		case (ref.Guessed || ref.Optional) && to.Result.Status == status.UnknownStatus:
		case o.isDeleting() && !to.isDeleting() && !ref.blocksDeletion:
		case to.Result.Status == status.NotFoundStatus && to.Object == nil, to.isImpossible():
			all = append(all, t.missing(o, ref, to)...)
		default:
			all = append(all, t.visit(to, ref.Anyway)...)
			all = append(all, o.waitsForSuspended(to)...)
		}
	}
	return all
}

// missing returns that an object that is referred to does not exist, or why those
// that are to make it have not.
func (t *traversal) missing(o *object, ref objectRef, to *object) (all []finding) {
	for _, maker := range t.index.pendingMakers(to.ID) {
		all = append(all, t.visit(maker, false)...)
	}
	if len(all) == 0 && !ref.Optional && (!ref.Guessed || o.mentions(to.ID)) {
		return []finding{o.missingReference(ref, to)}
	}
	return all
}

// missingReference is a reference to an object that does not exist.
func (o *object) missingReference(ref objectRef, to *object) finding {
	by := o.evidence(ref.Path)
	if ref.reportedBy != nil {
		by = *ref.reportedBy
	}
	if to.isImpossible() {
		return finding{kind: "ReferenceMissing", text: kindAndName(to.ID) + " cannot exist: " + to.Result.Message, evidence: []Evidence{by}}
	}
	return finding{
		kind: "ReferenceMissing", text: kindAndName(to.ID) + " not found",
		evidence: []Evidence{by, {From: OriginLookup, Object: to.ID, Value: "not found"}},
		next:     []string{to.ID.kubectl("get", to.ID.typed())},
	}
}

// isImpossible reports whether no object can have the name of this one.
func (o *object) isImpossible() bool { return o.Object == nil && o.Result.Reason == "BadName" }

// isPartOf reports whether an object is a part of another, or of a part of it. What
// is wrong with the whole is no cause of what is wrong with a part.
func (o *object) isPartOf(whole *object) bool {
	for range 6 {
		if o = o.index.owner(o); o == nil {
			return false
		}
		if o == whole {
			return true
		}
	}
	return false
}
