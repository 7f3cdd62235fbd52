package status

import (
	"math"
	"strconv"
	"strings"
)

// observed: the verdict on an object must rest on a status that its controller
// wrote for the generation at hand. Generations that are absent prove nothing,
// unless the kind's API or its schema says that the controller writes one.
func observed(o *Fields) (r Result) {
	h := o.hearing
	if h.entry.Generation == Own {
		return r
	}
	path := o.generationPath()
	raw := o.get(path)
	o.saw(path, raw)
	if raw == nil {
		return o.unobserved()
	}
	seen, ok := generationOf(raw)
	if hash, is := raw.(string); is && !ok && (h.entry.Rule == nil || h.entry.Generation == AsPromised) {
		o.Warn("%s is %q, which is no generation", path, hash)
		r, _ = o.behind()
		return r
	}
	if !ok {
		o.malformed(path, "a whole number", raw)
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
	case seen == want, seen == 0 && h.hint != nil && h.hint.Zero:
	case seen <= 0:
		return InProgress("NotObserved", "its controller has not looked at generation %d yet", want)
	case h.expectation.Subresource == Denied && seen < want:
		return o.selfCounted(seen)
	case seen < want:
		return InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", want, seen)
	case h.entry.Generation != TolerateAhead:
		return InProgress("ObservedGenerationAhead", "generation is %d, but its status speaks of %d: it was restored, moved or copied", want, seen)
	}
	return r
}

// The fields that hold the generation that a controller has looked at last, in
// kinds that do not call it observedGeneration.
var generationNames = [...]string{
	"lastObservedGeneration", "lastEvaluatedGeneration", "lastReconciledGeneration", "lastProcessedGeneration", "lastHandledGeneration",
	"reconciledGeneration", "processedGeneration", "evaluatedGeneration",
}

// generationPath returns where the status holds the observed generation.
func (f *Fields) generationPath() string {
	const usual = "status.observedGeneration"
	h := f.hearing
	switch {
	case h.entry.Rule != nil || h.status["observedGeneration"] != nil:
		return usual
	case h.hint != nil && h.hint.Observed != "":
		return h.hint.Observed
	}
	for _, name := range generationNames {
		if h.status[name] != nil {
			return "status." + name
		}
	}
	return usual
}

// unobserved judges an object without an observed generation.
func (f *Fields) unobserved() (r Result) {
	h := f.hearing
	switch {
	case h.entry.Generation == Required && (h.generation > 0 || f.blank()):
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case h.entry.Rule != nil && h.entry.Generation != AsPromised:
	case h.generation > 0:
		if r, told := f.behind(); r.Status != "" {
			return r
		} else if told {
			return f.untouched()
		}
		if by := h.expectation.generation(); by != "" {
			r = InProgress("NotObserved", "its controller has not reported an observed generation, which %s", by)
			r.Confidence = Medium
			return r
		}
		if r = f.untouched(); r.Status == "" {
			r = f.predates()
		}
	default:
		r = f.untouched()
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
			if hollow(v) {
				continue
			}
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

// hollow reports whether a value is what a field has before anybody has
// reported anything: zero, false or empty.
func hollow(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	n, ok := whole(v)
	return ok && n == 0
}

// behind judges an object by the generations of which its conditions speak, and
// reports whether they tell one: the latest of them is what its controller has
// looked at.
func (f *Fields) behind() (r Result, told bool) {
	latest, oldest := f.ownGenerations()
	if latest > 0 && latest < f.hearing.generation && !f.countsItself(latest) {
		r = InProgress("StaleCondition", "condition %s speaks of an earlier generation than %d", oldest, f.hearing.generation)
	}
	return r, latest > 0
}

// ownGenerations returns the latest generation of which a condition speaks, zero
// if none does, and a condition that speaks of the oldest.
func (f *Fields) ownGenerations() (latest int64, oldest string) {
	least := int64(math.MaxInt64)
	look := func(t string, v any) {
		c, _ := v.(map[string]any)
		seen, ok := generationOf(c["observedGeneration"])
		if !ok || seen <= 0 {
			return
		}
		latest = max(latest, seen)
		if seen < least || seen == least && before(t, oldest) {
			least, oldest = seen, t
		}
	}
	switch v := f.hearing.status["conditions"].(type) {
	case []any:
		for _, c := range v {
			m, _ := c.(map[string]any)
			t, _ := m["type"].(string)
			look(t, m)
		}
	case map[string]any:
		for t, c := range v {
			look(t, c)
		}
	}
	return latest, oldest
}

// before is the order in which messages name conditions.
func before(a, b string) bool {
	x, y := rankOf(a), rankOf(b)
	return x < y || x == y && a < b
}

// generationOf reads a generation, which some kinds write as a decimal string.
func generationOf(v any) (int64, bool) {
	if s, ok := v.(string); ok {
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil && len(s) < 10 // beyond that it is a hash of digits
	}
	return whole(v)
}

// standard: Reconciling that is not False says that the controller is at work,
// Stalled=True that it does not get on. Work that goes on outweighs a stall.
// Conditions for an earlier generation do not count.
func standard(o *Fields) (r Result) {
	busy, stalled := o.Condition(ConditionReconciling), o.Condition(ConditionStalled)
	switch {
	case busy.Is(True) && busy.Reason == "ProgressingWithRetry": // Flux: it has failed and is tried again
		if ready := o.Condition("Ready"); ready.Is(False) && plightOf(ready.Reason, ready.Message) == failing {
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

// suspended: the spec of a kind without a rule asks for the object to be
// suspended, so nothing more is to be expected of its controller, whatever the
// status still says of which generation.
func suspended(o *Fields) (r Result) {
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
		switch field, word, is := strings.Cut(path, "="); {
		case !is && o.Bool(path, false):
			return o.halted(path, "true")
		case is && o.Text(field, "") == word:
			return o.halted(field, word)
		}
	}
	return r
}

// reported: what the object's controller reports, in conditions, words,
// switches, errors and counters, weighed against each other as decisions says.
func reported(o *Fields) (r Result) {
	h := o.hearing
	s := &h.signs
	conditionSigns(o, s)
	stateSigns(o, s)
	hintSigns(o, s)
	x, w := s.decisive()
	if x == nil || x.says < busy && (w != summing || x.from == fromSummary) {
		if t := o.unsummed(); t != "" {
			return InProgress("NotObserved", "its controller has not reported condition %s yet, %s", t, o.summedBy())
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
	case x.says == good && x.truth == False && f.hearing.hint.fine(x.reason):
		r = Current("Reconciled", x.text(f))
	case x.says == good && x.from == fromSummary:
		r = Current("Reconciled", x.at+" is True")
	case x.says == good && x.optional:
		r = InProgress("NoSummary", "condition %s is True, but none that is known to sum it up is there", x.at)
	case x.says == good && x.from == fromCondition && f.newborn() > 0:
		r = InProgress("NotObserved", "none of its conditions speaks against it, but it is new, and one that sums it up may follow")
		r.Recheck = f.newborn()
	case x.says == good && x.from == fromCondition:
		r = Current("Reconciled", "none of its conditions speaks against it")
	case x.says == good:
		r = Current("Reconciled", x.text(f))
	case x.says == idle:
		r = Stopped(Asked, "Suspended", x.text(f))
	case x.says == busy && x.from == fromSummary:
		r = InProgress("SummaryConditionNotTrue", "%s", f.withState(x))
	case x.says == busy && x.runs() && f.hearing.hint.finite(f.hearing.kind.Kind):
		r = InProgress("Running", "%s", x.text(f))
	case x.says == busy && x.from == fromCondition, x.says == bad && w == part:
		r = InProgress("SummaryConditionNotTrue", "%s", x.text(f))
	case x.says == busy && x.from == fromWord && x.optional:
		r = Result{Status: UnknownStatus, Reason: "StateNotKnown", Message: x.text(f) + ", a word that only a rule can explain"}
	case x.says == busy && x.from == fromWord && !f.hearing.hint.has(x.reason) && strings.EqualFold(x.reason, "unknown"):
		r = Result{Status: UnknownStatus, Reason: "ReportsUnknown", Message: x.text(f)}
	case x.says == busy && x.from == fromHint && x.reason == absent && f.blank():
		r = InProgress("NotObserved", "its controller has not reported anything yet")
	case x.says == busy && x.from == fromCounter:
		r = InProgress("NotAvailable", "%s", x.text(f))
	case x.says == busy:
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
	return x.from == fromWord && is(x.reason, "running", "started") || x.from == fromCondition && x.at == "Running" && x.truth == True
}

// withState tells a condition, and what the state is if that says more.
func (f *Fields) withState(x *sign) string {
	text := x.text(f)
	state := f.hearing.signs.has(alarm, busy)
	if state == nil || state.from != fromWord || state.optional || strings.Contains(text, state.reason) {
		return text
	}
	return text + "; " + state.text(f)
}

// expected: nothing decisive was found, so it depends on what the kind
// promises to report.
func expected(o *Fields) (r Result) {
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
	if h.hint != nil && h.hint.Summary != nil {
		for _, t := range h.hint.Summary {
			first, second, two := strings.Cut(string(t), "|")
			if f.Condition(ConditionType(first)).Status == "" && (!two || f.Condition(ConditionType(second)).Status == "") {
				return ConditionType(first)
			}
		}
		return ""
	}
	if t := h.expectation.Summary; t != "" && f.Condition(t).Status == "" {
		return t
	}
	return ""
}

// summedBy says who says that a condition sums the kind up.
func (f *Fields) summedBy() string {
	h := f.hearing
	if h.hint != nil && h.hint.Summary != nil {
		return "which sums it up"
	}
	return "which " + h.expectation.source() + " prints"
}
