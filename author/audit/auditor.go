package audit

import (
	"cmp"
	"slices"
	"time"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// An Auditor checks a sequence of writes against rules. It is not safe for concurrent use.
type Auditor struct {
	options  Options
	rules    []*Rule // the enabled rules
	now      time.Time
	writes   span // from the first to the last delivered write
	buffer   reorderBuffer
	objects  histories
	timers   timerQueue
	found    map[key]*Finding
	names    map[string]string
	kinds    map[status.Kind]statusWriters
	gauges   map[status.Kind]*kindGauge
	coverage Coverage
}

// New returns an auditor without writes.
func New(o Options) *Auditor {
	a := &Auditor{options: o.withDefaults(), objects: histories{map[ID]*history{}, map[status.ID]*history{}},
		found: map[key]*Finding{}, names: map[string]string{}, kinds: map[status.Kind]statusWriters{}, gauges: map[status.Kind]*kindGauge{}}
	for _, r := range a.options.Rules {
		if a.options.severity(r) != severity.Off {
			a.rules = append(a.rules, r)
		}
	}
	return a
}

// Add checks the next write. The caller must not change its object afterwards.
func (a *Auditor) Add(w Write) {
	a.writes.extend(w.Time)
	switch w.Type {
	case WriteGap:
		a.flush()
		a.advance(w.Time)
		a.processGap(w)
	case WriteAdded, WriteModified, WriteDeleted:
		if id, ok := idOf(w.Object); ok {
			if a.buffer.add(w, id) {
				a.coverage.Merged++
			}
		} else {
			a.coverage.Unreadable++
		}
	}
	settled := a.writes.to.Add(-a.options.ReorderWindow)
	a.release(settled)
	a.advance(settled)
}

// processGap drops state that needs two consecutive versions. It does so for the
// objects of one kind, or for all objects if the gap has no object.
func (a *Auditor) processGap(w Write) {
	a.coverage.Gaps++
	of := w.Object
	only, named := decoded.Text(of, "kind"), of != nil
	group, _ := idOf(of)
	for _, h := range a.objects.byID {
		if named && (h.id.Kind.Kind != only || h.id.Group != group.Group || group.Namespace != "" && group.Namespace != h.id.Namespace) {
			continue
		}
		if h.last != nil {
			h.stale = h.last
		}
		h.last, h.states, h.seenFromCreation = nil, nil, false
		if w.Restored {
			h.newest = "" // no version from before the restore counts
		}
		h.gauge.resetForGap(a.now)
		a.stopTimers(h)
	}
}

// processWrite handles one write: a new version of an object, or a request without a new
// version.
func (a *Auditor) processWrite(w Write, id ID, seenAt time.Time) {
	w.Time = a.now
	if r := w.Request; r != nil {
		a.coverage.Requests++
		if r.Refused() {
			a.processRequest(a.objects.named(id), w, id)
			return
		}
	}
	if decoded.Text(w.Object, "metadata", "resourceVersion") == "" && id.UID == "" {
		a.processNameOnly(w, id)
		return
	}
	h, first := a.historyOf(id)
	v := versionOf(w, id)
	v.seenAt = seenAt
	if h.newest != "" && !first {
		switch order := compareVersions(v.ResourceVersion, h.newest); {
		case v.ResourceVersion == h.newest && h.last != nil && !v.Gone:
			a.duplicate(h, w, id)
			return
		case order < 0 && isNumber(v.ResourceVersion):
			a.coverage.Late++
			return
		}
	}
	if h.related = h.related || w.Related; h.related {
		h.last, h.stale, h.newest = v, nil, v.ResourceVersion
		a.updatePauses(h)
	} else {
		a.processVersion(h, v, first)
	}
	if w.Type == WriteDeleted {
		a.removeHistory(h)
	}
}

// historyOf returns the history of an object, and whether it is new. It ends
// the history of a former object with the same name.
func (a *Auditor) historyOf(id ID) (h *history, first bool) {
	if h = a.objects.byID[id]; h != nil {
		return h, false
	}
	if other := a.objects.byName[id.ID]; other != nil && a.objects.byID[other.id] == other && other.id != id {
		a.removeHistory(other)
	}
	return a.objects.add(id), true
}

// processVersion calls the rules for a new version.
func (a *Auditor) processVersion(h *history, v *Version, first bool) {
	old := h.last
	if old == nil && (!first || begunBefore(v, a.options.ClockSkew)) {
		v.Existing = true
	}
	v.attribute(old)
	h.seenFromCreation = h.seenFromCreation || first && !v.Existing
	h.last, h.stale, h.newest = v, nil, v.ResourceVersion
	a.coverage.Versions++
	if first {
		a.coverage.Objects++
	}
	p := a.newPass(h, old, v)
	a.updatePause(h, first)
	h.gauge.countVersion(p)
	if v.Request != nil {
		h.gauge.countRequest(p)
	}
	for _, r := range a.rules {
		p.callHook(r, r.OnVersion)
		if old != nil {
			p.callHook(r, r.OnChange)
		}
		if v.Request != nil {
			p.callHook(r, r.OnRequest)
		}
	}
	h.writers.countVersion(p, a.intern)
	if v.StatusWrite && v.Manager != "" && !isManagedElsewhere(v) {
		all := a.kinds[v.ID.Kind]
		all.count("", a.intern(v.Manager))
		a.kinds[v.ID.Kind] = all
	}
	a.updatePauses(h)
	v.dropDetails()
}

// begunBefore reports whether the first version seen is not the version that
// was created.
func begunBefore(v *Version, skew time.Duration) bool {
	created := v.Created()
	if v.Existing || v.Generation > 1 || !created.IsZero() && v.Time.Sub(created) > skew {
		return true
	}
	return slices.ContainsFunc(v.entries, func(e entry) bool { return e.subresource != "" })
}

func (a *Auditor) removeHistory(h *history) {
	a.stopTimers(h)
	if !h.related {
		h.gauge.addToKind(a, h.id)
	}
	a.objects.remove(h)
}

// newPass returns the Pass for a version.
func (a *Auditor) newPass(h *history, old, v *Version) *Pass {
	return &Pass{Old: old, New: v, Now: a.now, Options: &a.options, Request: v.Request, history: h, auditor: a}
}

// lastVersion returns the last version of an object, also from before a gap; nil if
// there is none.
func (a *Auditor) lastVersion(id status.ID) *Version {
	h := a.objects.byName[id]
	if h == nil {
		return nil
	}
	return cmp.Or(h.last, h.stale)
}

// intern returns a shared copy of a text that occurs in many objects.
func (a *Auditor) intern(s string) string {
	if known, ok := a.names[s]; ok {
		return known
	}
	if len(a.names) < maxNames {
		a.names[s] = s
	}
	return s
}

// maxNames bounds the number of interned texts.
const maxNames = 10000
