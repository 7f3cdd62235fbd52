package status

import (
	"strings"

	"kstatus.dev/status/internal/value"
)

// This file has the rules for the workloads of OpenKruise. Each of them is
// Current when the requested replicas exist, are available, and run the latest
// template. Replicas that a partition holds back may be outdated. A workload is
// suspended while its update is paused with outdated replicas left, and scaled
// to zero when spec.replicas is 0.

// A CloneSet reports how many of its replicas are to be updated, since its
// partition may be a percentage. It fails while it cannot create or update Pods
// (conditions FailedScale and FailedUpdate).
func cloneSet(o *Fields) Result {
	for _, t := range [...]string{"FailedScale", "FailedUpdate"} {
		if c := o.Condition(t); c.Is(conditionTrue) {
			return FailedRecoverable("ReportsFailure", "%s", c.Sentence()).by(c)
		}
	}
	p := kruisePods{
		want: o.Int("spec.replicas", 1), have: o.Int("status.replicas", 0), updated: o.Int("status.updatedReplicas", 0),
		ready: o.Int("status.readyReplicas", 0), available: o.Int("status.availableReplicas", 0),
		paused: o.Bool("spec.updateStrategy.paused", false),
	}
	p.target = min(p.want, o.Int("status.expectedUpdatedReplicas", p.want-partitionSize(o.get("spec.updateStrategy.partition"), p.want)))
	return p.of(o).judge()
}

// An advanced StatefulSet waits for available replicas only if it has a
// minReadySeconds. With the OnDelete strategy outdated Pods wait to be deleted
// by hand.
func kruiseStatefulSet(o *Fields) Result {
	p := kruisePods{
		want: o.Int("spec.replicas", 1), have: o.Int("status.replicas", 0), updated: o.Int("status.updatedReplicas", 0),
		ready:  o.Int("status.readyReplicas", 0),
		paused: o.Bool("spec.updateStrategy.rollingUpdate.paused", false),
		manual: o.Text("spec.updateStrategy.type", "") == "OnDelete",
	}
	p.target, p.available = p.want-partitionSize(o.get("spec.updateStrategy.rollingUpdate.partition"), p.want), p.ready
	if o.Int("spec.updateStrategy.rollingUpdate.minReadySeconds", 0) > 0 {
		p.available = o.Int("status.availableReplicas", 0)
	}
	return p.of(o).judge()
}

// An advanced DaemonSet has a replica on each node that it selects. Its status
// does not show which nodes the selector of its update matches, so outdated
// Pods do not count if it has one.
func kruiseDaemonSet(o *Fields) Result {
	p := kruisePods{
		want: o.Int("status.desiredNumberScheduled", 0), have: o.Int("status.currentNumberScheduled", 0), updated: o.Int("status.updatedNumberScheduled", 0),
		ready: o.Int("status.numberReady", 0), available: o.Int("status.numberAvailable", 0),
		paused: o.Bool("spec.updateStrategy.rollingUpdate.paused", false),
		manual: o.Text("spec.updateStrategy.type", "") == "OnDelete" || o.Has("spec.updateStrategy.rollingUpdate.selector"),
	}
	p.target = p.want - partitionSize(o.get("spec.updateStrategy.rollingUpdate.partition"), p.want)
	if !o.Has("status.desiredNumberScheduled") {
		return InProgress("NotObserved", "its controller has not reported yet how many nodes it selects")
	}
	if p.want == 0 {
		return Current("Reconciled", "no node matches")
	}
	return p.of(o).judge()
}

// A UnitedDeployment has one partition for each of its subsets. Without
// spec.replicas, its subsets have fixed numbers. It fails while
// a subset cannot be created or updated (condition SubsetFailure).
func unitedDeployment(o *Fields) Result {
	if c := o.Condition("SubsetFailure"); c.Is(conditionTrue) {
		return FailedRecoverable("ReportsFailure", "%s", c.Sentence()).by(c)
	}
	p := kruisePods{have: o.Int("status.replicas", 0), updated: o.Int("status.updatedReplicas", 0), ready: o.Int("status.readyReplicas", 0)}
	p.want = o.Int("spec.replicas", p.have)
	p.target, p.available = p.want, p.ready
	for _, n := range o.Map("spec.updateStrategy.manualUpdate.partitions") {
		p.target -= partitionSize(n, p.want)
	}
	return p.of(o).judge()
}

// kruisePods counts the Pods of a workload.
type kruisePods struct {
	want, have, updated, target, ready, available int64

	paused bool // its update is paused
	manual bool // outdated Pods are replaced when they are deleted
}

// of replaces missing counts of all Pods by the counts of the updated ones.
func (p kruisePods) of(o *Fields) kruisePods {
	available := o.Int("status.updatedAvailableReplicas", 0)
	ready := max(o.Int("status.updatedReadyReplicas", 0), available)
	if !o.Has("status.updatedReplicas") {
		p.updated = max(p.updated, ready)
	}
	if !o.Has("status.readyReplicas") {
		p.ready = max(p.ready, ready, p.available)
	}
	if !o.Has("status.availableReplicas") {
		p.available = max(p.available, available)
	}
	return p
}

func (p kruisePods) judge() Result {
	target := max(p.target, 0)
	switch {
	case p.paused && p.updated < target:
		return Suspended(SuspendedByUser, "Paused", "%d/%d updated; its update is paused", p.updated, target)
	case p.updated < target && !p.manual:
		return InProgress("RolloutUpdating", "%d/%d updated", p.updated, target)
	case p.have < p.want:
		return InProgress("NotAvailable", "%d/%d replicas", p.have, p.want)
	case p.have > p.want:
		return InProgress("RolloutTerminatingOld", "%d/%d replicas; waiting for %d to be deleted", p.have, p.want, p.have-p.want)
	case p.available < p.want || p.ready < p.want:
		return InProgress("NotAvailable", "%d/%d available", min(p.available, p.ready), p.want)
	case p.want == 0:
		return Suspended(SuspendedByUser, "ScaledToZero", "scaled to zero")
	case p.updated < target:
		return Current("AwaitingManualDeletion", "%d/%d available; %d outdated stay until they are deleted (OnDelete)", p.available, p.want, target-p.updated)
	case p.updated < p.want && target == 0:
		return Current("Reconciled", "%d/%d available; the partition holds the update back", p.available, p.want)
	case p.updated < p.want:
		return Current("Reconciled", "%d/%d available, %d/%d updated; the partition holds the other %d back", p.available, p.want, target, target, p.want-target)
	}
	return Current("Reconciled", "%d/%d available", p.available, p.want)
}

// partitionSize returns how many of all replicas a partition holds back, which is a
// number or a percentage. It rounds the number of replicas to update up.
func partitionSize(partition any, all int64) int64 {
	if n, ok := value.Int(partition); ok {
		return n
	}
	s, _ := partition.(string)
	if percent, ok := strings.CutSuffix(s, "%"); ok {
		n, _ := decimal(percent)
		return (all*n + 99) / 100
	}
	n, _ := decimal(s)
	return n
}
