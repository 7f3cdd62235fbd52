package status

// A DeviceTaintRule is Current when the API server has accepted it. Evictions
// because of it (condition EvictionInProgress) become a warning: the rule
// requests them, and new Pods may cause more.
func deviceTaintRule(o *Fields) Result {
	if c := o.Condition("EvictionInProgress"); c.Is(conditionTrue) {
		o.Warn("Pods are being evicted: %s", c.Text())
	}
	return Current("Reconciled", "its taint is in effect")
}
