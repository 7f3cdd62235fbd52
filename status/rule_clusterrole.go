package status

// A ClusterRole is Current when the API server has accepted it. A ClusterRole
// with an aggregationRule waits until its controller has filled in the rules of
// at least one selected ClusterRole.
func clusterRole(o *Fields) Result {
	switch {
	case !o.Has("aggregationRule"):
		return noStatus(o)
	case o.Len("rules") == 0:
		return InProgress("NotObserved", "its controller has not filled in the rules that it aggregates")
	}
	return Current("Reconciled", "its rules have been aggregated")
}
