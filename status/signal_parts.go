package status

import (
	"encoding/json"
	"strconv"
	"strings"

	"kstatus.dev/status/internal/field"
	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// mapSignals reads the words, conditions and errors in a map of the status.
func (f *Fields) mapSignals(s *signals, name string, m map[string]any) {
	role := field.RoleOf(name)
	if role.Is(field.ErrorText) && len(m) > 0 {
		first, _ := value.Text(m["message"])
		s.add(override, &signal{kind: signalError, polarity: word.Failing, name: name, reason: first})
		return
	}
	if role.Is(field.PastError) && len(m) > 0 {
		s.add(component, &signal{kind: signalError, polarity: word.Failing, name: name, reason: value.ErrorMessage(m)})
		return
	}
	sumsUp := role.Is(field.SummaryMap)
	if !sumsUp && field.IsForeign(name) {
		return
	}
	p := component
	if sumsUp || field.IsState(name) {
		p = detail
	}
	if sumsUp || strings.HasSuffix(name, "ondition") {
		if _, is := m["type"].(string); is && isTruth(m["status"]) { // a single condition
			f.nestedConditions(s, location{field: name}, []any{m}, p)
			return
		}
	}
	f.partSignals(s, location{field: name}, m, p, 2)
}

// partSignals reads one part of the object and its nested parts, down to a depth.
func (f *Fields) partSignals(s *signals, in location, m map[string]any, p precedence, deep int) {
	f.eachField(m, func(name string, v any) {
		switch v := v.(type) {
		case string:
			have, want, counts := value.Ratio(v)
			switch {
			case counts:
				f.counterSignal(s, in, name, have, want)
			case name == "health" && deep == 2:
				f.wordSignal(s, in, name, v, detail)
			case f.colourSignal(s, in, name, v):
			case field.RoleOf(name).Is(field.StateWord | field.OutcomeWord | field.ErrorText):
				f.wordSignal(s, in, name, v, p)
			case p == detail && in.key == "" && v != "" && field.IsStateOf(in.field, name):
				f.stateSignal(s, in, name, v, p)
			}
		case map[string]any:
			if deep > 0 && !field.RoleOf(name).Is(field.ForeignMap) {
				f.partSignals(s, location{in.field, name}, v, choose(field.RoleOf(in.field).Is(field.SummaryMap), p, component), deep-1)
			}
		case bool:
			f.boolPart(s, in, name, v)
		case []any:
			switch {
			case field.IsConditions(name):
				f.nestedConditions(s, in, v, p)
			case deep > 0 && !field.IsForeign(name):
				f.colourSignals(s, location{in.field, name}, v)
			}
		case int64, float64, int, json.Number:
			f.partCount(s, in, name, m, v)
		}
	})
}

// boolPart reads a boolean field that says whether a part is ready.
func (f *Fields) boolPart(s *signals, in location, name string, on bool) {
	if !field.RoleOf(name).Is(field.PartBool) {
		return
	}
	x := signal{kind: signalBool, polarity: word.Progressing, in: in, name: name, reason: strconv.FormatBool(on)}
	if on {
		x.polarity = word.Ready
	}
	if f.isTraced() {
		f.recordRead(in.path(".", name, ""), on)
	}
	s.add(component, &x)
}

// listSignals reads a list in the status whose items are parts of the object.
func (f *Fields) listSignals(s *signals, name string, list []any) {
	if field.IsForeign(name) {
		return
	}
	if field.IsConditions(name) {
		f.nestedConditions(s, location{field: name}, list, choose(field.IsWhole(name), detail, component))
		return
	}
	p := choose(field.RoleOf(name).Is(field.DecidingList), detail, component)
	for _, item := range list {
		if m, ok := item.(map[string]any); ok {
			f.partSignals(s, location{field: name}, m, p, 0)
		}
	}
}

// colourSignals reads the health of the items of a list in a part, and of the maps in them. The
// words and conditions of such items are too far from the object to show its state, except the
// colour red.
func (f *Fields) colourSignals(s *signals, in location, list []any) {
	for _, item := range list {
		m, _ := item.(map[string]any)
		f.eachField(m, func(name string, v any) {
			switch v := v.(type) {
			case string:
				f.colourSignal(s, in, name, v)
			case map[string]any:
				f.eachField(v, func(name string, v any) {
					if colour, ok := v.(string); ok {
						f.colourSignal(s, in, name, colour)
					}
				})
			}
		})
	}
}

// colourSignal adds a signal if a field has the colour red.
func (f *Fields) colourSignal(s *signals, in location, name, value string) bool {
	red := word.Is(value, "red") && field.RoleOf(name).Is(field.Colour)
	if red {
		f.stateSignal(s, in, name, value, detail)
	}
	return red
}

// nestedConditions reads the conditions of a part.
func (f *Fields) nestedConditions(s *signals, in location, list []any, p precedence) {
	for _, item := range list {
		m, _ := item.(map[string]any)
		t, _ := m["type"].(string)
		if t == "" || m["status"] == nil {
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
	for _, name := range [...]string{"reason", "message"} {
		if v := m[name]; v != nil {
			if _, ok := v.(string); !ok {
				return false
			}
		}
	}
	return isTruth(m["status"])
}

// isTruth reports whether a value is a status of a condition.
func isTruth(v any) bool {
	status, _ := v.(string)
	return status == string(conditionTrue) || status == string(conditionFalse) || status == string(conditionUnknown)
}
