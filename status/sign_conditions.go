package status

import (
	"slices"
	"strings"

	"kstatus.dev/status/internal/word"
)

// The conditions that sum an object up, in the order in which a message names
// them first. Where several are there, all must be True. Ready, or what a hint
// names in its place, outweighs what other conditions say of one side of the
// object.
var summaryConditions = [...]ConditionType{"Ready", "Available", "Healthy", "Synced", "Programmed", "Accepted", "Established"}

// rankOf returns the place of a condition among those that sum an object up.
func rankOf(t string) int {
	if i := slices.Index(summaryConditions[:], ConditionType(t)); i >= 0 {
		return i
	}
	return len(summaryConditions)
}

// conditionSigns reads status.conditions.
func conditionSigns(o *Fields, s *signs) {
	const path = "status.conditions"
	h := o.hearing
	if h.hint.ignores("conditions") {
		return
	}
	switch v := h.status["conditions"].(type) {
	case nil:
	case map[string]any:
		for t, item := range v {
			if m, ok := item.(map[string]any); ok {
				o.conditionSign(s, ConditionType(t), m)
			}
		}
		o.mapForm(path, v)
	default:
		x := h.index()
		for i, item := range x.list {
			m, _ := item.(map[string]any)
			if t := x.typeOf(i, m); t != "" {
				o.conditionSign(s, t, m)
			}
		}
	}
	o.doubled(path)
}

// doubled warns of types that stand twice in the list.
func (f *Fields) doubled(path string) {
	x := &f.hearing.conditions
	var seen map[ConditionType]int // made for a long list, so that it takes no longer than its length
	if len(x.list) > len(x.types) {
		seen = make(map[ConditionType]int, len(x.list))
	}
	for i, item := range x.list {
		m, _ := item.(map[string]any)
		t := x.typeOf(i, m)
		if t == "" {
			continue
		}
		first := i
		if seen == nil {
			first = slices.Index(x.types[:i], t)
		} else if at, ok := seen[t]; ok {
			first = at
		} else {
			seen[t] = i
		}
		if first >= 0 && first < i {
			n, _ := x.list[first].(map[string]any)
			f.worse(f.condition(path, t, n), f.condition(path, t, m))
		}
	}
}

// conditionSign says what one of the object's conditions means.
func (f *Fields) conditionSign(s *signs, t ConditionType, m map[string]any) {
	role, from, weighs := f.roleOf(t)
	if truth := f.plain(m); truth != "" && asHoped(t, role, truth) {
		s.add(pick(weighs == alarm, detail, weighs), &sign{from: from, says: word.Ready, at: string(t), truth: truth})
		return
	}
	const path = "status.conditions"
	c := f.condition(path, t, m)
	if f.traced() {
		f.sawCondition(path, t, c)
	}
	x := signOf(c, m)
	x.from = from
	if t == ConditionReconciling || t == ConditionStalled { // what they say is known; see standardConditions
		switch {
		case c.Stale:
			x.says = word.Progressing
			s.add(detail, &x)
		case c.Is(False):
			x.says = word.Ready
			s.add(detail, &x)
		}
		return
	}
	if !f.isOver(c) {
		f.weigh(s, &x, x.roleByOperator(role), weighs)
	}
}

// plain returns the status of a condition that speaks of this generation, empty
// for one that does not, or that has to be read with care.
func (f *Fields) plain(m map[string]any) Truth {
	status, _ := m["status"].(string)
	if status != "True" && status != "False" || f.traced() {
		return ""
	}
	if v := m["observedGeneration"]; v != nil {
		if seen, ok := generationOf(v); ok && seen > 0 && seen < f.hearing.generation {
			return ""
		}
	}
	return Truth(status)
}

// asHoped reports whether a condition says so clearly that all is well that what
// else stands in it does not matter.
func asHoped(t ConditionType, role word.Role, truth Truth) bool {
	switch {
	case role == word.RoleNegative:
		return truth == False
	case truth != True || role != word.RolePositive && role != word.RoleLikely:
		return false
	}
	return t != "Running" && !slices.Contains(beginnings, string(t)) && !over(string(t))
}

// roleOf returns what it means that a condition of that type is True, and what
// it weighs.
func (f *Fields) roleOf(t ConditionType) (role word.Role, from source, weighs weight) {
	role = f.hearing.hint.role(t)
	switch rank := rankOf(string(t)); {
	case f.hearing.hint.sumsUp(t):
		return word.RolePositive, fromSummary, summing
	case role != word.RoleNone:
	case rank == 0:
		return word.RolePositive, fromSummary, summing
	case rank < len(summaryConditions):
		return word.RolePositive, fromSummary, alarm
	case f.hearing.hint.patient(string(t)) || f.hearing.hint.strict(string(t)):
		role = word.RolePositive
	case t == "Running" && f.hearing.hint.finite(f.hearing.kind.Kind):
		return word.RoleProgress, fromCondition, part // and leaves it True where the end is told elsewhere
	default:
		role = word.ConditionType(string(t[strings.LastIndexByte(string(t), '/')+1:]))
	}
	if role == word.RolePositive && word.Is(string(t), "started", "created", "launched") && f.hearing.hint.runs(f.hearing.kind.Kind) {
		role = word.RoleNone // it has begun, which is not its end
	}
	return role, fromCondition, detail
}

func signOf(c Condition, m map[string]any) sign {
	severity, _ := m["severity"].(string)
	return sign{at: string(c.Type), truth: c.Status, reason: c.Reason, message: c.Message, severity: severity, since: c.Since, stale: c.Stale}
}
