package status

import (
	"slices"
	"strings"

	"kstatus.dev/internal/condition"
	"kstatus.dev/status/internal/field"
	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// A meaning is the verdict for the signal that decides, if the signal is of this polarity and kind and
// when, if set, holds.
type meaning struct {
	polarity word.Polarity // None: any
	kind     signalKind    // anyKind: any
	when     func(f *Fields, x *signal, w precedence) bool
	verdict  func(f *Fields, x *signal) Result
}

// anyKind is no kind of signal. A meaning with it is for all kinds.
const anyKind = signalKind(len(signalKinds))

// meanings lists what a signal means. The first that fits counts.
var meanings = []meaning{
	{word.None, anyKind, isStale, staleCondition},

	{word.Ready, anyKind, isNormal, reconciled},
	{word.Ready, signalSummary, nil, summaryIsTrue},
	{word.Ready, anyKind, isWholeGuess, onlyGuess},
	{word.Ready, anyKind, isGuess, guessOfPart},
	{word.Ready, signalCondition, isNew, noProblemYet},
	{word.Ready, signalCondition, nil, noProblem},
	{word.Ready, anyKind, isOnlyPart, readyPart},
	{word.Ready, anyKind, nil, reconciled},

	{word.Suspended, anyKind, nil, suspended},

	{word.Progressing, signalSummary, nil, summaryNotTrue},
	{word.Progressing, anyKind, isFiniteRun, running},
	{word.Progressing, signalCondition, nil, conditionNotTrue},
	{word.Progressing, signalWord, isGuess, unknownState},
	{word.Progressing, signalWord, isUnknownWord, reportsUnknown},
	{word.Progressing, signalHint, isUnwritten, notObserved},
	{word.Progressing, signalCounter, nil, notAvailable},
	{word.Progressing, anyKind, nil, reconciling},

	{word.Failing, anyKind, isPassingPart, conditionNotTrue},
	{word.Failing, anyKind, nil, reportedFailure},
}

// verdict returns the verdict for the signal that decides.
func (f *Fields) verdict(x *signal, w precedence) (r Result) {
	for i := range meanings {
		m := &meanings[i]
		if (m.polarity == word.None || m.polarity == x.polarity) && (m.kind == anyKind || m.kind == x.kind) && (m.when == nil || m.when(f, x, w)) {
			r = m.verdict(f, x)
			break
		}
	}
	if x.kind == signalSummary && x.notReady() {
		r.Message = f.followed(x, r.Message)
	}
	r.Rule, r.Confidence = x.kind.String(), ConfidenceMedium
	if !x.stale && (x.polarity != word.Ready || x.kind == signalSummary || x.guess) {
		r = r.by(Condition{Since: x.since})
	}
	switch {
	case r.Reason == ReasonNoSummary, r.Reason == ReasonNoEvidence:
		r.Confidence = ConfidenceAssumed
	case x.kind == signalSummary && x.stale:
		r.Confidence = ConfidenceExplicit
	case x.kind == signalSummary, x.kind == signalHint:
		r.Confidence = ConfidenceStrong
	}
	return r
}

// The functions below say when a meaning fits.

func isStale(_ *Fields, x *signal, _ precedence) bool { return x.stale }

func isGuess(_ *Fields, x *signal, _ precedence) bool { return x.guess }

func isNew(f *Fields, _ *signal, _ precedence) bool { return f.creationGrace() > 0 }

// isNormal reports whether a condition that is not True has a reason that is as it should be.
func isNormal(f *Fields, x *signal, _ precedence) bool {
	return x.status != "" && x.status != conditionTrue && (f.eval.hint.isNormalReason(x.reason) || word.IsNotNeeded(x.reason) || x.isTaken())
}

func isWholeGuess(f *Fields, x *signal, _ precedence) bool { return x.guess && f.isWhole(x) }

// isOnlyPart reports whether a profile that wants evidence on the whole object has it on a part.
func isOnlyPart(f *Fields, x *signal, _ precedence) bool {
	return f.eval.profile.whole && f.eval.hint == nil && x.isPartial()
}

func isFiniteRun(f *Fields, x *signal, _ precedence) bool {
	return x.isRunning() && f.eval.hint.finite(f.eval.kind.Kind)
}

func isUnknownWord(f *Fields, x *signal, _ precedence) bool {
	return !f.eval.hint.has(x.reason) && strings.EqualFold(x.reason, "unknown")
}

func isUnwritten(f *Fields, x *signal, _ precedence) bool {
	return x.reason == notFilledIn && f.statusIsEmpty()
}

func isPassingPart(f *Fields, x *signal, w precedence) bool {
	return w == component && !f.isFailedPart(x)
}

// The functions below return the verdicts of meanings.

func staleCondition(f *Fields, x *signal) Result {
	return InProgress("StaleCondition", "condition %s is for an earlier generation than %d", x.name, f.Generation())
}

func reconciled(f *Fields, x *signal) Result { return Current("Reconciled", x.text(f)) }

func summaryIsTrue(_ *Fields, x *signal) Result { return Current("Reconciled", x.name+" is True") }

func onlyGuess(_ *Fields, x *signal) Result {
	return Current("NoEvidence", "condition "+x.name+" is True, and nothing reports a problem")
}

func guessOfPart(_ *Fields, x *signal) Result {
	return InProgress("NoSummary", "condition %s is True, but the object has no known summary condition", x.name)
}

func noProblemYet(f *Fields, _ *signal) Result {
	r := InProgress("NotObserved", "no condition reports a problem, but the object is new, and a summary condition may follow")
	r.Recheck = f.creationGrace()
	return r
}

func noProblem(*Fields, *signal) Result {
	return Current("Reconciled", "no condition reports a problem")
}

func readyPart(f *Fields, x *signal) Result {
	return InProgress("NoSummary", x.word(f, ", which is only a part of its state"))
}

func suspended(f *Fields, x *signal) Result {
	return Suspended(SuspendedByUser, "Suspended", x.text(f))
}

func summaryNotTrue(f *Fields, x *signal) Result {
	return InProgress("SummaryConditionNotTrue", "%s", f.withState(x))
}

func conditionNotTrue(f *Fields, x *signal) Result {
	return InProgress("SummaryConditionNotTrue", "%s", x.text(f))
}

func running(f *Fields, x *signal) Result { return InProgress("Running", "%s", x.text(f)) }

func unknownState(f *Fields, x *signal) Result {
	return Result{Status: UnknownStatus, Reason: "StateNotKnown", Message: x.word(f, ", which is not a known state; a rule can define it")}
}

func reportsUnknown(f *Fields, x *signal) Result {
	return Result{Status: UnknownStatus, Reason: "ReportsUnknown", Message: x.text(f)}
}

func notObserved(*Fields, *signal) Result {
	return InProgress("NotObserved", "its controller has not reported anything yet")
}

func notAvailable(f *Fields, x *signal) Result { return InProgress("NotAvailable", "%s", x.text(f)) }

func reconciling(f *Fields, x *signal) Result { return InProgress("Reconciling", "%s", x.text(f)) }

// reportedFailure returns the verdict for a problem. Many pass by themselves, as in each rollout, so a
// problem must last for a while. It began at the latest when the status was last written. What a run
// reports is final.
func reportedFailure(f *Fields, x *signal) Result {
	r := FailedRecoverable("ReportsFailure", "%s", x.text(f))
	if f.eval.hint.finite(f.eval.kind.Kind) {
		return r
	}
	since := x.since
	if since == "" {
		w := f.eval.object.writes()
		since = w.StatusTime
	}
	if since == "" && f.eval.hint.isPassing(x.reason) {
		r.Status, r.Recheck = InProgressStatus, f.eval.profile.windows[r.Reason] // its time is unknown, and it often passes
		return r
	}
	return f.FailAfterWindow(since, r)
}

// followed returns the text of a summary condition, with the texts of the conditions that it only
// names. "Ready is False: NodeReady=False" says nothing about the node.
func (f *Fields) followed(x *signal, text string) string {
	var more []string
	for other := range condition.All(f.eval.status["conditions"]) {
		t := other.Type
		if t == x.name || !word.Names(x.message, t) && x.reason != t {
			continue
		}
		c := f.condition("status.conditions", t, other.Raw)
		role, _, _ := f.roleOf(t)
		if c.Message != "" && !isAsWanted(t, role, c.Status) && !c.Stale && !strings.Contains(text, c.Message) {
			more = append(more, c.Sentence())
			if x.message == t+"="+string(c.Status) { // nothing else
				return x.name + " is " + string(x.status) + ": " + c.Sentence()
			}
		}
	}
	slices.Sort(more)
	for _, sentence := range slices.Compact(more) {
		text += "; " + sentence
	}
	return text
}

// isFailedPart reports whether a part of the object has failed for good, or with an error while no
// other part is ready.
func (f *Fields) isFailedPart(x *signal) bool {
	role := field.RoleOf(x.name)
	return role.Is(field.OutcomeWord) || role.Is(field.ErrorText) && f.eval.signals.get(component, word.Ready) == nil
}

// isWhole reports whether a True condition of an unknown type is all that the controller reports.
// It is if the controller has observed the generation, or if no condition has changed for a while.
func (f *Fields) isWhole(x *signal) bool {
	if word.IsFirstStep(x.name) || f.eval.hint.isRunKind(f.eval.kind.Kind) {
		return false
	}
	_, hasSeen := value.Generation(f.get("status.observedGeneration"))
	return hasSeen && f.Generation() > 0 || f.isSettled()
}

// isPartial reports whether the signal is a word for one aspect or one part of the object.
func (x *signal) isPartial() bool {
	role := field.RoleOf(x.name)
	return x.kind == signalWord && (x.in != (location{}) || !role.Is(field.StateWord|field.EndTime) && !field.IsWhole(x.name))
}

// isRunning reports whether the signal says that the object runs.
func (x *signal) isRunning() bool {
	return x.kind == signalWord && word.Is(x.reason, "running", "started") || x.kind == signalCondition && x.name == "Running" && x.status == conditionTrue
}

// withState describes a condition, followed by the state if that says more.
func (f *Fields) withState(x *signal) string {
	text := x.text(f)
	state := f.eval.signals.get(override, word.Progressing)
	if state == nil || state.kind != signalWord || state.guess || strings.Contains(text, state.reason) {
		return text
	}
	return text + "; " + state.text(f)
}
