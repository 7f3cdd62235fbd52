package status

import (
	"slices"
	"strings"
	"time"

	"kstatus.dev/status/internal/word"
)

// ansibleRunning is the message of condition Running while an Ansible-based operator runs a role.
// The condition stays True afterwards.
const ansibleRunning = "Running reconciliation"

// roleByOperator returns the role of a condition that Ansible-based operators write for any
// kind, or that reports a first step. Otherwise it returns the given role.
func (x *signal) roleByOperator(role word.Role) word.Role {
	switch {
	case x.status != conditionTrue:
	case x.name == "Running" && x.message == ansibleRunning:
		return word.RoleProgress
	case role == word.RolePositive && word.IsFirstStep(x.name) && !word.IsFulfilled(x.reason):
		return word.RoleNone
	}
	return role
}

// isOver reports whether the condition describes a past event: one of Running or of an error
// that has ended, although it is True. Operators made with operator-utils leave both
// ReconcileError and ReconcileSuccess True; the later one counts.
func (f *Fields) isOver(c Condition) bool {
	switch {
	case c.Type == "Running" && c.Is(conditionFalse):
		return slices.ContainsFunc(word.EndConditions, func(t string) bool { return f.Condition(t).Is(conditionTrue) })
	case strings.HasPrefix(c.Type, "NotYet") && c.Is(conditionTrue):
		success := f.Condition("ReconcileSuccess")
		return success.Is(conditionTrue) && !isEarlier(success.Since, c.Since)
	case c.Type != "ReconcileError":
		return false
	}
	success := f.Condition("ReconcileSuccess")
	return success.Is(conditionTrue) && isEarlier(c.Since, success.Since)
}

// isEarlier reports whether the first time is before the second. It is false if one is unknown.
func isEarlier(first, second string) bool {
	a, err := time.Parse(time.RFC3339, first)
	b, err2 := time.Parse(time.RFC3339, second)
	return err == nil && err2 == nil && a.Before(b)
}
