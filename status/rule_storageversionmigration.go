package status

// A StorageVersionMigration runs once, to completion: it is Current when it has
// succeeded, and has failed terminally when it has failed.
func storageVersionMigration(o *Fields) Result {
	failed, succeeded, running := o.Condition("Failed"), o.Condition("Succeeded"), o.Condition("Running")
	switch {
	case failed.Is(conditionTrue):
		return FailedTerminal("MigrationFailed", "%s", failed.Text()).by(failed)
	case succeeded.Is(conditionTrue):
		return Current("Completed", "all stored objects are of the current version")
	case running.Is(conditionTrue):
		return InProgress("Running", "stored objects are being rewritten")
	}
	return InProgress("NotStarted", "it has not been started yet")
}
