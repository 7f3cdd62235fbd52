package audit

import "maps"

// again takes a version that is known: from a second source, or as the answer to
// a request that changed nothing.
func (a *Auditor) again(h *history, w Write, id ID) {
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
			l.ask(r, r.Asked)
		}
	default:
		a.asked(h, w, id)
	}
}

// asked tells the rules of a request that made no version.
func (a *Auditor) asked(h *history, w Write, id ID) {
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
		l.ask(r, r.Asked)
	}
}

// bare takes an object of which no more than its name is known: the answer to a
// request to delete it.
func (a *Auditor) bare(w Write, id ID) {
	h := a.places[id]
	if w.Request != nil {
		a.asked(a.addressed(id), w, id)
	}
	if h != nil && w.Type == Deleted {
		a.end(h)
	}
}

// addressed returns the history that a request without a UID is about; of an
// object that is not there, one that holds what rules remember of the place; of
// such there are not more than mostNames.
func (a *Auditor) addressed(id ID) *history {
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
