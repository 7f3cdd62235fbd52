package status

// An Eviction or an EvictionRequest of the API group lifecycle.k8s.io is
// Current when its target has been evicted. A request that was cancelled, is
// invalid, or that no controller could serve has failed terminally; a user has
// to create another.
func eviction(o *Fields) Result {
	if c := o.Condition("TargetEvicted"); c.Is(conditionTrue) {
		return Current("Completed", "its target has been evicted")
	}
	switch c := o.Condition("Failed"); {
	case c.Is(conditionTrue):
		return FailedTerminal("GivenUp", "%s", c.Text()).by(c)
	case c.Is(conditionFalse):
		return InProgress("Running", "%s", c.Text()).by(c)
	}
	return InProgress("NotObserved", "its controller has not observed it yet")
}
