package status

import (
	"slices"
	"strings"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status/internal/field"
	"kstatus.dev/status/internal/value"
	"kstatus.dev/status/internal/word"
)

// conditionSignals reads status.conditions.
func conditionSignals(o *Fields, s *signals) {
	const path = "status.conditions"
	ev := o.eval
	if ev.hint.ignores("conditions") {
		return
	}
	switch v := ev.status["conditions"].(type) {
	case nil:
	case map[string]any:
		o.eachField(v, func(t string, item any) {
			if m, ok := item.(map[string]any); ok {
				o.conditionSignal(s, t, m)
			}
		})
		o.mapForm(path, v)
	default:
		x := ev.index()
		for i, item := range x.list {
			m, _ := item.(map[string]any)
			if t := x.typeOf(i, m); t != "" {
				o.conditionSignal(s, t, m)
			}
		}
	}
	o.warnOfDuplicates(path)
}

// warnOfDuplicates adds a warning for each type that is in the list more than once.
func (f *Fields) warnOfDuplicates(path string) {
	x := &f.eval.conditions
	var seen map[string]int // only for a long list, to keep the time linear
	if len(x.list) > len(x.types) {
		seen = make(map[string]int, len(x.list))
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
			f.worse(f.read(path, t, n), f.read(path, t, m))
		}
	}
}

// conditionSignal adds the signal of one of the object's conditions.
func (f *Fields) conditionSignal(s *signals, t string, m map[string]any) {
	role, from, p := f.roleOf(t)
	if truth := f.certainStatus(m); truth != "" && isAsWanted(t, role, truth) && (role != word.RoleNegative || !contradicts(m)) {
		s.undegraded = s.undegraded || t == "Degraded"
		s.add(choose(p == override, detail, p), &signal{kind: from, polarity: word.Ready, name: t, status: truth, since: condition.Read(t, m).Since})
		return
	}
	const path = "status.conditions"
	c := f.condition(path, t, m)
	if f.isTraced() {
		f.recordCondition(path, t, c)
	}
	if m["status"] == nil && from != signalSummary { // an event in a log
		return
	}
	x := newConditionSignal(c, m)
	x.kind, x.latest = from, value.ObservedGeneration(m) == f.eval.generation
	if t == ConditionReconciling || t == ConditionStalled { // standardConditions reads these
		switch {
		case c.Stale:
			x.polarity = word.Progressing
			s.add(detail, &x)
		case c.Is(conditionFalse):
			x.polarity = word.Ready
			s.add(detail, &x)
		}
		return
	}
	if !f.isOver(c) {
		f.addByRole(s, &x, x.roleByOperator(role), p)
	}
}

// certainStatus returns the status of a condition that describes this generation. It
// is empty if the condition does not, or if it must be read in full.
func (f *Fields) certainStatus(m map[string]any) ConditionStatus {
	status, _ := m["status"].(string)
	if status != "True" && status != "False" || f.isTraced() {
		return ""
	}
	if seen := value.ObservedGeneration(m); seen > 0 && seen < f.eval.generation {
		return ""
	}
	return ConditionStatus(status)
}

// contradicts reports whether the texts of a condition report an error.
func contradicts(m map[string]any) bool {
	return word.Contradicts(decoded.Text(m, "reason"), decoded.Text(m, "message"))
}

// isAsWanted reports whether a condition has the status of the normal state, whatever its other
// fields say.
func isAsWanted(t string, role word.Role, truth ConditionStatus) bool {
	switch {
	case role == word.RoleNegative:
		return truth == conditionFalse
	case truth != conditionTrue || role != word.RolePositive && role != word.RoleLikely:
		return false
	}
	return t != "Running" && !word.IsFirstStep(t) && !word.IsEnd(t)
}

// roleOf returns the role of a condition of that type, and the kind and the precedence
// of its signal.
func (f *Fields) roleOf(t string) (role word.Role, from signalKind, p precedence) {
	role = f.eval.hint.role(t)
	switch rank := word.SummaryRank(t); {
	case f.eval.hint.sumsUp(t):
		return word.RolePositive, signalSummary, summary
	case role != word.RoleNone:
	case rank == 0:
		return word.RolePositive, signalSummary, summary
	case rank < word.NoSummary:
		return word.RolePositive, signalSummary, override
	case f.eval.hint.isProgressIfFalse(string(t)) || f.eval.hint.isFailedIfFalse(string(t)):
		role = word.RolePositive
	case t == "Running" && f.eval.hint.finite(f.eval.kind.Kind):
		return word.RoleProgress, signalCondition, component // it stays True after the end
	default:
		role = word.ConditionType(string(t[strings.LastIndexByte(string(t), '/')+1:]))
	}
	if role == word.RolePositive && word.Is(string(t), "started", "created", "launched") && f.eval.hint.isRunKind(f.eval.kind.Kind) {
		role = word.RoleNone // the run has begun, which is not its end
	}
	return role, signalCondition, detail
}

// reportsEnd reports whether a field or a condition says that the run has ended.
func (f *Fields) reportsEnd() bool {
	for name, v := range f.eval.status {
		if role := field.RoleOf(name); v != nil && v != "" && role.Is(field.EndTime|field.OutcomeWord) {
			return true
		}
	}
	return slices.ContainsFunc(word.EndConditions, func(t string) bool { return f.Condition(t).Is(conditionTrue) })
}

// newConditionSignal returns the signal of a condition, without kind and polarity.
func newConditionSignal(c Condition, m map[string]any) signal {
	severity, _ := m["severity"].(string)
	return signal{name: string(c.Type), status: c.Status, reason: c.Reason, message: c.Message, severity: severity, since: c.Since, stale: c.Stale}
}
