package status

import "slices"

// A GatewayClass is Current when the controller in its spec has accepted it. It
// fails while the controller rejects its parameters or the version of the API;
// the failure is recoverable.
func gatewayClass(o *Fields) Result {
	if r := o.requireCondition("status.conditions", "Accepted", "NotAccepted"); r.Status != "" {
		return r
	}
	if c := o.Condition("SupportedVersion"); c.Is(conditionFalse) {
		o.Warn("%s", c.Text())
	}
	return currentWithMessage("accepted by " + o.Text("spec.controllerName", "its controller"))
}

// A Gateway or ListenerSet is Current when its controller has accepted and
// programmed it and every listener of its spec, for the current generation.
// Entries in the status for listeners that are no longer in the spec do not
// count.
//
// It fails when it or a listener is rejected, and when listeners conflict. It
// also fails when a reference of a listener does not resolve, and when a
// requested address cannot be used. All these failures are recoverable. Until
// it has an address, it waits for one.
func gateway(o *Fields) Result {
	if r := o.requireCondition("status.conditions", "Accepted", "NotAccepted"); r.Status != "" {
		return r
	}
	worst := o.worstListener()
	if o.Condition("ResolvedRefs").Status != "" {
		worst = worse(worst, o.requireCondition("status.conditions", "ResolvedRefs", "RefsNotResolved"))
	}
	if worst.Status == FailedStatus {
		return worst
	}
	c := o.Condition("Programmed")
	switch {
	case c.Stale || c.Status == conditionTrue:
	case c.Reason == "AddressNotAssigned":
		return InProgress("WaitingForAddress", "%s", c.Text()).by(c)
	case c.Reason == "AddressNotUsable":
		return FailedRecoverable("AddressFailed", "%s", c.Text()).by(c)
	case c.Reason == "Invalid":
		return FailedRecoverable("NotAccepted", "%s", c.Text()).by(c)
	}
	if r := o.requireCondition("status.conditions", "Programmed", ""); r.Status != "" {
		return r
	}
	if worst.Status != "" {
		return worst
	}
	n := o.Len("spec.listeners")
	return Current("Reconciled", "programmed, %d/%d listeners", n, n)
}

// worstListener returns the result of the worst listener in the spec.
func (f *Fields) worstListener() (worst Result) {
	if f.Len("spec.listeners") == 0 {
		return worst
	}
	reported := map[string]bool{}
	for l := range f.Each("spec.listeners") {
		reported[l.Text("name", "")] = false
	}
	for l := range f.Each("status.listeners") {
		name := l.Text("name", "")
		if _, declared := reported[name]; declared {
			reported[name] = true
			if r := l.listenerResult(); r.Status != "" {
				worst = worse(worst, r.withSubject("listener "+name))
			}
		}
	}
	for name, is := range reported {
		if !is {
			worst = worse(worst, InProgress("NotObserved", "listener %s: it has no status yet", name))
		}
	}
	return worst
}

// listenerResult judges one entry of status.listeners.
func (f *Fields) listenerResult() (worst Result) {
	if c := f.ConditionIn("conditions", "Conflicted"); c.Is(conditionTrue) {
		return FailedRecoverable("NotAccepted", "%s", c.Text()).by(c)
	}
	worst = f.requireCondition("conditions", "Accepted", "NotAccepted")
	worst = worse(worst, f.requireCondition("conditions", "ResolvedRefs", "RefsNotResolved"))
	return worse(worst, f.requireCondition("conditions", "Programmed", ""))
}

// undecidedReasons are the reasons of a condition without a decision, in current
// and former versions of the Gateway API.
var undecidedReasons = []string{"Pending", "Waiting", "NotReconciled"}

// requireCondition judges a condition that has to be True for the current generation; the
// zero Result means that it is. If it is False, the result is a failure with
// the given reason, or InProgress if the reason is empty.
func (f *Fields) requireCondition(path string, t string, failure string) (r Result) {
	c := f.ConditionIn(path, t)
	switch {
	case c.Status == "":
		return InProgress("NotObserved", "%s is not reported yet", t)
	case c.Stale:
		return InProgress("StaleCondition", "condition %s is for an earlier generation than %d", t, f.Generation())
	case c.Status == conditionTrue:
		return r
	case (c.Status == conditionUnknown || failure != "") && slices.Contains(undecidedReasons, c.Reason):
		return InProgress("NotObserved", "%s is %s: %s", t, c.Status, c.Text()).by(c)
	case c.Status == conditionFalse && failure != "":
		return FailedRecoverable(failure, "%s", c.Text()).by(c)
	}
	return InProgress("SummaryConditionNotTrue", "%s is %s: %s", t, c.Status, c.Text()).by(c)
}
