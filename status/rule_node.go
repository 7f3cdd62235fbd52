package status

import "kstatus.dev/status/internal/value"

// nodeProblems are the conditions that report a problem of a ready node: those
// of the kubelet and the network, and those of node-problem-detector.
var nodeProblems = [...]string{
	"MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable",
	"KernelDeadlock", "ReadonlyFilesystem", "CorruptDockerOverlay2",
	"FrequentKubeletRestart", "FrequentDockerRestart", "FrequentContainerdRestart", "FrequentUnregisterNetDevice",
}

// A Node is Current while its condition Ready is True. Pressure on memory, disk
// or process IDs and other reported problems become warnings. A Node with
// spec.unschedulable is suspended.
//
// It fails while its kubelet reports that it is not ready, and when its kubelet
// has not reported for longer than the control plane tolerates. Both failures
// are recoverable.
func node(o *Fields) Result {
	for _, t := range nodeProblems {
		if c := o.Condition(t); c.Status == conditionTrue {
			o.Warn("%s: %s", t, c.Text())
		}
	}
	ready := o.Condition("Ready")
	switch {
	case ready.Status == "":
		return InProgress("NotObserved", "its kubelet has not reported anything yet")
	case ready.Status == conditionFalse:
		return FailedRecoverable("NodeNotReady", "%s", ready.Text()).by(ready)
	case ready.Status == conditionUnknown:
		return FailedRecoverable("NodeNotReady", "its kubelet has not reported%s: %s", lastHeartbeat(o), ready.Text()).by(ready)
	case o.Bool("spec.unschedulable", false):
		return Suspended(SuspendedByUser, "Suspended", "ready, but cordoned (spec.unschedulable)")
	}
	return Current("Reconciled", "its kubelet reports it as ready")
}

// lastHeartbeat returns when the kubelet last reported the condition Ready.
func lastHeartbeat(o *Fields) string {
	for i, item := range value.List(o.get("status.conditions")) {
		if m, t := o.entry("status.conditions", i, item); t == "Ready" {
			if at, _ := value.Text(m["lastHeartbeatTime"]); at != "" {
				return " since " + at
			}
		}
	}
	return ""
}
