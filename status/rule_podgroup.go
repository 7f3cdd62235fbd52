package status

// podGroupScheduled are the conditions with which the scheduler reports that it
// has placed a group of Pods. The name differs between versions of the API.
var podGroupScheduled = [...]string{"PodGroupInitiallyScheduled", "CompositePodGroupInitiallyScheduled", "PodGroupScheduled"}

// A PodGroup, or a group of such groups, is Current when the scheduler has
// placed its Pods together. It is in progress while the Pods fit on no nodes,
// since an autoscaler or freed capacity may help, and while another group
// preempts it.
func podGroup(o *Fields) Result {
	if c := o.Condition("DisruptionTarget"); c.Is(conditionTrue) {
		return InProgress("Evicting", "%s", c.Text()).by(c)
	}
	for _, t := range podGroupScheduled {
		switch c := o.Condition(t); {
		case c.Status == "":
		case c.Stale:
			return InProgress("StaleCondition", "condition %s is for an earlier generation than %d", t, o.Generation())
		case c.Status == conditionTrue:
			return Current("Reconciled", "its Pods have been placed")
		default:
			return InProgress("Unschedulable", "%s", c.Text()).by(c)
		}
	}
	return InProgress("NotObserved", "the scheduler has not tried to place it yet")
}
