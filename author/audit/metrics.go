package audit

import (
	"cmp"
	"slices"
	"time"

	"kstatus.dev/status"
)

// ObjectMetrics are the cost and the duration of the writes of one object. A
// value that was not observed is null.
type ObjectMetrics struct {
	Object              ID       `json:"object"`
	SecondsToStatus     *float64 `json:"secondsToStatus"` // from creation to the first status.
	SecondsToReady      *float64 `json:"secondsToReady"`  // from creation to the first time that the object was ready.
	Convergences        int      `json:"convergences"`    // number of generations observed from their start until the object was ready.
	WritesByConvergence int      `json:"writesByConvergence"`
	MostByConvergence   int      `json:"mostByConvergence"`
	IdleSeconds         float64  `json:"idleSeconds"` // total time without a pending generation
	IdleWrites          int      `json:"idleWrites"`
	WritesPerIdleHour   float64  `json:"writesPerIdleHour"` // a total below one hour counts as one hour
	Requests            int      `json:"requests"`
	NoOps               int      `json:"noOps"`   // requests that changed nothing
	Refused             int      `json:"refused"` // requests that the server rejected
}

// KindMetrics are the cost of the writes of all objects of a kind.
type KindMetrics struct {
	Group                string    `json:"group"`
	Kind                 string    `json:"kind"`
	SecondsToStatus      Quantiles `json:"secondsToStatus"`
	SecondsToReady       Quantiles `json:"secondsToReady"`
	WritesPerConvergence Quantiles `json:"writesPerConvergence"`
	WritesPerIdleHour    Quantiles `json:"writesPerIdleHour"`
	Requests             int       `json:"requests"`
	NoOps                int       `json:"noOps"`
	Refused              int       `json:"refused"`
}

// ObjectMetrics returns the metrics of each existing object, in the order of
// their IDs. Equal writes give equal metrics.
func (a *Auditor) ObjectMetrics() []ObjectMetrics {
	all := []ObjectMetrics{}
	for _, h := range a.historiesWithMetrics() {
		all = append(all, h.gauge.metrics(h.id, a.now))
	}
	return all
}

// KindMetrics returns the metrics of each kind, in the order of kinds and
// groups. It includes deleted objects. Equal writes give equal metrics.
func (a *Auditor) KindMetrics() []KindMetrics {
	all := []KindMetrics{}
	idle := map[status.Kind]sample{}
	for _, h := range a.historiesWithMetrics() {
		a.gaugeOf(h.id)
		k := h.id.Kind
		if h.gauge.idleTime(a.now) > 0 {
			s := idle[k]
			s.add(h.gauge.idleRate(a.now))
			idle[k] = s
		}
	}
	for k, of := range a.gauges {
		now := idle[k]
		now.merge(of.idle)
		all = append(all, KindMetrics{Group: k.Group, Kind: k.Kind, SecondsToStatus: of.first.quantiles(), SecondsToReady: of.ready.quantiles(),
			WritesPerConvergence: of.writes.quantiles(), WritesPerIdleHour: now.quantiles(), Requests: of.requests, NoOps: of.noOps, Refused: of.refused})
	}
	slices.SortFunc(all, func(x, y KindMetrics) int { return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Group, y.Group)) })
	return all
}

// historiesWithMetrics processes the buffered writes, and returns the objects with metrics.
func (a *Auditor) historiesWithMetrics() []*history {
	a.flush()
	a.advance(a.writes.to)
	return slices.DeleteFunc(a.objects.sorted(), func(h *history) bool { return h.related || !h.gauge.hasMetrics(a.now) })
}

// kindGauge holds the counters of a kind.
type kindGauge struct {
	first, ready, writes, idle sample
	requests, noOps, refused   int
}

// gauge holds the counters of one object.
type gauge struct {
	created            time.Time // zero: the creation was not seen
	first, ready       time.Duration
	hasFirst, hasReady bool // first and ready are set
	generation         int64
	converging         bool // the start of the generation was seen, and the object is not ready yet
	writes             int  // since the start of the generation
	converged, total   int
	maxWrites          int
	idleSince          time.Time // zero: the object is not idle
	idle               time.Duration
	idleWrites         int
	requests, noOps    int
	refused            int
}

// hasMetrics reports whether the object has any metric.
func (g *gauge) hasMetrics(now time.Time) bool {
	return g.hasFirst || g.converged > 0 || g.requests > 0 || g.idleTime(now) > 0
}

// gaugeOf returns the counters of the kind of an object.
func (a *Auditor) gaugeOf(id ID) *kindGauge {
	of := a.gauges[id.Kind]
	if of == nil {
		of = &kindGauge{}
		a.gauges[id.Kind] = of
	}
	return of
}

// countVersion counts a version.
func (g *gauge) countVersion(p *Pass) {
	v := p.New
	if v.Generation == 0 && v.Status() == nil {
		return
	}
	done := isFinished(v, p.Now)
	switch {
	case v.Gone:
		g.endIdle(p.Now)
		return
	case p.Old == nil:
		g.startConvergence(v, done)
	case v.Generation != g.generation && g.converging && p.isByStatusWriter():
		g.generation = v.Generation // the status writer's own change of the spec continues the convergence
	case v.Generation != g.generation:
		g.endIdle(p.Now)
		g.generation, g.converging, g.writes = v.Generation, true, 0
	}
	if p.Old == nil {
		return
	}
	if !g.hasFirst && !g.created.IsZero() && v.StatusWrite && hasStatusReport(v) {
		g.hasFirst, g.first = true, p.Now.Sub(g.created)
		p.auditor.gaugeOf(v.ID).first.add(g.first.Seconds())
	}
	g.countWrite(p, done)
}

// startConvergence handles the first version, also after a gap.
func (g *gauge) startConvergence(v *Version, done bool) {
	g.generation, g.converging, g.writes = v.Generation, !v.Existing, 0
	if !v.Existing {
		g.created = v.Time
	}
	if v.Existing && done {
		g.idleSince = v.Time
	}
}

// countWrite counts a version that follows another.
func (g *gauge) countWrite(p *Pass, done bool) {
	ours := p.isByStatusWriter()
	switch {
	case g.converging:
		if ours {
			g.writes++
		}
		if !done {
			return
		}
		g.converging, g.idleSince = false, p.Now
		g.converged, g.total, g.maxWrites = g.converged+1, g.total+g.writes, max(g.maxWrites, g.writes)
		kind := p.auditor.gaugeOf(p.New.ID)
		kind.writes.add(float64(g.writes))
		if !g.hasReady && !g.created.IsZero() {
			g.hasReady, g.ready = true, p.Now.Sub(g.created)
			kind.ready.add(g.ready.Seconds())
		}
	case g.idleSince.IsZero():
		if done {
			g.idleSince = p.Now
		}
	case !done:
		g.endIdle(p.Now)
	case ours:
		g.idleWrites++
	}
}

// isByStatusWriter reports whether the status writer made the write. If the status writer
// or the manager is not known, it reports whether the write was a status write.
func (p *Pass) isByStatusWriter() bool {
	writer := p.StatusWriter("")
	if writer == "" || p.New.Manager == "" {
		return p.New.StatusWrite
	}
	return p.New.Manager == writer
}

// endIdle ends an idle period.
func (g *gauge) endIdle(now time.Time) {
	g.idle, g.idleSince = g.idleTime(now), time.Time{}
}

// resetForGap resets what needs two consecutive versions. It also drops times since the
// creation, because the first status may have been missed.
func (g *gauge) resetForGap(now time.Time) {
	g.endIdle(now)
	g.converging, g.created = false, time.Time{}
}

func (g *gauge) idleTime(now time.Time) time.Duration {
	if g.idleSince.IsZero() {
		return g.idle
	}
	return g.idle + now.Sub(g.idleSince)
}

// idleRate returns the writes per idle hour. A total below one hour counts as
// one hour.
func (g *gauge) idleRate(now time.Time) float64 {
	return float64(g.idleWrites) / max(g.idleTime(now).Hours(), 1)
}

func (g *gauge) metrics(id ID, now time.Time) ObjectMetrics {
	m := ObjectMetrics{Object: id, Convergences: g.converged, WritesByConvergence: g.total, MostByConvergence: g.maxWrites,
		IdleSeconds: g.idleTime(now).Seconds(), IdleWrites: g.idleWrites, WritesPerIdleHour: g.idleRate(now),
		Requests: g.requests, NoOps: g.noOps, Refused: g.refused}
	if g.hasFirst {
		seconds := g.first.Seconds()
		m.SecondsToStatus = &seconds
	}
	if g.hasReady {
		seconds := g.ready.Seconds()
		m.SecondsToReady = &seconds
	}
	return m
}

// countRequest counts a request, with or without a new version.
func (g *gauge) countRequest(p *Pass) {
	kind := p.auditor.gaugeOf(p.New.ID)
	g.requests++
	kind.requests++
	switch {
	case p.Request.Refused():
		g.refused++
		kind.refused++
	case p.Unchanged:
		g.noOps++
		kind.noOps++
	}
}

// addToKind adds the counters of a deleted object to those of its kind.
func (g *gauge) addToKind(a *Auditor, id ID) {
	g.endIdle(a.now)
	if g.idle > 0 {
		a.gaugeOf(id).idle.add(g.idleRate(a.now))
	}
}

// hasStatusReport reports whether a controller has written the status. An
// observedGeneration of -1, the default of a schema, does not count.
func hasStatusReport(v *Version) bool {
	for name := range v.Status() {
		if name != "observedGeneration" || v.Observed >= 0 {
			return true
		}
	}
	return false
}

// isFinished reports whether the object is ready: it has a status, its summary
// condition, if any, is True, and the default profile calls it Current.
func isFinished(v *Version, now time.Time) bool {
	if c, ok := v.Summary(); ok && c.Status != "True" || !hasStatusReport(v) || v.HasObserved && v.Observed != v.Generation || !v.Deleting.IsZero() {
		return false
	}
	r, err := status.Evaluator{Now: func() time.Time { return now }}.Compute(status.Map(v.Object))
	return err == nil && r.Status == status.CurrentStatus
}
