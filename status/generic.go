package status

import (
	"strconv"
)

// observed: the verdict on an object must rest on a status that its controller
// wrote for the generation at hand. Generations that are absent prove nothing,
// unless the kind's API or its schema says that the controller writes one.
func observed(o *Fields) (r Result) {
	h := o.hearing
	if h.entry.Generation == Own {
		return r
	}
	raw := o.get("status.observedGeneration")
	o.saw("status.observedGeneration", raw)
	if raw == nil {
		return o.unobserved()
	}
	seen, ok := generationOf(raw)
	if !ok {
		o.malformed("status.observedGeneration", "a whole number", raw)
		return r
	}
	want := h.generation
	if want == 0 { // there is none, or it is odd
		if v := o.get("metadata.generation"); v == nil {
			return r
		} else if _, ok := generationOf(v); !ok {
			o.malformed("metadata.generation", "a whole number", v)
			return r
		}
	}
	if o.traced() {
		o.saw("metadata.generation", want)
	}
	switch {
	case seen == want:
	case h.expectation.NoSubresource && seen == want-1:
		// Without a status subresource each write of the status counts as a new generation.
	case seen <= 0:
		return InProgress("NotObserved", "its controller has not looked at generation %d yet", want)
	case seen < want:
		return InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", want, seen)
	case h.entry.Generation != TolerateAhead:
		return InProgress("ObservedGenerationAhead", "generation is %d, but its status speaks of %d: it was restored, moved or copied", want, seen)
	}
	return r
}

// unobserved judges an object without an observed generation.
func (f *Fields) unobserved() (r Result) {
	h := f.hearing
	switch {
	case h.entry.Generation == Required && (h.generation > 0 || f.blank()):
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case h.entry.Rule == nil && h.expectation.ObservedGeneration == Promised && h.generation > 0 && !f.ownGenerations():
		r = InProgress("NotObserved", "its controller has not reported an observed generation, which %s declares", h.expectation.source())
		r.Confidence = Medium
	}
	return r
}

// blank reports whether there is no status but what Augment wrote.
func (f *Fields) blank() bool {
	status := f.Map("status")
	f.saw("status", strconv.Itoa(len(status))+" fields")
	for name, v := range status {
		list, ok := v.([]any)
		if name != "conditions" || !ok {
			return false
		}
		for _, item := range list {
			m, _ := item.(map[string]any)
			if t, _ := m["type"].(string); !ours(m, ConditionType(t)) {
				return false
			}
		}
	}
	return true
}

// ownGenerations reports whether a condition carries an observedGeneration.
func (f *Fields) ownGenerations() bool {
	for _, v := range asList(f.get("status.conditions")) {
		if c, ok := v.(map[string]any); ok && c["observedGeneration"] != nil {
			return true
		}
	}
	return false
}

// generationOf reads a generation, which some kinds write as a decimal string.
func generationOf(v any) (int64, bool) {
	if s, ok := v.(string); ok {
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil
	}
	return whole(v)
}

// standard: Reconciling that is not False says that the controller is at work,
// Stalled=True that it does not get on. Work that goes on outweighs a stall.
// Conditions for an earlier generation do not count.
func standard(o *Fields) (r Result) {
	busy, stalled := o.Condition(ConditionReconciling), o.Condition(ConditionStalled)
	switch {
	case (busy.Is(True) || busy.Is(Unknown)) && stalled.Is(True):
		o.Warn("conditions Reconciling and Stalled are both True")
		return InProgress("ContradictoryConditions", "%s, although Stalled: %s", busy.Text(), stalled.Text())
	case busy.Is(True), busy.Is(Unknown):
		return InProgress("Reconciling", "%s", busy.Text())
	case stalled.Is(True):
		return Fails("Stalled", "%s", stalled.Text())
	}
	return r
}

// The conditions that sum an object up, in the order in which a message names
// them first. Where several are there, all must be True.
var summaryConditions = [...]ConditionType{"Ready", "Available", "Healthy", "Synced", "Programmed", "Accepted", "Established"}

// summary: of the conditions that sum an object up all that are there must be
// True for this generation. One that is not says that the object is on its
// way: False alone is no failure, since many controllers report it while they
// create.
func summary(o *Fields) (r Result) {
	var first Condition
	for _, t := range summaryConditions {
		c := o.Condition(t)
		switch {
		case c.Status == "":
			continue
		case c.Stale:
			return InProgress("StaleCondition", "condition %s speaks of an earlier generation than %d", t, o.Generation())
		case c.Status != True:
			r = InProgress("SummaryConditionNotTrue", "%s", c.Sentence())
			r.Confidence = Strong
			return r
		case first.Status == "":
			first = c
		}
	}
	if first.Status == "" {
		return r
	}
	o.warnNegative()
	return Result{Status: CurrentStatus, Reason: "Reconciled", Message: string(first.Type) + " is True", Confidence: Strong}
}

// otherConditions: an object without a summing condition is judged by those it
// has. All positive ones True is Current with medium confidence; one that is
// known to be positive and is not True is InProgress. Negative ones that are
// True are told as warnings.
func otherConditions(o *Fields) (r Result) {
	positive := 0
	var missing Condition
	o.conditions(func(c Condition) {
		switch {
		case c.Stale && (c.Type == ConditionReconciling || c.Type == ConditionStalled):
			missing = c
		case polarity(c.Type) == negative:
			if c.Is(False) {
				positive++
			}
		case c.Is(True):
			positive++
		case polarity(c.Type) == positivePolarity && missing.Status == "":
			missing = c
		}
	})
	o.warnNegative()
	switch {
	case missing.Stale:
		r = InProgress("StaleCondition", "condition %s speaks of an earlier generation than %d", missing.Type, o.Generation())
	case missing.Status != "":
		r = InProgress("SummaryConditionNotTrue", "%s", missing.Sentence())
	case positive > 0:
		r = Current("Reconciled", "none of its conditions speaks against it")
	default:
		return r
	}
	r.Confidence = Medium
	return r
}

// expected: nothing decisive was found, so it depends on what the kind
// promises to report.
func expected(o *Fields) (r Result) {
	e := o.hearing.expectation
	_, hasSeen := generationOf(o.get("status.observedGeneration"))
	for _, path := range [...]string{"status.phase", "status.state"} {
		if s, ok := o.get(path).(string); ok && s != "" {
			o.saw(path, s)
			o.Warn("%s is %q, which no rule reads", path, s)
		}
	}
	switch {
	case e.Status == Denied:
		return Current("NoStatusExpected", "%s declares no status", e.source())
	case e.Status == Promised && o.blank():
		r = InProgress("NotObserved", "its controller has not reported anything yet, although %s declares a status", e.source())
		r.Confidence = Medium
	case hasSeen && o.Generation() > 0:
		r = Current("ObservedOnly", "its controller has observed this generation and reports no conditions")
		r.Confidence = Medium
	default:
		r = Current("NoEvidence", "nothing in the object speaks for or against it")
		r.Confidence = Assumed
	}
	return r
}
