package status

import (
	"strings"
	"time"

	"kstatus.dev/status/internal/field"
	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
	"kstatus.dev/status/schema"
)

// standardConditions: if Reconciling is not False, the controller is working; if Stalled is
// True, it makes no progress. Reconciling outweighs Stalled. Conditions for an earlier
// generation do not count.
func standardConditions(o *Fields, r *Result) {
	if !o.eval.mayHaveStandardConditions() {
		return
	}
	busy, stalled := o.Condition(ConditionReconciling), o.Condition(ConditionStalled)
	switch {
	case busy.Is(conditionTrue) && busy.Reason == "ProgressingWithRetry": // Flux: it has failed and is retried
		if ready := o.Condition("Ready"); ready.Is(conditionFalse) && word.Why(ready.Reason, ready.Message) == word.CauseError {
			*r = o.FailAfterWindow(ready.Since, FailedRecoverable("ReportsFailure", "%s", ready.Sentence())).by(ready)
			return
		}
		*r = InProgress("Reconciling", "%s", busy.Text()).by(busy)
	case (busy.Is(conditionTrue) || busy.Is(conditionUnknown)) && stalled.Is(conditionTrue):
		o.Warn("conditions Reconciling and Stalled are both True")
		*r = InProgress("ContradictoryConditions", "%s, although Stalled: %s", busy.Text(), stalled.Text()).by(busy)
	case busy.Is(conditionTrue), busy.Is(conditionUnknown):
		*r = InProgress("Reconciling", "%s", busy.Text()).by(busy)
	case stalled.Is(conditionTrue):
		*r = FailedRecoverable("Stalled", "%s", stalled.Text()).by(stalled)
	}
}

// mayHaveStandardConditions reports whether to look for the standard conditions. An explained
// verdict always looks for them, so that its Reads list them.
func (ev *evaluation) mayHaveStandardConditions() bool {
	if ev.malformedSection || ev.trace != nil {
		return true
	}
	if ev.hint.ignores("conditions") {
		return false
	}
	switch ev.status["conditions"].(type) {
	case nil:
		return false
	case []any:
		return ev.index().standard || ev.err != nil
	}
	return true
}

// suspension: the spec of a kind without a rule suspends the object. Its controller does nothing
// more then, whatever generation the status describes.
func suspension(o *Fields, r *Result) {
	ev := o.eval
	if ev.entry.Rule != nil {
		return
	}
	for _, path := range [...]string{"spec.suspend", "spec.suspended", "spec.paused"} {
		if ev.spec[path[len("spec."):]] == true {
			o.recordRead(path, true)
			*r = o.suspendedWithoutRule(path, "true")
			return
		}
	}
	if ev.hint == nil {
		return
	}
	if a := ev.hint.Paused; a != "" && o.HasKey("metadata.annotations", a) && o.MapText("metadata.annotations", a) != "false" {
		*r = Suspended(SuspendedByUser, "Paused", "its reconciliation is paused by the annotation "+a)
		return
	}
	for _, path := range ev.hint.Suspend {
		switch field, value, is := strings.Cut(path, "="); {
		case !is && o.Bool(path, false):
			*r = o.suspendedWithoutRule(path, "true")
			return
		case is && o.Text(field, "") == value:
			*r = o.suspendedWithoutRule(field, value)
			return
		}
	}
}

// report: what the controller reports in conditions, state words, switches, errors and counters.
// The table decisions says which of them decides.
func report(o *Fields, r *Result) {
	ev := o.eval
	s := &ev.signals
	conditionSignals(o, s)
	stateSignals(o, s)
	hintSignals(o, s)
	s.settleWarning()
	s.settleEmpty()
	x, w := s.decisive()
	if run := s.get(component, word.Progressing); w == detail && run != nil && o.outweighs(run, x) {
		x, w = run, component
	}
	missing := ""
	if x == nil || !x.notReady() && (w != summary || x.kind == signalSummary) {
		missing = o.missingSummary()
	}
	switch {
	case missing != "" && (ev.profile.whole || !o.hasOtherSummary(x)):
		*r = InProgress("NotObserved", "its controller has not reported condition %s yet, %s", missing, o.summaryDeclaredBy())
		r.Confidence = ConfidenceStrong
	case missing != "":
		*r = o.verdict(x, w)
		r.Message, r.Confidence = r.Message+", although condition "+missing+" is missing", ConfidenceAssumed
	case x != nil:
		*r = o.verdict(x, w)
	}
	if s.warning.name != "" && r.Status == CurrentStatus {
		o.Warn("%s", s.warning.word(o, ""))
	}
}

// outweighs reports whether a run goes on, since condition Running is True and nothing reports its
// end, although another condition has its normal state.
func (f *Fields) outweighs(run, x *signal) bool {
	return x.polarity == word.Ready && x.kind == signalCondition && run.kind == signalCondition && run.isRunning() &&
		f.eval.hint.finite(f.eval.kind.Kind) && !f.reportsEnd()
}

// expectation: no evidence decided, so the result depends on what the schema of the kind
// declares.
func expectation(o *Fields, r *Result) {
	e := o.eval.expectation
	_, hasSeen := value.Generation(o.get("status.observedGeneration"))
	switch {
	case e.Status == schema.TristateNo:
		*r = Current("NoStatusExpected", "%s declares no status", sourceOf(&e))
		return
	case o.eval.hint != nil && o.eval.hint.StatusOptional:
		*r = Current("NoStatusExpected", "its kind requires no status")
		return
	case statusDeclarer(&e) != "" && o.statusIsEmpty():
		*r = InProgress("NotObserved", "its controller has not reported anything yet, although %s", statusDeclarer(&e))
		r.Confidence = ConfidenceMedium
	case o.eval.hint.isRunKind(o.eval.kind.Kind) && o.statusIsEmpty():
		*r = InProgress("NotStarted", "it has not reported anything yet, and its kind runs to completion")
		r.Confidence = ConfidenceAssumed
	case o.eval.hint.isRunKind(o.eval.kind.Kind), o.eval.hint.finite(o.eval.kind.Kind) && (hasSeen || o.hasStarted()):
		*r = InProgress("NoSummary", "its status does not report that it has completed")
		r.Confidence = ConfidenceAssumed
	case hasSeen && o.Generation() > 0:
		*r = Current("ObservedOnly", "its controller has observed this generation and reports no conditions")
		r.Confidence = ConfidenceMedium
	default:
		*r = Current("NoEvidence", "its status does not show whether it is ready")
		r.Confidence = ConfidenceAssumed
	}
}

// hasStarted reports whether the status has the time at which a run began.
func (f *Fields) hasStarted() bool {
	for name, v := range f.eval.status {
		if v != nil && v != "" && field.RoleOf(name).Is(field.StartTime) {
			return true
		}
	}
	return false
}

// missingSummary returns the summary condition of the kind if the object does not have it, else
// an empty text.
func (f *Fields) missingSummary() string {
	ev := f.eval
	if ev.hint.sums() {
		for _, t := range ev.hint.Summary {
			first, second, two := strings.Cut(string(t), "|")
			if !f.hasCondition(first) && (!two || !f.hasCondition(second)) {
				return first
			}
		}
		return ""
	}
	if t := ev.expectation.SummaryCondition; t != "" && !f.hasCondition(string(t)) {
		return t
	}
	return ""
}

// hasOtherSummary reports whether the signal summarizes the object in place of the summary
// conditions in the hint. None of them exists, since some versions of a kind do not write them. The
// signal is a state word such as Ready. It can also be a condition if none has changed for a while.
func (f *Fields) hasOtherSummary(x *signal) bool {
	hint := f.eval.hint
	if x == nil || x.polarity != word.Ready || x.guess || !hint.sums() {
		return false
	}
	for _, t := range hint.Summary {
		first, second, _ := strings.Cut(t, "|")
		if word.IsEnd(first) || f.hasCondition(first) || f.hasCondition(second) {
			return false
		}
	}
	switch x.kind {
	case signalBool:
		return field.RoleOf(x.name).Is(field.ReadyBool)
	case signalWord:
		return x.in == (location{}) && field.RoleOf(x.name).Is(field.StateWord) && word.Is(x.reason, "available", "healthy", "ready", "reconciled", "synced")
	case signalSummary, signalCondition:
		s := &f.eval.signals
		waits := s.get(component, word.Failing) != nil || s.get(component, word.Progressing) != nil
		return hint.Required == nil && !hint.finite(f.eval.kind.Kind) && !waits && f.isSettled()
	}
	return false
}

// settled is how long the conditions of an object must not have changed to be all that its
// controller reports.
const settled = time.Hour

// isSettled reports whether no condition has changed for a while.
func (f *Fields) isSettled() bool {
	known := false
	for _, item := range f.eval.index().list {
		m, _ := item.(map[string]any)
		at, _ := m["lastTransitionTime"].(string)
		since, err := time.Parse(time.RFC3339, at)
		if err == nil && f.eval.now().Sub(since) < settled {
			return false
		}
		known = known || err == nil
	}
	return known
}

// hasCondition reports whether the object has a condition of that type.
func (f *Fields) hasCondition(t string) bool {
	ev := f.eval
	if m, ok := ev.status["conditions"].(map[string]any); ok {
		return m[t] != nil
	}
	x := ev.index()
	for i, item := range x.list {
		if m, _ := item.(map[string]any); x.typeOf(i, m) == t {
			return true
		}
	}
	return false
}

// summaryDeclaredBy describes, to follow the condition, what declares that it is the summary of
// the kind.
func (f *Fields) summaryDeclaredBy() string {
	ev := f.eval
	if ev.hint.sums() {
		return "the summary of its kind"
	}
	return "which has a printer column in " + sourceOf(&ev.expectation)
}
