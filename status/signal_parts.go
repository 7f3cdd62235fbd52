package status

import (
	"encoding/json"
	"strconv"

	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// mapSignals reads the words, conditions and errors in a map of the status.
func (f *Fields) mapSignals(s *signals, field string, m map[string]any) {
	role := fieldRoles[field]
	if role.is(errorText) && len(m) > 0 {
		first, _ := value.Text(m["message"])
		s.add(override, &signal{kind: signalError, polarity: word.Failing, name: field, reason: first})
		return
	}
	sumsUp := role.is(summaryMap)
	if !sumsUp && notCurrentState(field) {
		return
	}
	p := component
	if sumsUp || word.HasAnySuffix(field, stateSuffixes) {
		p = detail
	}
	f.partSignals(s, location{field: field}, m, p, 2)
}

// notCurrentState reports whether a map or a list describes something else than the current
// state of the object.
func notCurrentState(field string) bool {
	return fieldRoles[field].is(foreignMap) || word.HasAnyPrefix(field, otherPrefixes) || word.HasAnySuffix(field, foreignSuffixes)
}

// partSignals reads one part of the object and its nested parts, down to a depth.
func (f *Fields) partSignals(s *signals, in location, m map[string]any, p precedence, deep int) {
	f.eachField(m, func(field string, v any) {
		switch v := v.(type) {
		case string:
			if have, want, ok := ratio(v); ok {
				f.counterSignal(s, in, field, have, want)
			} else if field == "health" && deep == 2 {
				f.wordSignal(s, in, field, v, detail)
			} else if fieldRoles[field].is(stateWord) {
				f.wordSignal(s, in, field, v, p)
			}
		case map[string]any:
			if deep > 0 && !fieldRoles[field].is(foreignMap) {
				f.partSignals(s, location{in.field, field}, v, choose(fieldRoles[in.field].is(summaryMap), p, component), deep-1)
			}
		case bool:
			f.boolPart(s, in, field, v)
		case []any:
			if field == "conditions" {
				f.nestedConditions(s, in, v, p)
			}
		case int64, float64, int, json.Number:
			f.partCount(s, in, field, m, v)
		}
	})
}

// boolPart reads a boolean field that says whether a part is ready.
func (f *Fields) boolPart(s *signals, in location, field string, on bool) {
	if field != "ready" && field != "isReady" && field != "healthy" {
		return
	}
	x := signal{kind: signalBool, polarity: word.Progressing, in: in, name: field, reason: strconv.FormatBool(on)}
	if on {
		x.polarity = word.Ready
	}
	if f.isTraced() {
		f.recordRead(in.path(".", field, ""), on)
	}
	s.add(component, &x)
}

// listSignals reads a list in the status whose items are parts of the object.
func (f *Fields) listSignals(s *signals, field string, list []any) {
	if notCurrentState(field) {
		return
	}
	p := choose(fieldRoles[field].is(decidingList), detail, component)
	for _, item := range list {
		if m, ok := item.(map[string]any); ok {
			f.partSignals(s, location{field: field}, m, p, 0)
		}
	}
}

// nestedConditions reads the conditions of a part.
func (f *Fields) nestedConditions(s *signals, in location, list []any, p precedence) {
	for _, item := range list {
		m, _ := item.(map[string]any)
		t, _ := m["type"].(string)
		if t == "" {
			continue
		}
		path := ""
		if !isWellFormed(m) { // the path is used in warnings only
			path = "status." + in.field + ".conditions"
		}
		x := newConditionSignal(f.condition(path, t, m), m)
		x.kind, x.in = signalPart, in
		role := f.eval.hint.role(t)
		if role == word.RoleNone {
			role = word.ConditionType(t)
		}
		f.addByRole(s, &x, role, p)
	}
}

// isWellFormed reports whether a condition holds only values that its API allows.
func isWellFormed(m map[string]any) bool {
	for _, field := range [...]string{"reason", "message"} {
		if v := m[field]; v != nil {
			if _, ok := v.(string); !ok {
				return false
			}
		}
	}
	status, _ := m["status"].(string)
	return status == string(conditionTrue) || status == string(conditionFalse) || status == string(conditionUnknown)
}
