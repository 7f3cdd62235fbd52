package status

// A ResourcePoolStatusRequest is done once its controller has counted the pools
// that it asks for. One that could not be answered stays so for good.
func resourcePoolStatusRequest(o *Fields) Result {
	if c := o.Condition("Failed"); c.Status == conditionTrue {
		return FailedTerminal("GivenUp", "%s", c.Text())
	}
	if o.Condition("Complete").Status == conditionTrue {
		return Current("Completed", "%d pools counted", o.Int("status.poolCount", 0))
	}
	return InProgress("NotObserved", "its controller has not answered it yet")
}
