package pause

import (
	"cmp"
	"slices"
	"time"

	"kstatus.dev/clusterapi/internal/facts"
	"kstatus.dev/status"
)

// connect records that a scope can be watched, or cannot at the moment.
func (t *tracker) connect(s *scope, connected bool, at time.Time) {
	if s.connected != connected {
		s.connected, s.since = connected, at
	}
}

// hold keeps the events of an object back until release, while it is being written here.
func (t *tracker) hold(id status.ID) { t.held[id] = []change{} }

// release adds an object as it was written, and then the events that were kept back.
func (t *tracker) release(id status.ID, own *change) {
	events := t.held[id]
	delete(t.held, id)
	if own != nil {
		t.add(id, *own, true)
	}
	for _, e := range events {
		t.see(id, e)
	}
}

// see adds an event of a watch.
func (t *tracker) see(id status.ID, e change) {
	if events, held := t.held[id]; held {
		t.held[id] = append(events, e)
		return
	}
	t.add(id, e, false)
}

// add adds a version of an object. own is set if it was written here.
func (t *tracker) add(id status.ID, e change, own bool) {
	o := t.objects[id]
	if e.deleted {
		if o != nil && o.UID == e.facts.UID {
			t.remove(o)
		}
		return
	}
	if o != nil && o.UID != e.facts.UID {
		t.remove(o)
		o = nil
	}
	if o == nil {
		o = &object{Object: Object{ID: id, Version: e.kind.Version}, kind: e.kind}
		t.objects[id], t.moved = o, true
		o.scope = cmp.Or(e.kind.scopes[id.Namespace], e.kind.scopes[""])
		o.learn(e.facts, nil)
		t.signs(o, nil, e, own)
		return
	}
	if e.facts.ResourceVersion == o.ResourceVersion || e.facts.Number != 0 && e.facts.Number < o.Number {
		return
	}
	before := o.Facts
	t.moved = t.moved || before.Cluster != e.facts.Cluster || !slices.Equal(before.Owners, e.facts.Owners)
	o.learn(e.facts, &before)
	t.signs(o, &before, e, own)
}

// learn takes over the facts of a new version.
func (o *object) learn(f facts.Facts, before *facts.Facts) {
	o.Facts = f
	if f.Paused.Status != "" && !f.External {
		o.kind.reports = true
	}
}

// signs records what the step from one version to the next shows. before is nil for the first.
func (t *tracker) signs(o *object, before *facts.Facts, e change, own bool) {
	seen := moment{o.Number, e.at}
	if o.Paused.Status == "True" && (before == nil || before.Paused.Status != "True") {
		o.becamePaused = seen
	}
	if before != nil && before.BlocksMove && !o.BlocksMove {
		o.released = seen
	}
	if own || before == nil {
		return
	}
	writer := o.WriterSince(before)
	if writer == FieldManager {
		return // by another call
	}
	o.Manager = facts.Name(cmp.Or(writer, o.LastWriter(), "an unknown client"))
	if before.StatusHash != o.StatusHash {
		o.statusWritten = seen
	}
	p := t.referenceOf(o)
	switch {
	case !o.lastWritten.isSince(p):
		o.Writes = 0
	default:
		o.kind.longest = max(o.kind.longest, e.at.Sub(o.LastWrite))
	}
	o.Writes, o.LastWrite, o.lastWritten = o.Writes+1, e.at, seen
	if o.answered {
		o.after++
	}
}

// restore makes the next version of each object of a scope count, whatever its number: the server was
// restored from a backup. What was seen before may be lost, so it is no sign any more.
func (t *tracker) restore(s *scope, at time.Time) {
	s.since = at
	for _, o := range t.objects {
		if o.scope != s {
			continue
		}
		o.ResourceVersion, o.Number, o.answered = "", 0, false
		o.becamePaused, o.released, o.statusWritten, o.lastWritten = moment{}, moment{}, moment{}, moment{}
	}
	for _, p := range t.targets {
		p.version, p.restored, p.verified = 0, p.written, false
	}
}

// isAfter reports whether a version is from after the write of a target.
func (p *target) isAfter(f *facts.Facts) bool {
	return p.version == 0 || f.Number == 0 || f.Number > p.version
}

// remove forgets an object.
func (t *tracker) remove(o *object) {
	delete(t.objects, o.ID)
	t.moved = true
	if o.isReported {
		o.State, o.Reason, o.Message = "", "", ""
		t.changed = append(t.changed, o.Object)
	}
	if p := t.byID[o.ID]; p != nil && p.uid == o.UID && !p.ignored {
		p.fail(ReasonDeleted, "it was deleted meanwhile")
	}
}
