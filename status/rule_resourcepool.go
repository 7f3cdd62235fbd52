package status

// A ResourcePoolStatusRequest is Current when its controller has counted the
// requested pools. A request that could not be served has failed terminally.
func resourcePoolStatusRequest(o *Fields) Result {
	if c := o.Condition("Failed"); c.Status == conditionTrue {
		return FailedTerminal("GivenUp", "%s", c.Text()).by(c)
	}
	if o.Condition("Complete").Status == conditionTrue {
		return Current("Completed", "%d pools counted", o.Int("status.poolCount", 0))
	}
	return InProgress("NotObserved", "its controller has not responded yet")
}
