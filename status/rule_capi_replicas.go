package status

import "kstatus.dev/status/schema"

// A MachineSet is Current when spec.replicas Machines exist, are ready and are
// available. The contract v1beta2 gives it no summary condition, so the counts
// decide. Its MachineDeployment decides whether its Machines are up to date.
//
// It is suspended while it or its Cluster is paused, and scaled to zero when
// spec.replicas is 0. In the contract v1beta1 it fails while Ready is False
// with severity Error, and terminally when its controller has given up.
func capiMachineSet(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	if r := capiChangeResult(o); r.Status != "" {
		return r
	}
	if r := capiFailure(o); r.Status != "" {
		return r
	}
	if isCAPIV1Beta1(o) {
		if r := capiSummary(o, "Ready"); r.Status != "" {
			return r
		}
	}
	return capiReplicas(o, false)
}

// A MachineDeployment is Current when spec.replicas Machines are up to date and
// available, and no old Machine is left. The condition Available is not enough,
// since its strategy may permit fewer Machines.
//
// It is suspended while it or its Cluster is paused, and scaled to zero when
// spec.replicas is 0. In the contract v1beta1 it fails while Ready is False
// with severity Error, and terminally in the phase Failed.
func capiMachineDeployment(o *Fields) Result { return capiRollout(o) }

// A KubeadmControlPlane is Current when it is available, spec.replicas Machines
// are up to date, ready and available, and no old Machine is left.
//
// It is suspended while it or its Cluster is paused. In the contract v1beta1 it
// fails while Ready is False with severity Error, and terminally when its
// controller has given up (failureReason).
func capiControlPlane(o *Fields) Result { return capiRollout(o) }

func capiRollout(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	if r := capiChangeResult(o); r.Status != "" {
		return r
	}
	if r := capiSummary(o, "Available"); r.Status != "" {
		return r
	}
	return capiReplicas(o, true)
}

// A MachinePool is Current when its infrastructure has been provisioned and
// spec.replicas replicas are ready and available. Its controller may not write
// the condition Available; the condition counts if it exists.
//
// It is suspended while it or its Cluster is paused, and scaled to zero when
// spec.replicas is 0. In the contract v1beta1 it fails while Ready is False
// with severity Error, and terminally when its controller has given up.
func capiMachinePool(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	if r := capiChangeResult(o); r.Status != "" {
		return r
	}
	if r := capiFailure(o); r.Status != "" {
		return r
	}
	switch {
	case isCAPIV1Beta1(o) || o.ConditionIn(capiConditions(o), "Available").Status != "":
		if r := capiSummary(o, "Available"); r.Status != "" {
			return r
		}
	case !o.Bool("status.initialization.infrastructureProvisioned", o.Bool("status.infrastructureReady", false)):
		return InProgress("Creating", "its infrastructure has not been provisioned yet")
	}
	return capiReplicas(o, true)
}

// capiReplicas returns a result by the counts of Machines. If rolls is true,
// Machines that are not up to date count as missing. The contracts use
// different names, and in v1beta1 the counts differ by kind: an absent count is
// ignored.
func capiReplicas(o *Fields, rolls bool) Result {
	var (
		want      = o.Int("spec.replicas", 1)
		have      = o.Int("status.replicas", 0)
		ready     = o.Int("status.readyReplicas", 0)
		available = min(ready, o.Int("status.availableReplicas", ready))
		updated   = o.Int("status.upToDateReplicas", o.Int("status.updatedReplicas", want))
	)
	switch {
	case rolls && updated < want:
		return InProgress("RolloutUpdating", "%d/%d up to date", updated, want)
	case have > want:
		return InProgress("RolloutTerminatingOld", "%d/%d replicas; waiting for %d to be deleted", have, want, have-want)
	case have < want:
		return InProgress("NotAvailable", "%d/%d replicas", have, want)
	case available < want:
		return InProgress("NotAvailable", "%d/%d available", available, want)
	case want == 0:
		return Suspended(SuspendedByUser, "ScaledToZero", "scaled to zero")
	}
	return Current("Reconciled", "%d/%d available", available, want)
}
