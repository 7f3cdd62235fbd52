package status

// A DeviceTaintRule is current once the API server has accepted it. That Pods
// are being evicted because of it (condition EvictionInProgress) is told as a
// warning: it is what the rule asks for, and may go on while new Pods come.
func deviceTaintRule(o *Fields) Result {
	if c := o.Condition("EvictionInProgress"); c.Is(conditionTrue) {
		o.Warn("Pods are being evicted: %s", c.Text())
	}
	return Current("Reconciled", "its taint is in force")
}
