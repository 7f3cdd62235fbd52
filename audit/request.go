package audit

import "maps"

// duplicate handles a version that is known: from a second source, or as the answer
// to a request that changed nothing.
func (a *Auditor) duplicate(h *history, w Write, id ID) {
	switch {
	case w.Request == nil:
		a.coverage.Merged++
	case h.last.Request == nil && !h.last.Existing && a.now.Sub(h.last.Time) <= a.options.Late:
		a.coverage.Merged++
		h.last.Request = w.Request
		if h.related {
			return
		}
		l := a.look(h, nil, h.last)
		h.gauge.ask(l)
		for _, r := range a.rules {
			l.call(r, r.Asked)
		}
	default:
		a.request(h, w, id)
	}
}

// request calls the rules for a request that made no version.
func (a *Auditor) request(h *history, w Write, id ID) {
	v := h.last
	if v == nil {
		v = versionOf(w, id)
	}
	if w.Related || h.related {
		return
	}
	l := a.look(h, nil, v)
	l.Request, l.Kept = w.Request, true
	h.gauge.ask(l)
	for _, r := range a.rules {
		l.call(r, r.Asked)
	}
}

// nameOnly handles an object without anything but its name: the answer to a request
// to delete it.
func (a *Auditor) nameOnly(w Write, id ID) {
	h := a.places[id]
	if w.Request != nil {
		a.request(a.historyFor(id), w, id)
	}
	if h != nil && w.Type == Deleted {
		a.end(h)
	}
}

// historyFor returns the history that a request without a UID is about. For an object
// that does not exist it is one that holds what rules remember of the name; it keeps
// at most mostNames of those.
func (a *Auditor) historyFor(id ID) *history {
	switch h := a.places[id.place()]; {
	case h == nil:
	case id.UID == "" || h.id.UID == "" || h.id.UID == id.UID:
		return h
	default:
		return &history{id: id} // another object is there by now
	}
	if len(a.places) > len(a.objects)+mostNames {
		maps.DeleteFunc(a.places, func(_ ID, h *history) bool { return a.objects[h.id] != h })
	}
	h := &history{id: id.place()}
	a.places[h.id] = h
	return h
}
