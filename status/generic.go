package status

import (
	"strings"

	"kstatus.dev/status/internal/word"
)

// standardConditions: Reconciling that is not False says that the controller is at work,
// Stalled=True that it does not get on. Work that goes on outweighs a stall.
// Conditions for an earlier generation do not count.
func standardConditions(o *Fields) (r Result) {
	if !o.hearing.mayHaveStandardConditions() {
		return r
	}
	busy, stalled := o.Condition(ConditionReconciling), o.Condition(ConditionStalled)
	switch {
	case busy.Is(True) && busy.Reason == "ProgressingWithRetry": // Flux: it has failed and is tried again
		if ready := o.Condition("Ready"); ready.Is(False) && word.Why(ready.Reason, ready.Message) == word.CauseError {
			return Fails("ReportsFailure", "%s", ready.Sentence())
		}
		return InProgress("Reconciling", "%s", busy.Text())
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

// mayHaveStandardConditions reports whether the standard conditions are to be looked
// for. A verdict that is explained always looks for them, so that its Reads say so.
func (h *hearing) mayHaveStandardConditions() bool {
	if h.odd || h.trace != nil {
		return true
	}
	if h.hint.ignores("conditions") {
		return false
	}
	switch h.status["conditions"].(type) {
	case nil:
		return false
	case []any:
		return h.index().usual || h.err != nil
	}
	return true
}

// suspension: the spec of a kind without a rule asks for the object to be
// suspended, so nothing more is to be expected of its controller, whatever the
// status still says of which generation.
func suspension(o *Fields) (r Result) {
	h := o.hearing
	if h.entry.Rule != nil {
		return r
	}
	for _, path := range [...]string{"spec.suspend", "spec.suspended", "spec.paused"} {
		if h.spec[path[len("spec."):]] == true {
			o.saw(path, true)
			return o.halted(path, "true")
		}
	}
	if h.hint == nil {
		return r
	}
	if a := h.hint.Paused; a != "" && o.HasKey("metadata.annotations", a) && o.Key("metadata.annotations", a) != "false" {
		return Stopped(Asked, "Paused", "its reconciling is paused by the annotation "+a)
	}
	for _, path := range h.hint.Suspend {
		switch field, value, is := strings.Cut(path, "="); {
		case !is && o.Bool(path, false):
			return o.halted(path, "true")
		case is && o.Text(field, "") == value:
			return o.halted(field, value)
		}
	}
	return r
}

// report: what the object's controller reports, in conditions, words,
// switches, errors and counters, weighed against each other as decisions says.
func report(o *Fields) (r Result) {
	h := o.hearing
	s := &h.signs
	conditionSigns(o, s)
	stateSigns(o, s)
	hintSigns(o, s)
	x, w := s.decisive()
	if x == nil || !x.notReady() && (w != summing || x.from == fromSummary) {
		if t := o.unsummed(); t != "" {
			r = InProgress("NotObserved", "its controller has not reported condition %s yet, %s", t, o.summedBy())
			r.Confidence = Strong
			return r
		}
	}
	if x == nil {
		return r
	}
	return o.verdict(x, w)
}

// verdict says what a sign that decides means.
func (f *Fields) verdict(x *sign, w weight) (r Result) {
	switch {
	case x.stale:
		r = InProgress("StaleCondition", "condition %s speaks of an earlier generation than %d", x.at, f.Generation())
	case x.says == word.Ready && x.truth == False && f.hearing.hint.fine(x.reason):
		r = Current("Reconciled", x.text(f))
	case x.says == word.Ready && x.from == fromSummary:
		r = Current("Reconciled", x.at+" is True")
	case x.says == word.Ready && x.optional:
		r = InProgress("NoSummary", "condition %s is True, but none that is known to sum it up is there", x.at)
	case x.says == word.Ready && x.from == fromCondition && f.newborn() > 0:
		r = InProgress("NotObserved", "none of its conditions speaks against it, but it is new, and one that sums it up may follow")
		r.Recheck = f.newborn()
	case x.says == word.Ready && x.from == fromCondition:
		r = Current("Reconciled", "none of its conditions speaks against it")
	case x.says == word.Ready:
		r = Current("Reconciled", x.text(f))
	case x.says == word.Suspended:
		r = Stopped(Asked, "Suspended", x.text(f))
	case x.says == word.Progressing && x.from == fromSummary:
		r = InProgress("SummaryConditionNotTrue", "%s", f.withState(x))
	case x.says == word.Progressing && x.runs() && f.hearing.hint.finite(f.hearing.kind.Kind):
		r = InProgress("Running", "%s", x.text(f))
	case x.says == word.Progressing && x.from == fromCondition, x.says == word.Failing && w == part:
		r = InProgress("SummaryConditionNotTrue", "%s", x.text(f))
	case x.says == word.Progressing && x.from == fromWord && x.optional:
		r = Result{Status: UnknownStatus, Reason: "StateNotKnown", Message: x.text(f) + ", a word that only a rule can explain"}
	case x.says == word.Progressing && x.from == fromWord && !f.hearing.hint.has(x.reason) && strings.EqualFold(x.reason, "unknown"):
		r = Result{Status: UnknownStatus, Reason: "ReportsUnknown", Message: x.text(f)}
	case x.says == word.Progressing && x.from == fromHint && x.reason == absent && f.blank():
		r = InProgress("NotObserved", "its controller has not reported anything yet")
	case x.says == word.Progressing && x.from == fromCounter:
		r = InProgress("NotAvailable", "%s", x.text(f))
	case x.says == word.Progressing:
		r = InProgress("Reconciling", "%s", x.text(f))
	default:
		r = f.Persists(x.since, Fails("ReportsFailure", "%s", x.text(f)))
	}
	r.Rule, r.Confidence = x.from.String(), Medium
	switch {
	case r.Reason == "NoSummary":
		r.Confidence = Assumed
	case x.from == fromSummary && x.stale:
		r.Confidence = Explicit
	case x.from == fromSummary, x.from == fromHint:
		r.Confidence = Strong
	}
	return r
}

// runs reports whether a sign says that the object runs.
func (x *sign) runs() bool {
	return x.from == fromWord && word.Is(x.reason, "running", "started") || x.from == fromCondition && x.at == "Running" && x.truth == True
}

// withState tells a condition, and what the state is if that says more.
func (f *Fields) withState(x *sign) string {
	text := x.text(f)
	state := f.hearing.signs.has(alarm, word.Progressing)
	if state == nil || state.from != fromWord || state.optional || strings.Contains(text, state.reason) {
		return text
	}
	return text + "; " + state.text(f)
}

// expectation: nothing decisive was found, so it depends on what the kind
// promises to report.
func expectation(o *Fields) (r Result) {
	e := o.hearing.expectation
	_, hasSeen := generationOf(o.get("status.observedGeneration"))
	switch {
	case e.Status == Denied:
		return Current("NoStatusExpected", "%s declares no status", e.source())
	case o.hearing.hint != nil && o.hearing.hint.Silent:
		return Current("NoStatusExpected", "its controller need not report anything")
	case e.status() != "" && o.blank():
		r = InProgress("NotObserved", "its controller has not reported anything yet, although %s", e.status())
		r.Confidence = Medium
	case o.hearing.hint.runs(o.hearing.kind.Kind) && o.blank():
		r = InProgress("NotStarted", "nothing has been told of it yet, and it is to run to an end")
		r.Confidence = Assumed
	case o.hearing.hint.runs(o.hearing.kind.Kind):
		r = InProgress("NoSummary", "nothing tells yet that it has come to its end")
		r.Confidence = Assumed
	case hasSeen && o.Generation() > 0:
		r = Current("ObservedOnly", "its controller has observed this generation and reports no conditions")
		r.Confidence = Medium
	default:
		r = Current("NoEvidence", "nothing in the object speaks for or against it")
		r.Confidence = Assumed
	}
	return r
}

// unsummed returns the condition that is known to sum the kind up and is not
// there, empty if there is none such.
func (f *Fields) unsummed() ConditionType {
	h := f.hearing
	if h.hint.sums() {
		for _, t := range h.hint.Summary {
			first, second, two := strings.Cut(string(t), "|")
			if !f.tells(first) && (!two || !f.tells(second)) {
				return ConditionType(first)
			}
		}
		return ""
	}
	if t := h.expectation.Summary; t != "" && !f.tells(string(t)) {
		return t
	}
	return ""
}

// tells reports whether the object has a condition of that type.
func (f *Fields) tells(t string) bool {
	h := f.hearing
	if m, ok := h.status["conditions"].(map[string]any); ok {
		return m[t] != nil
	}
	x := h.index()
	for i, item := range x.list {
		if m, _ := item.(map[string]any); x.typeOf(i, m) == ConditionType(t) {
			return true
		}
	}
	return false
}

// summedBy says who says that a condition sums the kind up.
func (f *Fields) summedBy() string {
	h := f.hearing
	if h.hint.sums() {
		return "which sums it up"
	}
	return "which " + h.expectation.source() + " prints"
}
