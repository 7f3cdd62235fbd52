// Package condition reads the conditions of an object. All packages read them here, so that a
// verdict, a goal, a rule of the audit, an explanation and a pause see the same condition.
package condition

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
)

// The statuses of a condition.
const (
	True    = "True"
	False   = "False"
	Unknown = "Unknown"
)

// A Condition is one condition of an object. Fields of the wrong type read as missing.
type Condition struct {
	Type     string
	Status   string // True, False or Unknown
	Reason   string
	Message  string
	Since    string         // lastTransitionTime as written
	Observed int64          // observedGeneration; 0 without one
	Index    int            // in the list; -1 in the map form
	Raw      map[string]any // the fields as decoded
}

// Of returns the conditions of an object as decoded: its field status.conditions.
func Of(object map[string]any) any {
	return decoded.At(object, "status", "conditions")
}

// Read returns the condition of a type that has these fields.
func Read(t string, fields map[string]any) Condition {
	c := Condition{Type: t, Index: -1, Raw: fields}
	c.Status, _ = Truth(fields["status"])
	c.Reason, c.Message = decoded.Text(fields, "reason"), decoded.Text(fields, "message")
	c.Since = timestamp(fields["lastTransitionTime"])
	if n, ok := integer.OfText(fields["observedGeneration"]); ok && n > 0 {
		c.Observed = n
	}
	return c
}

// timestamp returns a time as text, which a YAML decoder may have parsed.
func timestamp(v any) string {
	if at, ok := v.(time.Time); ok {
		return at.UTC().Format(time.RFC3339)
	}
	text, _ := v.(string)
	return text
}

// Seconds returns a time of a condition in seconds since 1970, and zero if it is not a time.
func Seconds(since string) int64 {
	if since == "" {
		return 0 // an error costs memory
	}
	at, err := time.Parse(time.RFC3339, since)
	if err != nil {
		return 0
	}
	return at.Unix()
}

// Truth returns the status of a condition, and whether it is written as the API wants it. A boolean
// and another case are understood. Any other value reads as Unknown.
func Truth(v any) (status string, standard bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return True, false
		}
		return False, false
	case string:
		for _, status := range [...]string{True, False, Unknown} {
			if v == status {
				return status, true
			}
		}
		for _, status := range [...]string{True, False, Unknown} {
			if strings.EqualFold(v, status) {
				return status, false
			}
		}
	}
	return Unknown, false
}

// TypeOf returns the type of an item of a list of conditions, and its fields. The type is empty if
// the item is not a condition.
func TypeOf(item any) (t string, fields map[string]any) {
	fields, _ = item.(map[string]any)
	t, _ = fields["type"].(string)
	return t, fields
}

// All yields the conditions in a list, in order. It also reads the map form
// {"Ready": {"status": "True"}}, in the order of the types, unless an entry of the map is not a
// condition.
func All(conditions any) iter.Seq[Condition] {
	return func(yield func(Condition) bool) {
		for c := range Entries(conditions) {
			if c.Type != "" && !yield(c) {
				return
			}
		}
	}
}

// Entries is [All] with the items of a list that have no type.
func Entries(conditions any) iter.Seq[Condition] {
	return func(yield func(Condition) bool) {
		switch v := conditions.(type) {
		case []any:
			for i, item := range v {
				t, fields := TypeOf(item)
				if fields == nil {
					continue
				}
				c := Read(t, fields)
				if c.Index = i; !yield(c) {
					return
				}
			}
		case map[string]any:
			if !IsMapForm(v) {
				return
			}
			for _, t := range slices.Sorted(maps.Keys(v)) {
				if _, fields := TypeOf(v[t]); !yield(Read(t, fields)) {
					return
				}
			}
		}
	}
}

// IsMapForm reports whether all entries of a map are conditions.
func IsMapForm(m map[string]any) bool {
	for _, v := range m {
		if fields, ok := v.(map[string]any); !ok || fields["status"] == nil {
			return false
		}
	}
	return true
}

// Find returns the condition of a type, and whether it exists. If several have the type, the worst
// counts.
func Find(conditions any, t string) (worst Condition, exists bool) {
	for c := range All(conditions) {
		switch {
		case c.Type != t:
		case !exists:
			worst, exists = c, true
		default:
			worst = Worse(worst, c)
		}
	}
	return worst, exists
}

// FindFold is [Find] for a type that a user has written. It takes a type of another case if the
// object has no condition with exactly that type.
func FindFold(conditions any, t string) (Condition, bool) {
	if c, exists := Find(conditions, t); exists {
		return c, true
	}
	for c := range All(conditions) {
		if strings.EqualFold(c.Type, t) {
			return Find(conditions, c.Type)
		}
	}
	return Condition{}, false
}

// Is reports whether an object has a condition of a type with a status.
func Is(object map[string]any, t, status string) bool {
	c, _ := Find(Of(object), t)
	return c.Status == status
}

// Worse returns the one of two conditions of a type that counts, by [Compare].
func Worse(a, b Condition) Condition {
	if Compare(b, a) < 0 {
		return b
	}
	return a
}

// Compare orders conditions of a type, the one that counts first: False before Unknown before True,
// then the one for an earlier generation. Their texts decide last, so that the order of the list
// does not matter.
func Compare(a, b Condition) int {
	return cmp.Or(cmp.Compare(rank(a.Status), rank(b.Status)), cmp.Compare(uint64(a.Observed)-1, uint64(b.Observed)-1),
		cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Since, b.Since))
}

// rank orders the statuses, the worst first.
func rank(status string) int {
	switch status {
	case False:
		return 0
	case Unknown:
		return 1
	}
	return 2
}
