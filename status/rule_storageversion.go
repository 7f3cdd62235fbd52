package status

// A StorageVersion is Current when all API servers encode the resource in the
// same version (condition AllEncodingVersionsEqual). Versions usually differ
// while the control plane is upgraded.
func storageVersion(o *Fields) Result {
	switch c := o.Condition("AllEncodingVersionsEqual"); {
	case c.Status == "":
		return InProgress("NotObserved", "no API server has reported its versions yet")
	case c.Stale:
		return InProgress("StaleCondition", "condition AllEncodingVersionsEqual is for an earlier generation than %d", o.Generation())
	case c.Status != conditionTrue:
		return InProgress("SummaryConditionNotTrue", "AllEncodingVersionsEqual is %s: %s", c.Status, c.Text()).by(c)
	}
	return Current("Reconciled", "all API servers encode it in the same version")
}
