package status

import (
	"slices"
	"time"

	"kstatus.dev/status/internal/word"
)

// What an operator made of Ansible roles says in condition Running while one
// runs; when it is done the condition stays True.
const ansibleAtWork = "Running reconciliation"

// beginnings are the conditions that report a beginning. Only what follows says
// whether the object is ready.
var beginnings = []string{"Initialized", "Launched", "Registered", "Scheduled", "Started", "Submitted"}

// roleByOperator returns the role of a condition that operators made of Ansible
// roles write, whatever the kind, and of one that reports a beginning. For others it
// returns the given role.
func (x *signal) roleByOperator(role word.Role) word.Role {
	switch {
	case x.status != conditionTrue:
	case x.name == "Running" && x.message == ansibleAtWork:
		return word.RoleProgress
	case role == word.RolePositive && slices.Contains(beginnings, x.name):
		return word.RoleNone
	}
	return role
}

// endConditions are the conditions that say that something has run to its end with
// success.
var endConditions = []string{"Complete", "Completed", "Finished", "Succeeded", "Successful"}

// isOver reports whether the condition tells of what is over: that it does not run,
// of what has come to its end, and of an error, although it is True. Operators made
// with operator-utils leave both ReconcileError and ReconcileSuccess True, and the
// later one counts.
func (f *Fields) isOver(c Condition) bool {
	switch {
	case c.Type == "Running" && c.Is(conditionFalse):
		return slices.ContainsFunc(endConditions, func(t string) bool { return f.Condition(t).Is(conditionTrue) })
	case c.Type != "ReconcileError":
		return false
	}
	success := f.Condition("ReconcileSuccess")
	failed, err := time.Parse(time.RFC3339, c.Since)
	succeeded, err2 := time.Parse(time.RFC3339, success.Since)
	return success.Is(conditionTrue) && err == nil && err2 == nil && succeeded.After(failed)
}
