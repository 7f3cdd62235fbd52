package status

import "kstatus.dev/status/schema"

// A Cluster of Cluster API is Current when it is available and none of its
// Machines is being rolled out, remediated, added or removed. The condition is
// Available, in the contract v1beta1 Ready. It is suspended while it is paused.
//
// In the contract v1beta1 it fails while Ready is False with severity Error,
// and terminally when its controller has given up (failureReason).
func capiCluster(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	if r := capiSummary(o, "Available"); r.Status != "" {
		return r
	}
	if r := capiChangeResult(o); r.Status != "" {
		return r
	}
	return Current("Reconciled", "it is available and none of its Machines is being changed")
}
