package status

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
