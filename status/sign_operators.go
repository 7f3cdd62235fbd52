package status

import (
	"slices"
	"time"

	"kstatus.dev/status/internal/word"
)

// What an operator made of Ansible roles says in condition Running while one
// runs; when it is done the condition stays True.
const ansibleAtWork = "Running reconciliation"

// The conditions that tell of a beginning: only what follows says whether the
// object is there.
var beginnings = []string{"Initialized", "Launched", "Registered", "Scheduled", "Started", "Submitted"}

// roleByOperator returns the role of a condition that operators made of Ansible
// roles have, whatever the kind, and of one that tells of a beginning.
func (x *sign) roleByOperator(role word.Role) word.Role {
	switch {
	case x.truth != True:
	case x.at == "Running" && x.message == ansibleAtWork:
		return word.RoleProgress
	case role == word.RolePositive && slices.Contains(beginnings, x.at):
		return word.RoleNone
	}
	return role
}

// The conditions that say of what runs that it has come to a good end.
var ends = []ConditionType{"Complete", "Completed", "Finished", "Succeeded", "Successful"}

// isOver reports whether the condition tells of what is over: that it does not run,
// of what has come to its end, and of an error, although it is True. Operators made
// with operator-utils leave both ReconcileError and ReconcileSuccess True, and the
// later one counts.
func (f *Fields) isOver(c Condition) bool {
	switch {
	case c.Type == "Running" && c.Is(False):
		return slices.ContainsFunc(ends, func(t ConditionType) bool { return f.Condition(t).Is(True) })
	case c.Type != "ReconcileError":
		return false
	}
	success := f.Condition("ReconcileSuccess")
	failed, err := time.Parse(time.RFC3339, c.Since)
	succeeded, err2 := time.Parse(time.RFC3339, success.Since)
	return success.Is(True) && err == nil && err2 == nil && succeeded.After(failed)
}
