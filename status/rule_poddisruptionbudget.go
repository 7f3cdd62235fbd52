package status

import "kstatus.dev/status/internal/value"

// A PodDisruptionBudget is current once its controller has counted the Pods of
// the latest generation. That it allows no disruption, because too few Pods
// are healthy, is what it is there for and no failure.
//
// It fails while its controller cannot work on it (condition DisruptionAllowed
// with reason SyncFailed). That is read before the generations are compared:
// the controller then writes the condition alone and leaves
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
		return FailedRecoverable("SyncFailed", "%s", c.Text())
	}
	switch {
	case observed <= 0:
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case generation > 0 && observed < generation:
		return InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", generation, observed)
	case generation > 0 && observed > generation:
		return InProgress("ObservedGenerationAhead", "generation is %d, but its status speaks of %d: it was restored, moved or copied", generation, observed)
	}
	return Current("Reconciled", "%d healthy, %d needed, %d may be disrupted", have, want, allowed)
}

// syncFailed returns the condition DisruptionAllowed that has the reason
// SyncFailed, if there is one: it counts even where another entry claims the type.
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
