package explain

import (
	"cmp"
	"slices"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// Explain returns why objects are not ready. It explains a Current object too, if it has
// a problem.
func Explain(f *Facts, requested ...status.ID) *Explanation {
	t := newTraversal(f, requested)
	e := &Explanation{Causes: []Cause{}}
	causes := map[status.ID][]int{}
	groups := t.groups()
	for i, g := range groups {
		e.Causes = append(e.Causes, g.cause(t.index))
		for _, id := range g.blocks {
			causes[id] = append(causes[id], i)
		}
	}
	for _, o := range t.requested {
		ordered := orderFor(o.ID, causes[o.ID], groups)
		if len(ordered) > 0 {
			first := &e.Causes[ordered[0]]
			first.First = append(first.First, o.ID)
		}
		e.Subjects = append(e.Subjects, Subject{
			ID: o.ID, Status: o.Result.Status, Failing: o.isFailing(), Reason: o.Result.Reason, Message: show.Line(o.Message()), Since: o.Since,
			Causes: ordered, Caveat: show.Line(o.caveat()),
			Assumed: o.isDone() && o.Result.Confidence == status.ConfidenceAssumed, Warnings: o.Result.Warnings,
		})
	}
	e.Gaps = t.index.allGaps()
	return e
}

// A finding is one problem of one object.
type finding struct {
	kind      string    // of [CauseKinds]
	text      string    // one line without the name of the object, so that equal findings are one cause
	key       string    // the same for equal findings; empty: the text
	image     string    // that cannot be pulled; the reason at one Pod holds for all
	missing   status.ID // the object that does not exist
	isResult  bool      // it follows from another finding
	isOutput  bool      // the object with the reference is to create the missing one
	weak      bool      // it counts only if no better finding exists, here or further down
	container string
	evidence  []Evidence
	next      []string // in addition to those of its kind
	log       *LogID
	chain     *link // from the requested object to the object with the problem
	at        *object
}

// A link is an object of a chain, and the links below it, which findings share.
type link struct {
	object *object
	below  *link
	length int // of the chain from here
}

// maxChain is the maximum length of a chain. The creator of an object chooses its owners, and so the
// length of its chain. A finding at the end of a longer one is not a cause of the first object.
const maxChain = 32

// newLink returns the chain of an object in front of another chain, which may be nil.
func newLink(o *object, below *link) *link {
	l := &link{object: o, below: below, length: 1}
	if below != nil {
		l.length += below.length
	}
	return l
}

// objects returns the objects of a chain, in order.
func (l *link) objects() (all []*object) {
	for ; l != nil; l = l.below {
		all = append(all, l.object)
	}
	return all
}

// A traversal follows objects down to their problems. It visits each object once.
type traversal struct {
	index       *index
	requested   []*object // the requested objects
	isRequested map[*object]bool
	findings    map[*object][]finding // of visited objects; nil during the visit
}

// newTraversal returns a traversal from the requested objects.
func newTraversal(f *Facts, requested []status.ID) *traversal {
	t := &traversal{index: newIndex(f), findings: map[*object][]finding{}, isRequested: map[*object]bool{}}
	for _, id := range requested {
		o := t.index.objects[id]
		if o == nil {
			o = t.index.unknown(id)
		}
		t.requested = append(t.requested, o)
		t.isRequested[o] = true
	}
	return t
}

// visit returns the findings of an object, of its children and of the objects that it refers to. If
// there are none, the finding is its status. It skips a ready object unless followCurrent is set.
func (t *traversal) visit(o *object, followCurrent bool) []finding {
	if known, visited := t.findings[o]; visited {
		return known
	}
	if o.isDone() && !followCurrent && !t.isRequested[o] {
		return nil
	}
	t.findings[o] = nil
	var own, below []finding
	for _, find := range o.finders() {
		own = append(own, find(o)...)
	}
	for _, part := range o.children() {
		below = append(below, t.visit(part, false)...)
	}
	own = withoutFindings(own, below)
	referred := withoutFindings(t.referenceFindings(o), below)
	below = append(below, o.withoutConsequences(referred, own)...)
	markResults(own, referred, below)
	own = slices.DeleteFunc(own, func(f finding) bool { return t.isExplainedByCreator(f) })
	if len(own) > 0 {
		late := len(own) == 1 && own[0].kind == "ProgressDeadlineExceeded" // the state of a Pod says more
		below = slices.DeleteFunc(below, func(f finding) bool { return f.kind == "Unexplained" && (!late || f.at.ID.Kind != pod) })
	}
	if len(below) > 0 || slices.ContainsFunc(own, func(f finding) bool { return !f.weak }) {
		own = slices.DeleteFunc(own, func(f finding) bool { return f.weak })
	}
	for i := range own {
		own[i].evidence = slices.Clip(own[i].evidence)
	}
	all := distinct(slices.Concat(own, below))
	if len(all) == 0 && !o.isDone() {
		if all = o.suspendedReferences(); len(all) == 0 {
			all = o.reported()
		}
	}
	for i := range all {
		if all[i].chain == nil {
			all[i].at = o
		}
		all[i].chain = newLink(o, all[i].chain)
	}
	t.findings[o] = all
	return all
}

// distinct keeps one finding of several that are equal, also in their objects, which references have
// reached in several ways. It removes findings whose chain has its maximum length.
func distinct(all []finding) []finding {
	type key struct {
		at         *object
		kind, text string
	}
	known := make(map[key]bool, len(all))
	return slices.DeleteFunc(all, func(f finding) bool {
		k := key{f.at, f.kind, cmp.Or(f.key, f.text)}
		if f.chain != nil && f.chain.length >= maxChain || f.at != nil && known[k] {
			return true
		}
		known[k] = true
		return false
	})
}

// withoutFindings removes findings that parts have too: a controller repeats the problems
// of its parts.
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

// referenceFindings returns the findings of the objects that an object refers to.
func (t *traversal) referenceFindings(o *object) (all []finding) {
	for _, ref := range o.references() {
		to := t.index.referent(ref)
		switch {
		case to == nil || to == o || ref.isFieldsOnly || o.isPartOf(to):
		case (ref.Guessed || ref.Optional) && to.Result.Status == status.UnknownStatus:
		case o.isDeleting() && !to.isDeleting() && !ref.blocksDeletion:
		case to.Result.Status == status.NotFoundStatus && to.Object == nil, to.hasInvalidName():
			all = append(all, t.missing(o, ref, to)...)
		default:
			all = append(all, t.visit(to, ref.FollowCurrent)...)
			all = append(all, o.waitsForSuspended(to)...)
		}
	}
	return all
}

// markResults marks the findings of an object that follow from others. A container exits because a
// Service does not answer. A Job ends at its deadline because of its Pods. No node fits because of
// a ResourceClaim.
func markResults(own, referred, below []finding) {
	needsService := slices.ContainsFunc(referred, func(f finding) bool {
		return f.missing.Kind == service || f.chain != nil && f.chain.object.ID.Kind == service
	})
	ofPods := len(below) > 0 || slices.ContainsFunc(own, func(f finding) bool { return f.chain != nil && !f.weak })
	needsDevices := slices.ContainsFunc(referred, func(f finding) bool { return f.kind == "DevicesMissing" })
	for i := range own {
		own[i].isResult = own[i].log != nil && needsService || own[i].kind == "Unschedulable" && needsDevices || own[i].kind == "DeadlineExceeded" && own[i].chain == nil && ofPods
	}
}

// isExplainedByCreator reports whether a finding is that a Secret is missing, and the object that
// is to create it shows why.
func (t *traversal) isExplainedByCreator(f finding) bool {
	return slices.ContainsFunc(t.index.creatorsOf(f.missing), func(creator *object) bool { return len(t.findings[creator]) > 0 })
}

// withoutConsequences removes findings that an object is missing which the object itself is to
// create. It does so if the evidence of a finding of its own names it: that finding says why.
func (o *object) withoutConsequences(referred, own []finding) []finding {
	return slices.DeleteFunc(referred, func(f finding) bool {
		isNamed := func(e Evidence) bool { return messages.HasName(e.Value, f.missing.Name) }
		return f.isOutput && slices.ContainsFunc(own, func(cause finding) bool { return slices.ContainsFunc(cause.evidence, isNamed) })
	})
}

// missing returns the finding that an object does not exist, or why its creators have not made it.
func (t *traversal) missing(o *object, ref objectRef, to *object) (all []finding) {
	creators := t.index.creatorsOf(to.ID)
	for _, creator := range creators {
		all = append(all, t.visit(creator, false)...)
	}
	if len(all) == 0 && !ref.Optional && (!ref.Guessed || o.mentions(to.ID)) {
		f := o.missingReference(ref, to)
		for _, creator := range creators {
			f.text += "; " + kindAndName(creator.ID) + ", which is to create it, is " + string(creator.Result.Status)
			f.evidence = append(f.evidence, creator.lookupEvidence(creator.Message()))
			break
		}
		return []finding{f}
	}
	return all
}

// missingReference returns the finding that a reference names an object that does not
// exist.
func (o *object) missingReference(ref objectRef, to *object) finding {
	by := o.evidence(ref.Path)
	if ref.reportedBy != nil {
		by = *ref.reportedBy
	}
	if to.hasInvalidName() {
		return finding{kind: "ReferenceMissing", text: kindAndName(to.ID) + " cannot exist: " + to.Result.Message, evidence: []Evidence{by}}
	}
	return finding{
		kind: "ReferenceMissing", text: kindAndName(to.ID) + " not found", missing: to.ID, isOutput: ref.isOutput,
		evidence: []Evidence{by, {From: OriginLookup, Object: to.ID, Value: "not found"}},
		next:     []string{commandFor(to.ID, "get", typed(to.ID))},
	}
}

// hasInvalidName reports whether the name of an object is not valid, so that it cannot
// exist.
func (o *object) hasInvalidName() bool {
	return o.Object == nil && o.Result.Reason == status.ReasonBadName
}

// isPartOf reports whether an object is a direct or indirect part of another. A problem
// of the whole is no cause of a problem of its part.
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
