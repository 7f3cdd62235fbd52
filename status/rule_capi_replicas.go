package status

import "kstatus.dev/status/schema"

// A MachineSet is current once as many Machines as spec.replicas asks for are
// there, ready and available. It has no condition that sums it up by the
// contract v1beta2, so the numbers decide. Whether its Machines are up to date
// is its MachineDeployment's business.
//
// It is suspended while it or its Cluster is paused, and scaled to zero when it
// asks for no replicas. By the contract v1beta1 it fails while Ready is False
// with severity Error, and for good once its controller has given it up.
func capiMachineSet(o *Fields) Result {
	if r := capiFirst(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	if r := capiChanging(o); r.Status != "" {
		return r
	}
	if r := capiGivenUp(o); r.Status != "" {
		return r
	}
	if capiOld(o) {
		if r := capiSummary(o, "Ready"); r.Status != "" {
			return r
		}
	}
	return capiReplicas(o, false)
}

// A MachineDeployment is current once as many Machines as spec.replicas asks
// for are up to date and available, and none of the former ones is left. That
// it is called Available with fewer, as its strategy allows, is not enough.
//
// It is suspended while it or its Cluster is paused, and scaled to zero when it
// asks for no replicas. By the contract v1beta1 it fails while Ready is False
// with severity Error, and for good in the phase Failed.
func capiMachineDeployment(o *Fields) Result { return capiRollout(o) }

// A KubeadmControlPlane is current once it is available and as many Machines as
// spec.replicas asks for are up to date, ready and available, with none of the
// former ones left.
//
// It is suspended while it or its Cluster is paused. By the contract v1beta1 it
// fails while Ready is False with severity Error, and for good once its
// controller has given it up (failureReason).
func capiControlPlane(o *Fields) Result { return capiRollout(o) }

func capiRollout(o *Fields) Result {
	if r := capiFirst(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	if r := capiChanging(o); r.Status != "" {
		return r
	}
	if r := capiSummary(o, "Available"); r.Status != "" {
		return r
	}
	return capiReplicas(o, true)
}

// A MachinePool is current once its infrastructure has been provisioned and as
// many replicas as spec.replicas asks for are ready and available. Its
// controller does not write the condition Available yet; where it is there it
// counts.
//
// It is suspended while it or its Cluster is paused, and scaled to zero when it
// asks for no replicas. By the contract v1beta1 it fails while Ready is False
// with severity Error, and for good once its controller has given it up.
func capiMachinePool(o *Fields) Result {
	if r := capiFirst(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	if r := capiChanging(o); r.Status != "" {
		return r
	}
	if r := capiGivenUp(o); r.Status != "" {
		return r
	}
	switch {
	case capiOld(o) || o.ConditionIn(capiConditions(o), "Available").Status != "":
		if r := capiSummary(o, "Available"); r.Status != "" {
			return r
		}
	case !o.Bool("status.initialization.infrastructureProvisioned", o.Bool("status.infrastructureReady", false)):
		return InProgress("Creating", "its infrastructure has not been provisioned yet")
	}
	return capiReplicas(o, true)
}

// capiReplicas answers by the numbers of Machines; rolls says whether those
// that are not up to date count as missing. The contracts differ in names, and
// v1beta1 in which numbers a kind has: one that is not there is not asked for.
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
