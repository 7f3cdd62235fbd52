package status

import "time"

// What an operator made of Ansible roles says in condition Running while one
// runs; when it is done the condition stays True.
const ansibleAtWork = "Running reconciliation"

// roleByOperator returns the role of a condition that operators made of Helm
// charts or Ansible roles have, whatever the kind: Initialized is a beginning,
// and only what follows tells whether the object is there.
func (x *sign) roleByOperator(role meaning) meaning {
	switch {
	case x.truth != True:
	case x.at == "Running" && x.message == ansibleAtWork:
		return busy
	case x.at == "Initialized" && role == good:
		return noMeaning
	}
	return role
}

// isOver reports whether the condition tells of an error that is over, although
// it is True: operators made with operator-utils leave both ReconcileError and
// ReconcileSuccess True, and the later one counts.
func (f *Fields) isOver(c Condition) bool {
	if c.Type != "ReconcileError" {
		return false
	}
	success := f.Condition("ReconcileSuccess")
	failed, err := time.Parse(time.RFC3339, c.Since)
	succeeded, err2 := time.Parse(time.RFC3339, success.Since)
	return success.Is(True) && err == nil && err2 == nil && succeeded.After(failed)
}
