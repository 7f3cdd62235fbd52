package status

import "kstatus.dev/status/internal/value"

// A PodDisruptionBudget is Current when its controller has counted the Pods for
// the latest generation. If too few Pods are healthy to permit a disruption,
// the budget does its work and has not failed. While it permits no disruption of
// its Pods, that is a caveat: nodes cannot be drained.
//
// It fails while its controller cannot sync it (condition DisruptionAllowed
// with reason SyncFailed). The rule checks that before the generations: the
// controller then writes only the condition and leaves
// status.observedGeneration behind.
func podDisruptionBudget(o *Fields) Result {
	var (
		generation = o.Generation()
		observed   = o.Int("status.observedGeneration", 0)
		allowed    = o.Int("status.disruptionsAllowed", 0)
		have       = o.Int("status.currentHealthy", 0)
		want       = o.Int("status.desiredHealthy", 0)
	)
	if c := syncFailed(o); c.Status != "" && c.Status != conditionTrue {
		return FailedRecoverable("SyncFailed", "%s", c.Text()).by(c)
	}
	switch {
	case observed <= 0:
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case generation > 0 && observed < generation:
		return InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", generation, observed)
	case generation > 0 && observed > generation:
		return InProgress("ObservedGenerationAhead", "generation is %d, but its status is for %d: it was restored, moved or copied", generation, observed)
	}
	r := Current("Reconciled", "%d healthy, %d desired, %d disruptions allowed", have, want, allowed)
	if allowed <= 0 && o.Int("status.expectedPods", 0) > 0 {
		r = r.WithCaveat("it allows no eviction")
	}
	return r
}

// syncFailed returns the condition DisruptionAllowed with the reason
// SyncFailed, even if another entry has the same type.
func syncFailed(o *Fields) (c Condition) {
	const path = "status.conditions"
	if c = o.Condition("DisruptionAllowed"); c.Reason == "SyncFailed" {
		return c
	}
	for i, item := range value.List(o.get(path)) {
		if m, t := o.entry(path, i, item); t == "DisruptionAllowed" && m["reason"] == "SyncFailed" {
			return o.condition(path, t, m)
		}
	}
	return Condition{}
}
