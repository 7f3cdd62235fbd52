package word

import "slices"

// firstSteps are the conditions that report a first step. Only later conditions show whether the
// object is ready.
var firstSteps = []string{"Initialized", "Launched", "Registered", "Scheduled", "Started", "Submitted"}

// IsFirstStep reports whether a condition of the type reports a first step only.
func IsFirstStep(conditionType string) bool { return slices.Contains(firstSteps, conditionType) }

// IsFulfilled reports whether a reason says that a first step is all that was requested.
func IsFulfilled(reason string) bool { return HasAnySuffix(reason, []string{"Fulfilled", "Satisfied"}) }

// EndConditions are the conditions that report successful completion.
var EndConditions = []string{"Complete", "Completed", "Finished", "Succeeded", "Successful"}

// admissions are the conditions with which another component admits the object. Before a decision
// they are Unknown or absent, so False is a refusal.
var admissions = []string{"Accepted", "Admitted", "Valid", "Validated"}

// IsAdmission reports whether a condition of the type is False only if the object is refused.
func IsAdmission(conditionType string) bool { return slices.Contains(admissions, conditionType) }

// IsDetection reports whether a condition of the type says whether its controller has found
// something, which is not a part of the object: HotspotDetected.
func IsDetection(conditionType string) bool {
	return HasAnySuffix(conditionType, []string{"Detected", "Encountered", "Occurred"})
}

// stops are the reasons with which a summary condition reports that the object is stopped on
// request. They do not match other suspended things, such as an account.
var stops = []string{
	"Paused", "Suspended", "Hibernated", "ReconcilePaused", "ReconciliationPaused", "ReconcileSuspended", "ReconciliationSuspended",
}

// IsStop reports whether a reason says that the object is stopped on request.
func IsStop(reason string) bool { return slices.Contains(stops, reason) }

// IsDisabled reports whether a reason says that an aspect of the object is absent because it is
// not requested.
func IsDisabled(reason string) bool {
	return HasAnySuffix(reason, []string{"Disabled", "NotEnabled"})
}

// IsNotNeeded reports whether a reason says that nothing has to be done for an aspect of the object.
func IsNotNeeded(reason string) bool {
	return HasAnySuffix(reason, []string{"NotApplicable", "NotInProgress", "NotNeeded", "NotRequested", "NotRequired"})
}

// The last words of reasons of progress conditions. ends report the end of the work, and reached
// the state at its end. ReplicaSetUpdated reports a step, so "Updated" is none of them.
var (
	ends    = []string{"Available", "Complete", "Completed", "Succeeded", "Success", "Successful", "Finished", "Done", "UpToDate"}
	reached = []string{"AsExpected", "Deployed", "Healthy", "Installed", "Ready", "Reconciled", "RolledOut", "Stable", "Synced"}
)

// EndsProgress reports whether the reason of a progress condition that is True says that the work
// has ended.
func EndsProgress(reason string) bool {
	return HasAnySuffix(reason, ends) || HasAnySuffix(reason, reached) && State(reason) == Ready
}
