package conditions

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
)

// plainMap copies a map in the form of decoded JSON: without nulls, and with
// integers as int64.
func plainMap(m map[string]any) map[string]any {
	copied := make(map[string]any, len(m))
	for k, v := range m {
		if v = plain(v); v != nil {
			copied[k] = v
		}
	}
	return copied
}

func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return nil
		}
		return plainMap(v)
	case []any:
		if v == nil {
			return nil
		}
		copied := make([]any, len(v))
		for i := range v {
			copied[i] = plain(v[i])
		}
		return copied
	}
	if n, ok := integer.Of(v); ok {
		return n
	}
	return v
}

// rawEntries reads a list that may contain any values. An item that is not a
// condition becomes an entry without a type, which stays unchanged.
func rawEntries(list any) []entry {
	items, _ := list.([]any)
	entries := make([]entry, 0, len(items))
	for _, item := range items {
		m, _ := item.(map[string]any)
		entries = append(entries, entry{Condition: rawCondition(m), raw: item})
	}
	return entries
}

// rawCondition reads a condition. A field of a wrong type counts as missing.
func rawCondition(m map[string]any) (c metav1.Condition) {
	c.Type, c.Reason, c.Message = decoded.Text(m, "type"), decoded.Text(m, "reason"), decoded.Text(m, "message")
	c.Status = metav1.ConditionStatus(decoded.Text(m, "status"))
	c.ObservedGeneration, _ = decoded.Int(m, "observedGeneration")
	if text, ok := m["lastTransitionTime"].(string); ok {
		if t, err := time.Parse(time.RFC3339, text); err == nil {
			c.LastTransitionTime = metav1.NewTime(t)
		}
	}
	return c
}

// rawList returns the list of conditions for an unstructured object.
func rawList(entries []entry) []any {
	list := make([]any, 0, len(entries))
	for _, e := range entries {
		if e.raw != nil || e.Type == "" {
			list = append(list, e.raw)
			continue
		}
		c := map[string]any{
			"type": e.Type, "status": string(e.Status), "reason": e.Reason, "message": e.Message,
			"lastTransitionTime": e.LastTransitionTime.UTC().Format(time.RFC3339),
		}
		if e.ObservedGeneration != 0 {
			c["observedGeneration"] = e.ObservedGeneration
		}
		list = append(list, c)
	}
	return list
}
