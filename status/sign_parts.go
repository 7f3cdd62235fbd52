package status

import (
	"encoding/json"
	"strconv"

	"kstatus.dev/status/internal/word"
)

// mapSigns reads the words, conditions and errors in a map of the status.
func (f *Fields) mapSigns(s *signs, field string, m map[string]any) {
	role := fieldRoles[field]
	if role.is(errorText) && len(m) > 0 {
		first, _ := text(m["message"])
		s.add(alarm, &sign{from: fromError, says: word.Failing, at: field, reason: first})
		return
	}
	summary := role.is(summaryMap)
	if !summary && foreign(field) {
		return
	}
	weighs := part
	if summary || word.HasAnySuffix(field, stateEndings) {
		weighs = detail
	}
	f.partSigns(s, place{part: field}, m, weighs, 2)
}

// foreign reports whether a map or a list does not speak of how the object is now.
func foreign(field string) bool {
	return fieldRoles[field].is(foreignMap) || word.HasAnyPrefix(field, otherStarts) || word.HasAnySuffix(field, foreignEndings)
}

// partSigns reads one part of the object, and the parts in it as deep as told.
func (f *Fields) partSigns(s *signs, in place, m map[string]any, weighs weight, deep int) {
	for field, v := range m {
		switch v := v.(type) {
		case string:
			if have, want, ok := ratio(v); ok {
				f.reach(s, in, field, have, want)
			} else if field == "health" && deep == 2 {
				f.wordSign(s, in, field, v, detail)
			} else if fieldRoles[field].is(stateWord) {
				f.wordSign(s, in, field, v, weighs)
			}
		case map[string]any:
			if deep > 0 && !fieldRoles[field].is(foreignMap) {
				f.partSigns(s, place{in.part, field}, v, pick(fieldRoles[in.part].is(summaryMap), weighs, part), deep-1)
			}
		case bool:
			f.partSwitch(s, in, field, v)
		case []any:
			if field == "conditions" {
				f.nestedConditions(s, in, v, weighs)
			}
		case int64, float64, int, json.Number:
			f.partCount(s, in, field, m, v)
		}
	}
}

// partSwitch reads a boolean field of a part that says whether that is there.
func (f *Fields) partSwitch(s *signs, in place, field string, on bool) {
	if field != "ready" && field != "isReady" && field != "healthy" {
		return
	}
	x := sign{from: fromSwitch, says: word.Progressing, in: in, at: field, reason: strconv.FormatBool(on)}
	if on {
		x.says = word.Ready
	}
	if f.traced() {
		f.saw(in.path(".", field, ""), on)
	}
	s.add(part, &x)
}

// listSigns reads a list in the status whose items are parts of the object.
func (f *Fields) listSigns(s *signs, field string, list []any) {
	if foreign(field) {
		return
	}
	weighs := pick(fieldRoles[field].is(decidingList), detail, part)
	for _, item := range list {
		if m, ok := item.(map[string]any); ok {
			f.partSigns(s, place{part: field}, m, weighs, 0)
		}
	}
}

// nestedConditions reads the conditions of a part.
func (f *Fields) nestedConditions(s *signs, in place, list []any, weighs weight) {
	for _, item := range list {
		m, _ := item.(map[string]any)
		t, _ := m["type"].(string)
		if t == "" {
			continue
		}
		path := ""
		if !regular(m) { // it is told of nothing but what is odd
			path = "status." + in.part + ".conditions"
		}
		x := signOf(f.condition(path, ConditionType(t), m), m)
		x.from, x.in = fromPart, in
		role := f.hearing.hint.role(ConditionType(t))
		if role == word.RoleNone {
			role = word.ConditionType(t)
		}
		f.weigh(s, &x, role, weighs)
	}
}

// regular reports whether a condition holds nothing but what its API allows.
func regular(m map[string]any) bool {
	for _, field := range [...]string{"reason", "message"} {
		if v := m[field]; v != nil {
			if _, ok := v.(string); !ok {
				return false
			}
		}
	}
	status, _ := m["status"].(string)
	return status == string(True) || status == string(False) || status == string(Unknown)
}
