package audit

// duplicate handles a version that the auditor has already seen. It comes from
// a second source, or is the answer to a request that changed nothing.
func (a *Auditor) duplicate(h *history, w Write, id ID) {
	switch {
	case w.Request == nil:
		a.coverage.Merged++
	case h.last.Request == nil && !h.last.Existing && a.now.Sub(h.last.Time) <= a.options.ReorderWindow:
		a.coverage.Merged++
		h.last.Request = w.Request
		if h.related {
			return
		}
		p := a.pass(h, nil, h.last)
		h.gauge.ask(p)
		for _, r := range a.rules {
			p.call(r, r.OnRequest)
		}
	default:
		a.request(h, w, id)
	}
}

// request calls the rules for a request without a new version.
func (a *Auditor) request(h *history, w Write, id ID) {
	v := h.last
	if v == nil {
		v = versionOf(w, id)
	}
	if w.Related || h.related {
		return
	}
	p := a.pass(h, nil, v)
	p.Request, p.Unchanged = w.Request, true
	h.gauge.ask(p)
	for _, r := range a.rules {
		p.call(r, r.OnRequest)
	}
}

// nameOnly handles a write whose object has only a name: the answer to a delete
// request.
func (a *Auditor) nameOnly(w Write, id ID) {
	h := a.objects.byName[id]
	if w.Request != nil {
		a.request(a.objects.named(id), w, id)
	}
	if h != nil && w.Type == WriteDeleted {
		a.end(h)
	}
}
