package status

// A ClusterRole is current as soon as the API server has accepted it. One that
// aggregates others (aggregationRule) waits until its controller has filled in
// the rules of at least one ClusterRole that it selects.
func clusterRole(o *Fields) Result {
	switch {
	case !o.Has("aggregationRule"):
		return noStatus(o)
	case o.Len("rules") == 0:
		return InProgress("NotObserved", "its controller has not filled in the rules that it aggregates")
	}
	return Current("Reconciled", "its rules have been aggregated")
}
