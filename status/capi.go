package status

import (
	"strings"

	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/schema"
)

// What the rules for the kinds of Cluster API share. The contracts v1beta1 and
// v1beta2 are told apart by the fields that are there, not by the version of
// the API: an object read as v1beta1 from a newer Cluster API carries the
// conditions of v1beta2 in status.v1beta2.

// capiFirst answers what holds for every kind: its reconciling is paused, it is
// being deleted, or its controller has not seen the latest generation. Pausing
// comes first, because a controller that is paused leaves
// status.observedGeneration behind (cluster-api#8473).
func capiFirst(o *Fields, g schema.Generation) (r Result) {
	const annotation = "cluster.x-k8s.io/paused"
	path := capiConditions(o)
	switch {
	case o.Bool("spec.paused", false):
		return Suspended(SuspendedByUser, "Paused", "its reconciling is paused by spec.paused")
	case o.HasKey("metadata.annotations", annotation):
		return Suspended(SuspendedByUser, "Paused", "its reconciling is paused by the annotation %s", annotation)
	}
	if c := o.ConditionIn(path, "Paused"); c.Is(conditionTrue) {
		return Suspended(SuspendedByUser, "Paused", "its reconciling is paused: "+c.Text())
	}
	if c := o.ConditionIn(path, "Deleting"); c.Is(conditionTrue) {
		return Result{Status: TerminatingStatus, Reason: "Deleting", Message: c.Text()}
	}
	o.eval.entry.Generation = g
	generation(o, &r)
	return r
}

// capiConditions returns where the conditions of the newest contract stand.
func capiConditions(o *Fields) string {
	if o.Has("status.v1beta2.conditions") {
		return "status.v1beta2.conditions"
	}
	return "status.conditions"
}

// capiOld reports whether the status is of the contract v1beta1 alone: it has
// the condition Ready and nothing that came with v1beta2.
func capiOld(o *Fields) bool {
	return o.Condition("Ready").Status != "" && o.Condition("Paused").Status == "" &&
		!o.Has("status.v1beta2") && !o.Has("status.deprecated") && !o.Has("status.initialization")
}

// capiSummary answers unless the object's summary says that all is well: the
// named condition by the contract v1beta2, Ready by v1beta1. Only v1beta1 knows
// failures: those that its controllers have given up on, and those that they
// call errors.
func capiSummary(o *Fields, t string) (r Result) {
	path, old := capiConditions(o), capiOld(o)
	if old {
		t = "Ready"
	}
	if r := capiGivenUp(o); r.Status != "" {
		return r
	}
	c := o.ConditionIn(path, t)
	switch {
	case c.Status == "":
		return InProgress("NotObserved", "its controller has not reported yet whether it is %s", strings.ToLower(string(t)))
	case c.Stale:
		return InProgress("StaleCondition", "condition %s speaks of an earlier generation than %d", t, o.Generation())
	case c.Status == conditionFalse && old && capiSevere(o, t):
		return FailedRecoverable("Stalled", "%s", c.Text())
	case c.Status != conditionTrue:
		return InProgress("SummaryConditionNotTrue", "%s is %s: %s", t, c.Status, c.Text())
	}
	return r
}

// capiGivenUp answers for an object that a controller of the contract v1beta1
// has given up: it says why in failureReason and failureMessage, or by the
// phase Failed. Beside the conditions of v1beta2 both are left over and mean
// nothing.
func capiGivenUp(o *Fields) (r Result) {
	if o.Has("status.v1beta2") {
		return r
	}
	reason, message := o.Text("status.failureReason", ""), o.Text("status.failureMessage", "")
	switch {
	case reason != "" && message != "":
		return FailedTerminal("GivenUp", "%s: %s", reason, oneLine(message))
	case reason != "" || message != "":
		return FailedTerminal("GivenUp", "%s", reason+oneLine(message))
	case capiOld(o) && o.Text("status.phase", "") == "Failed":
		return FailedTerminal("GivenUp", "its phase is Failed: %s", o.Condition("Ready").Text())
	}
	return r
}

// capiSevere reports whether the condition is one of the contract v1beta1 with
// severity Error: a person has to step in.
func capiSevere(o *Fields, t string) bool {
	const path = "status.conditions"
	for i, item := range value.List(o.get(path)) {
		if m, is := o.entry(path, i, item); is == t && m["severity"] == "Error" {
			o.saw(path+"["+string(t)+"].severity", "Error")
			return true
		}
	}
	return false
}

// The conditions by which an object tells that Machines are being changed, and
// the reason that goes with each, in the order in which they count.
var capiChanges = [...]struct {
	condition string
	reason    string
}{
	{"RollingOut", "RolloutUpdating"},
	{"Remediating", "Reconciling"},
	{"ScalingUp", "NotAvailable"},
	{"ScalingDown", "RolloutTerminatingOld"},
}

// capiChanging answers while Machines are being changed.
func capiChanging(o *Fields) (r Result) {
	path := capiConditions(o)
	for _, change := range capiChanges {
		if c := o.ConditionIn(path, change.condition); c.Is(conditionTrue) {
			return InProgress(change.reason, "%s", c.Text())
		}
	}
	return r
}
