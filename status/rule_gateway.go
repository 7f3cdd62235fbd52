package status

import "slices"

// A GatewayClass is current once the controller that it names has accepted it.
// One that it refuses, for its parameters or for the version of the API, is
// failing; it may heal.
func gatewayClass(o *Fields) Result {
	if r := o.must("status.conditions", "Accepted", "NotAccepted"); r.Status != "" {
		return r
	}
	if c := o.Condition("SupportedVersion"); c.Is(conditionFalse) {
		o.Warn("%s", c.Text())
	}
	return reconciled("accepted by " + o.Text("spec.controllerName", "its controller"))
}

// A Gateway or ListenerSet is current once its controller has accepted it and
// set it up (condition Programmed), and likewise every listener of its spec, all
// of that for this generation. What status says of listeners that spec no longer
// names does not count.
//
// It is failing when it or a listener is refused, when a listener conflicts with
// another or a reference of one does not resolve, and when an address that it
// asks for cannot be used; all of that may heal. Until an address has been
// given to it, it waits for that.
func gateway(o *Fields) Result {
	if r := o.must("status.conditions", "Accepted", "NotAccepted"); r.Status != "" {
		return r
	}
	worst := o.listeners()
	if o.Condition("ResolvedRefs").Status != "" {
		worst = worse(worst, o.must("status.conditions", "ResolvedRefs", "RefsNotResolved"))
	}
	if worst.Status == FailedStatus {
		return worst
	}
	c := o.Condition("Programmed")
	switch {
	case c.Stale || c.Status == conditionTrue:
	case c.Reason == "AddressNotAssigned":
		return InProgress("WaitingForAddress", "%s", c.Text())
	case c.Reason == "AddressNotUsable":
		return FailedRecoverable("AddressFailed", "%s", c.Text())
	case c.Reason == "Invalid":
		return FailedRecoverable("NotAccepted", "%s", c.Text())
	}
	if r := o.must("status.conditions", "Programmed", ""); r.Status != "" {
		return r
	}
	if worst.Status != "" {
		return worst
	}
	n := o.Len("spec.listeners")
	return Current("Reconciled", "programmed, %d/%d listeners", n, n)
}

// listeners answers for the worst of the listeners that spec names.
func (f *Fields) listeners() (worst Result) {
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
			if r := l.listener(); r.Status != "" {
				worst = worse(worst, r.withSubject("listener "+name))
			}
		}
	}
	for name, is := range reported {
		if !is {
			worst = worse(worst, InProgress("NotObserved", "listener %s: nothing is reported yet", name))
		}
	}
	return worst
}

// listener judges one entry of status.listeners.
func (f *Fields) listener() (worst Result) {
	if c := f.ConditionIn("conditions", "Conflicted"); c.Is(conditionTrue) {
		return FailedRecoverable("NotAccepted", "%s", c.Text())
	}
	worst = f.must("conditions", "Accepted", "NotAccepted")
	worst = worse(worst, f.must("conditions", "ResolvedRefs", "RefsNotResolved"))
	return worse(worst, f.must("conditions", "Programmed", ""))
}

// The reasons of a condition that nobody has decided on yet, by today's and by
// former versions of the Gateway API.
var unreconciled = []string{"Pending", "Waiting", "NotReconciled"}

// must judges a condition that has to be True for this generation; the zero
// Result means that it is. False is a failure with the given reason, or work
// that goes on if the reason is empty.
func (f *Fields) must(path string, t string, failure string) (r Result) {
	c := f.ConditionIn(path, t)
	switch {
	case c.Status == "":
		return InProgress("NotObserved", "%s is not reported yet", t)
	case c.Stale:
		return InProgress("StaleCondition", "condition %s speaks of an earlier generation than %d", t, f.Generation())
	case c.Status == conditionTrue:
		return r
	case (c.Status == conditionUnknown || failure != "") && slices.Contains(unreconciled, c.Reason):
		return InProgress("NotObserved", "%s is %s: %s", t, c.Status, c.Text())
	case c.Status == conditionFalse && failure != "":
		return FailedRecoverable(failure, "%s", c.Text())
	}
	return InProgress("SummaryConditionNotTrue", "%s is %s: %s", t, c.Status, c.Text())
}
