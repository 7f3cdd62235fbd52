package status

// A DaemonSet is Current when every node that it selects runs a Pod from the
// latest template, and all these Pods are ready and available. If it selects no
// node, it is Current with a caveat. Pods on nodes that it no longer selects do not count
// against it, but add a warning.
//
// The controller always writes the number of scheduled and of ready Pods, and
// omits other counts that are zero. The numbers of available and unavailable
// Pods are the same fact.
//
// With the OnDelete strategy outdated Pods do not count against it: they wait
// to be deleted by hand.
func daemonSet(o *Fields) Result {
	var (
		want      = o.Int("status.desiredNumberScheduled", 0)
		have      = o.Int("status.currentNumberScheduled", want)
		updated   = o.Int("status.updatedNumberScheduled", 0)
		ready     = o.Int("status.numberReady", want)
		available = o.Int("status.numberAvailable", 0)
		manual    = o.Text("spec.updateStrategy.type", "RollingUpdate") == "OnDelete"
	)
	if stray := o.Int("status.numberMisscheduled", 0); stray > 0 {
		o.Warn("%d nodes run one of its Pods but should not (numberMisscheduled)", stray)
	}
	if available == 0 && o.Has("status.numberUnavailable") {
		available = want - o.Int("status.numberUnavailable", 0)
	}
	switch {
	case !o.Has("status.desiredNumberScheduled"):
		return InProgress("NotObserved", "its controller has not reported yet how many nodes it selects")
	case have < want:
		return InProgress("RolloutUpdating", "%d/%d nodes have a Pod", have, want)
	case updated < want && !manual:
		return InProgress("RolloutUpdating", "%d/%d updated", updated, want)
	case available < want && ready >= want && o.Int("spec.minReadySeconds", 0) > 0:
		return InProgress("MinReadySeconds", "%d/%d available, all ready; available after %d s", available, want, o.Int("spec.minReadySeconds", 0))
	case available < want || ready < want:
		return InProgress("NotAvailable", "%d/%d available", min(available, ready), want)
	case want == 0:
		return Current("Reconciled", "no node matches").WithCaveat("it runs no Pod, because no node matches")
	case updated < want:
		return Current("AwaitingManualDeletion", "%d/%d available; %d outdated stay until they are deleted (OnDelete)", available, want, want-updated).WithCaveat(outdatedPods)
	}
	return Current("Reconciled", "%d/%d available", available, want)
}

// outdatedPods is the caveat of a workload with the OnDelete strategy.
const outdatedPods = "Pods of an earlier template stay until they are deleted"
