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
		p := a.newPass(h, nil, h.last)
		h.gauge.countRequest(p)
		for _, r := range a.rules {
			p.callHook(r, r.OnRequest)
		}
	default:
		a.processRequest(h, w, id)
	}
}

// processRequest calls the rules for a request without a new version.
func (a *Auditor) processRequest(h *history, w Write, id ID) {
	v := h.last
	if v == nil {
		v = versionOf(w, id)
	}
	if w.Related || h.related {
		return
	}
	p := a.newPass(h, nil, v)
	p.Request, p.Unchanged = w.Request, true
	h.gauge.countRequest(p)
	for _, r := range a.rules {
		p.callHook(r, r.OnRequest)
	}
}

// processNameOnly handles a write whose object has only a name: the answer to a delete
// request.
func (a *Auditor) processNameOnly(w Write, id ID) {
	h := a.objects.byName[id.ID]
	if w.Request != nil {
		a.processRequest(a.objects.named(id), w, id)
	}
	if h != nil && w.Type == WriteDeleted {
		a.removeHistory(h)
	}
}
