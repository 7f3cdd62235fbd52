package status

import (
	"encoding/json"
	"strconv"
	"strings"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/internal/value"
)

// compatInt reads a count. Anything that is not a whole number counts as missing, and so does a
// count in a malformed parent.
func compatInt(o *Fields, path string, missing int64) int64 {
	v := decoded.AtPath(o.node, path)
	o.recordRead(path, v)
	if n, ok := compatWhole(o, v); ok {
		return n
	}
	return missing
}

// compatWhole returns an integer. A float is one only in a [Map]: Kubernetes decodes whole numbers as
// int64, so that cli-utils takes a float for an error.
func compatWhole(o *Fields, v any) (int64, bool) {
	switch n := v.(type) {
	case float64:
		if o.eval.plain {
			return value.Int(n)
		}
	case int64:
		return n, true
	case int32:
		return int64(n), true
	case int:
		return int64(n), true
	case json.Number:
		whole, err := n.Int64()
		return whole, err == nil
	}
	return 0, false
}

// compatText reads a word. Anything that is not a string counts as missing.
func compatText(o *Fields, path, missing string) string {
	v := decoded.AtPath(o.node, path)
	o.recordRead(path, v)
	if s, ok := value.Text(v); ok {
		return s
	}
	return missing
}

// compatGeneration reads a generation, which may be missing, but not null.
func compatGeneration(o *Fields, parent, name string) (n int64, found bool) {
	v, found := o.Map(parent)[name]
	if !found {
		return 0, false
	}
	n, ok := compatWhole(o, v)
	if !ok {
		o.malformed(parent+"."+name, "an integer", v)
	}
	if o.isTraced() {
		o.recordRead(parent+"."+name, v)
	}
	return n, ok
}

// compatConditions returns the items of status.conditions. Their order matters. All must be
// well-formed, also those after the one that decides.
func compatConditions(o *Fields) []any {
	list := o.items("status.conditions")
	for i, item := range list {
		compatCondition(o, i, item)
	}
	return list
}

// compatCondition reads one item of the list. A null item reads as empty, and so does a missing
// or null text; another type than a string is malformed.
func compatCondition(o *Fields, i int, item any) (c Condition) {
	m, ok := item.(map[string]any)
	if !ok {
		if item != nil {
			o.malformed("status.conditions["+strconv.Itoa(i)+"]", "a map", item)
		}
		return c
	}
	c = Condition{
		Type:    string(compatWord(o, i, m, "type")),
		Status:  ConditionStatus(compatWord(o, i, m, "status")),
		Reason:  compatWord(o, i, m, "reason"),
		Message: compatWord(o, i, m, "message"),
		Since:   condition.Read("", m).Since,
	}
	if o.eval.trace != nil {
		o.recordCondition("status.conditions", c.Type, c)
	}
	return c
}

func compatWord(o *Fields, i int, m map[string]any, name string) string {
	v := m[name]
	s, ok := value.Text(v)
	if !ok && v != nil {
		o.malformed("status.conditions["+strconv.Itoa(i)+"]."+name, "a string", v)
	}
	return s
}

func compatKind(o *Fields) string { return decoded.Text(o.node, "kind") }

// compatKindOf returns the kind of any object, even of one that is not valid. It is empty if the
// apiVersion has more than two parts.
func compatKindOf(o *Fields) Kind {
	version := decoded.Text(o.node, "apiVersion")
	if strings.Count(version, "/") > 1 {
		return Kind{}
	}
	return Kind{version[:max(strings.IndexByte(version, '/'), 0)], compatKind(o)}
}
