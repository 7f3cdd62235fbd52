package status

import "kstatus.dev/status/schema"

// A KubeadmConfig is Current when the bootstrap data of its machine exists
// (condition Ready, else the status field for it). It is suspended while it or
// its Cluster is paused.
//
// In the contract v1beta1 it fails while Ready is False with severity Error,
// and terminally when its controller has given up (failureReason).
func capiBootstrap(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	done := o.Bool("status.initialization.dataSecretCreated", o.Bool("status.ready", false))
	if !done || o.ConditionIn(capiConditions(o), "Ready").Status != "" {
		if r := capiSummary(o, "Ready"); r.Status != "" {
			return r
		}
	}
	return Current("Reconciled", "its bootstrap data exists")
}
