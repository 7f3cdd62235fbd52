package status

import (
	"strings"

	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/schema"
)

// This file holds what the rules for the kinds of Cluster API share. The fields of an object
// show which contract it follows, v1beta1 or v1beta2. The version of the API does not: an object
// read as v1beta1 from a newer Cluster API has the conditions of v1beta2 in status.v1beta2.

// capiOverride checks what holds for every kind: whether the object is paused, is being deleted, or
// has a generation that its controller has not observed. Pausing comes first, because a paused
// controller leaves status.observedGeneration behind (cluster-api#8473).
func capiOverride(o *Fields, g schema.Generation) (r Result) {
	const annotation = "cluster.x-k8s.io/paused"
	path := capiConditions(o)
	switch {
	case o.Bool("spec.paused", false):
		return Suspended(SuspendedByUser, "Paused", "its reconciliation is paused by spec.paused")
	case o.HasKey("metadata.annotations", annotation):
		return Suspended(SuspendedByUser, "Paused", "its reconciliation is paused by the annotation %s", annotation)
	}
	if c := o.ConditionIn(path, "Paused"); c.Is(conditionTrue) {
		return Suspended(SuspendedByUser, "Paused", "its reconciliation is paused: "+c.Text()).by(c)
	}
	if c := o.ConditionIn(path, "Deleting"); c.Is(conditionTrue) {
		return Result{Status: TerminatingStatus, Reason: "Deleting", Message: c.Text()}.by(c)
	}
	o.eval.entry.Generation = g
	generation(o, &r)
	return r
}

// capiConditions returns the path of the conditions of the newest contract.
func capiConditions(o *Fields) string {
	if o.Has("status.v1beta2.conditions") {
		return "status.v1beta2.conditions"
	}
	return "status.conditions"
}

// isCAPIV1Beta1 reports whether the status follows only the contract v1beta1: it has the condition
// Ready and no field that v1beta2 added.
func isCAPIV1Beta1(o *Fields) bool {
	return o.Condition("Ready").Status != "" && o.Condition("Paused").Status == "" &&
		!o.Has("status.v1beta2") && !o.Has("status.deprecated") && !o.Has("status.initialization")
}

// capiSummary returns a result unless the summary condition is True: the named condition in the
// contract v1beta2, Ready in v1beta1. Only v1beta1 reports failures: those that its controllers
// have given up on, and those with severity Error.
func capiSummary(o *Fields, t string) (r Result) {
	path, old := capiConditions(o), isCAPIV1Beta1(o)
	if old {
		t = "Ready"
	}
	if r := capiFailure(o); r.Status != "" {
		return r
	}
	c := o.ConditionIn(path, t)
	switch {
	case c.Status == "":
		return InProgress("NotObserved", "its controller has not reported yet whether it is %s", strings.ToLower(string(t)))
	case c.Stale:
		return InProgress("StaleCondition", "condition %s is for an earlier generation than %d", t, o.Generation())
	case c.Status == conditionFalse && old && hasCAPISeverityError(o, t):
		return FailedRecoverable("Stalled", "%s", c.Text()).by(c)
	case c.Status != conditionTrue:
		return InProgress("SummaryConditionNotTrue", "%s is %s: %s", t, c.Status, c.Text()).by(c)
	}
	return r
}

// capiFailure returns a terminal failure if a controller of the contract v1beta1 has given up.
// It then sets failureReason and failureMessage, or the phase Failed. Beside the conditions of
// v1beta2 these fields are leftovers and mean nothing.
func capiFailure(o *Fields) (r Result) {
	if o.Has("status.v1beta2") {
		return r
	}
	reason, message := o.Text("status.failureReason", ""), o.Text("status.failureMessage", "")
	switch {
	case reason != "" && message != "":
		return FailedTerminal("GivenUp", "%s: %s", reason, oneLine(message))
	case reason != "" || message != "":
		return FailedTerminal("GivenUp", "%s", reason+oneLine(message))
	case isCAPIV1Beta1(o) && o.Text("status.phase", "") == "Failed":
		return FailedTerminal("GivenUp", "its phase is Failed: %s", o.Condition("Ready").Text()).by(o.Condition("Ready"))
	}
	return r
}

// hasCAPISeverityError reports whether the condition is of the contract v1beta1 and has severity
// Error: a user must act.
func hasCAPISeverityError(o *Fields, t string) bool {
	const path = "status.conditions"
	for i, item := range value.List(o.get(path)) {
		if m, is := o.entry(path, i, item); is == t && m["severity"] == "Error" {
			o.recordRead(path+"["+string(t)+"].severity", "Error")
			return true
		}
	}
	return false
}

// capiChanges lists the conditions that report a change of Machines, with the reason for each,
// in order of precedence.
var capiChanges = [...]struct {
	condition string
	reason    string
}{
	{"RollingOut", "RolloutUpdating"},
	{"Remediating", "Reconciling"},
	{"ScalingUp", "NotAvailable"},
	{"ScalingDown", "RolloutTerminatingOld"},
}

// capiChangeResult returns a result while Machines are being changed.
func capiChangeResult(o *Fields) (r Result) {
	path := capiConditions(o)
	for _, change := range capiChanges {
		if c := o.ConditionIn(path, change.condition); c.Is(conditionTrue) {
			return InProgress(change.reason, "%s", c.Text()).by(c)
		}
	}
	return r
}
