package status

// A CustomResourceDefinition is Current when its names have been accepted and
// its API is established. The API server serves the API a few seconds later;
// the object does not show when.
//
// It fails while another definition has one of its names, and while the
// certificates of its conversion webhook are invalid. It also fails while an
// API in a protected group of Kubernetes lacks its approval. It is Terminating
// while its condition Terminating is True. A schema that is not structural
// becomes a warning.
func customResourceDefinition(o *Fields) Result {
	var (
		terminating = o.Condition("Terminating")
		names       = o.Condition("NamesAccepted")
		approved    = o.Condition("KubernetesAPIApprovalPolicyConformant")
		established = o.Condition("Established")
	)
	if c := o.Condition("NonStructuralSchema"); c.Is(conditionTrue) {
		o.Warn("its schema is not structural: %s", c.Text())
	}
	switch {
	case terminating.Status == conditionTrue:
		return Result{Status: TerminatingStatus, Reason: "Deleting", Message: terminating.Text()}.by(terminating)
	case names.Is(conditionFalse):
		return FailedRecoverable("NameConflict", "%s", names.Text()).by(names)
	case approved.Is(conditionFalse):
		return FailedRecoverable("NotAccepted", "%s", approved.Text()).by(approved)
	case names.Status == "" && established.Status == "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case names.Stale || established.Stale:
		return InProgress("StaleCondition", "its conditions are for an earlier generation than %d", o.Generation())
	case names.Status != conditionTrue:
		return InProgress("NotServedYet", "its names have not been accepted yet")
	case established.Status == conditionFalse && established.Reason == "InvalidCABundle":
		return FailedRecoverable("NotAccepted", "%s", established.Text()).by(established)
	case established.Status == conditionFalse:
		return InProgress("NotServedYet", "its API is not established yet: %s", established.Text()).by(established)
	case established.Status != conditionTrue:
		return InProgress("NotServedYet", "its API is not established yet")
	}
	return Current("Reconciled", "its names are accepted and its API is established")
}
