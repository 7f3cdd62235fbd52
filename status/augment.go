package status

import (
	"fmt"
	"slices"
	"time"

	"kstatus.dev/status/internal/value"
)

// Augment writes the standard conditions of the verdict into obj. It removes those that an
// earlier Augment wrote and that no longer hold, and leaves the conditions of the object's own
// controller alone. An object of a kind without a status stays as it is. A second call with the
// same verdict changes nothing.
//
// It changes the map that UnstructuredContent returns, so obj must return its own map and not a
// copy.
func (e Evaluator) Augment(obj Object) error {
	res, err := e.Compute(obj)
	if err != nil {
		return fmt.Errorf("augment: %w", err)
	}
	if res.Reason == ReasonMalformed {
		return fmt.Errorf("augment: %s", res.Message)
	}
	root := obj.UnstructuredContent()
	ev := newEvaluation(root)
	defer ev.release()
	ev.clock = e.Now
	kind, err := ev.object.kind()
	if err != nil {
		return fmt.Errorf("augment: %w", err)
	}
	if e.entry(kind).NoStatus {
		return nil
	}
	status, ok := root["status"].(map[string]any)
	if !ok && root["status"] != nil {
		return fmt.Errorf("augment: status: want a map, have %s", value.Shape(root["status"]))
	}
	old, ok := status["conditions"].([]any)
	if !ok && status["conditions"] != nil {
		return fmt.Errorf("augment: status.conditions: want a list, have %s", value.Shape(status["conditions"]))
	}
	conditions := mergeConditions(old, res.Conditions, ev.now().UTC().Format(time.RFC3339))
	if len(conditions) == 0 && len(old) == 0 {
		return nil
	}
	if status == nil {
		status = map[string]any{}
		root["status"] = status
	}
	status["conditions"] = conditions
	return nil
}

// mergeConditions returns old with the wanted standard conditions in place of those that an earlier
// Augment wrote.
func mergeConditions(old []any, want []Condition, now string) []any {
	var kept []any
	written := map[string]bool{}
	for _, item := range old {
		m, _ := item.(map[string]any)
		if t, _ := m["type"].(string); !writtenByAugment(m, t) {
			kept = append(kept, item)
			continue
		}
		i := slices.IndexFunc(want, func(c Condition) bool { return m["type"] == string(c.Type) })
		if i < 0 || written[want[i].Type] {
			continue
		}
		written[want[i].Type] = true
		kept = append(kept, updateCondition(m, want[i], now))
	}
	for _, c := range want {
		if !written[c.Type] && !has(kept, c.Type) {
			kept = append(kept, updateCondition(nil, c, now))
		}
	}
	return kept
}

// has reports whether the list has a condition of that type. A list has one entry per type, so a
// condition that the object's controller wrote is not added again.
func has(conditions []any, t string) bool {
	return slices.ContainsFunc(conditions, func(item any) bool {
		m, _ := item.(map[string]any)
		return m["type"] == string(t)
	})
}

// updateCondition returns the condition as a map, with the times of old kept where
// nothing changed.
func updateCondition(old map[string]any, c Condition, now string) map[string]any {
	m := map[string]any{
		"type": string(c.Type), "status": string(c.Status), "reason": c.Reason, "message": c.Message,
		"lastTransitionTime": now, "lastUpdateTime": now,
	}
	if old["status"] == m["status"] {
		m["lastTransitionTime"] = old["lastTransitionTime"]
		if old["reason"] == m["reason"] && old["message"] == m["message"] {
			m["lastUpdateTime"] = old["lastUpdateTime"]
		}
	}
	return m
}

// writtenByAugment reports whether Augment wrote a condition: a standard condition with a known
// reason and a lastUpdateTime. The conditions of current controllers (metav1.Condition) have no
// lastUpdateTime.
func writtenByAugment(m map[string]any, t string) bool {
	if t != ConditionReconciling && t != ConditionStalled {
		return false
	}
	reason, _ := m["reason"].(string)
	_, known := reasonOf[reason]
	return known && m["lastUpdateTime"] != nil && m["observedGeneration"] == nil
}
