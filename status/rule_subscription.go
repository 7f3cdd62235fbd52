package status

// A Subscription of the Operator Lifecycle Manager is Current when an operator
// is installed and its channel has no newer version (state AtLatestKnown).
//
// With manual approval (spec.installPlanApproval), the spec requests that an
// upgrade waits for a user. So the Subscription is suspended while an upgrade is
// pending, and the installed operator remains. It is not suspended if
// spec.startingCSV names the pending version. Before the first operator is
// installed it waits for that approval.
//
// It fails while no bundle in the catalogs satisfies it (condition
// ResolutionFailed). It also fails while a bundle cannot be unpacked, an
// InstallPlan fails or an upgrade has failed. A missing InstallPlan
// (InstallPlanMissing) means nothing after it was completed. Unhealthy catalogs
// become a warning when an operator is installed, since they may belong to
// other Subscriptions.
func olmSubscription(o *Fields) Result {
	for _, t := range [...]string{"ResolutionFailed", "InstallPlanFailed", "BundleUnpackFailed"} {
		if c := o.Condition(t); c.Is(conditionTrue) {
			return o.FailAfterWindow(c.Since, FailedRecoverable("SyncFailed", "%s: %s", t, c.Text())).by(c)
		}
	}
	var (
		state     = o.Text("status.state", "")
		installed = o.Text("status.installedCSV", "")
		next      = o.Text("status.currentCSV", "")
		unhealthy = o.Condition("CatalogSourcesUnhealthy")
	)
	if unhealthy.Is(conditionTrue) && installed != "" {
		o.Warn("not every catalog is healthy: %s", unhealthy.Text())
	}
	switch {
	case state == "UpgradeFailed":
		return FailedRecoverable("SyncFailed", "the upgrade of %s has failed", installed)
	case installed == "" && o.awaitsApproval():
		return InProgress("WaitingForApproval", "the plan that installs %s waits for approval", next)
	case installed == "" && unhealthy.Is(conditionTrue):
		return InProgress("NotObserved", "no operator is installed yet, and not every catalog is healthy: %s", unhealthy.Text()).by(unhealthy)
	case installed == "" && next == "":
		return InProgress("NotObserved", "no operator has been found for it yet")
	case installed == "":
		return InProgress("Reconciling", "%s is being installed", next)
	case state == "AtLatestKnown" && (next == "" || next == installed):
		return currentWithMessage(installed + " is installed, and no newer version is known")
	case !o.awaitsApproval():
		return InProgress("Reconciling", "%s is installed, and is being upgraded to %s", installed, next)
	case next != "" && next == o.Text("spec.startingCSV", ""):
		return InProgress("WaitingForApproval", "%s is installed, and the upgrade to %s waits for approval", installed, next)
	}
	return Suspended(SuspendedByUser, "Suspended", installed+" is installed, and the upgrade to "+next+" waits for approval")
}

// awaitsApproval reports whether an installation or upgrade waits for approval.
func (f *Fields) awaitsApproval() bool {
	if c := f.Condition("InstallPlanPending"); c.Is(conditionTrue) {
		return c.Reason == "RequiresApproval"
	}
	state := f.Text("status.state", "")
	return f.Text("spec.installPlanApproval", "") == "Manual" && (state == "UpgradePending" || state == "UpgradeAvailable")
}
