package status

// An Eviction or an EvictionRequest of the API group lifecycle.k8s.io is done
// once its target has been evicted. One that was cancelled, is not valid, or
// that nobody could carry out is given up for good; a user has to ask again.
func eviction(o *Fields) Result {
	if c := o.Condition("TargetEvicted"); c.Is(conditionTrue) {
		return Current("Completed", "its target has been evicted")
	}
	switch c := o.Condition("Failed"); {
	case c.Is(conditionTrue):
		return FailedTerminal("GivenUp", "%s", c.Text())
	case c.Is(conditionFalse):
		return InProgress("Running", "%s", c.Text())
	}
	return InProgress("NotObserved", "its controller has not looked at it yet")
}
