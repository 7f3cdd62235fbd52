package status

// A Reason documents one value of [Result.Reason].
type Reason struct {
	Name    string
	Status  Status          // the status with this reason; a failure within its window is InProgress
	Settled bool            // the controller makes no further change by itself
	Healthy ConditionStatus // whether the object serves now
	Doc     string
}

// The reasons that programs compare. [Profile.Reasons] documents these and all others.
const (
	ReasonReconciled                      = "Reconciled"
	ReasonCompleted                       = "Completed"
	ReasonSuspended                       = "Suspended"
	ReasonPaused                          = "Paused"
	ReasonAwaitingManualDeletion          = "AwaitingManualDeletion"
	ReasonScaledToZero                    = "ScaledToZero"
	ReasonNoEvidence                      = "NoEvidence"
	ReasonObservedOnly                    = "ObservedOnly"
	ReasonNotObserved                     = "NotObserved"
	ReasonLatestGenerationNotObserved     = "LatestGenerationNotObserved"
	ReasonObservedGenerationAhead         = "ObservedGenerationAhead"
	ReasonStaleCondition                  = "StaleCondition"
	ReasonStatusPredatesSpec              = "StatusPredatesSpec"
	ReasonSummaryConditionNotTrue         = "SummaryConditionNotTrue"
	ReasonNoSummary                       = "NoSummary"
	ReasonMinReadySeconds                 = "MinReadySeconds"
	ReasonWaitingForAddress               = "WaitingForAddress"
	ReasonWaitingForParents               = "WaitingForParents"
	ReasonNotStarted                      = "NotStarted"
	ReasonRunning                         = "Running"
	ReasonFinishing                       = "Finishing"
	ReasonUnschedulable                   = "Unschedulable"
	ReasonResizing                        = "Resizing"
	ReasonWaitingForApproval              = "WaitingForApproval"
	ReasonNoControllerEvidence            = "NoControllerEvidence"
	ReasonObservedGenerationNeverAdvanced = "ObservedGenerationNeverAdvanced"
	ReasonRuleError                       = "RuleError"
	ReasonStalled                         = "Stalled"
	ReasonReportsFailure                  = "ReportsFailure"
	ReasonProgressDeadlineExceeded        = "ProgressDeadlineExceeded"
	ReasonCrashLoop                       = "CrashLoop"
	ReasonContainerError                  = "ContainerError"
	ReasonImagePullBackOff                = "ImagePullBackOff"
	ReasonQuotaOrAdmissionDenied          = "QuotaOrAdmissionDenied"
	ReasonMetricsUnavailable              = "MetricsUnavailable"
	ReasonUnavailable                     = "Unavailable"
	ReasonSnapshotError                   = "SnapshotError"
	ReasonAttachError                     = "AttachError"
	ReasonPodFailed                       = "PodFailed"
	ReasonEvicted                         = "Evicted"
	ReasonSuperseded                      = "Superseded"
	ReasonNeverSeen                       = "NeverSeen"
	ReasonDeleted                         = "Deleted"
	ReasonExpiredTTL                      = "ExpiredTTL"
	ReasonReplaced                        = "Replaced"
	ReasonKindRemoved                     = "KindRemoved"
	ReasonForbidden                       = "Forbidden"
	ReasonNoMatch                         = "NoMatch"
	ReasonBadScope                        = "BadScope"
	ReasonBadName                         = "BadName"
	ReasonMalformed                       = "Malformed"
	ReasonStateNotKnown                   = "StateNotKnown"
	ReasonTransport                       = "Transport"
)

// Settled reports whether the controller makes no further change by itself: the object is done,
// suspended, or failed terminally.
func (r Result) Settled() bool {
	d, ok := reasonOf[r.Reason]
	return r.Failure == FailureTerminal || ok && d.Settled && r.Status != InProgressStatus
}

// Healthy reports whether the object serves now, as far as its reason shows.
func (r Result) Healthy() ConditionStatus {
	if d, ok := reasonOf[r.Reason]; ok {
		return d.Healthy
	}
	return conditionUnknown
}

var reasonOf = func() map[string]Reason {
	m := make(map[string]Reason, len(reasons))
	for _, r := range reasons {
		m[r.Name] = r
	}
	return m
}()

var reasons = []Reason{
	{"NoStatusExpected", CurrentStatus, true, conditionUnknown, "the kind has no status: the object is complete when the API server has accepted it"},
	{ReasonReconciled, CurrentStatus, true, conditionTrue, "the cluster is as the spec requests"},
	{ReasonCompleted, CurrentStatus, true, conditionTrue, "it has completed with success"},
	{"Started", CurrentStatus, true, conditionTrue, "it has been started, which is all that its kind promises"},
	{ReasonSuspended, CurrentStatus, true, conditionUnknown, "the spec suspends it, and it is suspended"},
	{ReasonPaused, CurrentStatus, true, conditionUnknown, "the spec pauses its rollout or its reconciliation"},
	{"WaitingForFirstConsumer", CurrentStatus, true, conditionUnknown, "it waits for the first Pod that uses it, by design"},
	{ReasonAwaitingManualDeletion, CurrentStatus, true, conditionTrue, "all Pods serve; outdated ones wait to be deleted by hand, with the OnDelete strategy"},
	{ReasonScaledToZero, CurrentStatus, true, conditionUnknown, "the spec requests no replicas, and none exist"},
	{"Released", CurrentStatus, true, conditionFalse, "the claim of the volume is deleted; no claim can use the volume until its data is handled"},
	{ReasonNoEvidence, CurrentStatus, false, conditionUnknown, "its status does not show whether it is ready; Unknown in the strict profile"},
	{ReasonObservedOnly, CurrentStatus, false, conditionUnknown, "its controller has observed this generation but reports no conditions; InProgress in the strict profile"},

	{"SuspendedByOther", InProgressStatus, false, conditionUnknown, "another controller, such as a queue controller, has not admitted it"},
	{"SchedulingGated", InProgressStatus, false, conditionFalse, "scheduling gates block the Pod until they are removed"},
	{ReasonNotObserved, InProgressStatus, false, conditionUnknown, "its controller has not reported anything yet"},
	{ReasonLatestGenerationNotObserved, InProgressStatus, false, conditionUnknown, "its controller has not observed the latest change of the spec"},
	{ReasonObservedGenerationAhead, InProgressStatus, false, conditionUnknown, "the status is for a later generation: the object was restored, moved or copied"},
	{ReasonStaleCondition, InProgressStatus, false, conditionUnknown, "the deciding condition is for an earlier generation"},
	{ReasonStatusPredatesSpec, InProgressStatus, false, conditionUnknown, "the status was last written before the spec, and no observed generation shows which spec it describes"},
	{"Reconciling", InProgressStatus, false, conditionUnknown, "its controller reports that it is working on it"},
	{"ContradictoryConditions", InProgressStatus, false, conditionUnknown, "its conditions contradict each other"},
	{ReasonSummaryConditionNotTrue, InProgressStatus, false, conditionFalse, "its summary condition is not True"},
	{ReasonNoSummary, InProgressStatus, false, conditionUnknown, "none of its conditions is known as the summary of its kind"},
	{"Creating", InProgressStatus, false, conditionFalse, "the resource that it represents is being created"},
	{"RolloutUpdating", InProgressStatus, false, conditionUnknown, "fewer replicas than wanted run the latest template"},
	{"RolloutTerminatingOld", InProgressStatus, false, conditionUnknown, "old or surplus replicas still exist"},
	{"NotAvailable", InProgressStatus, false, conditionFalse, "fewer replicas than wanted are ready or available"},
	{ReasonMinReadySeconds, InProgressStatus, false, conditionFalse, "all replicas are ready, but not for minReadySeconds yet"},
	{"Degraded", InProgressStatus, false, conditionFalse, "its rollout had completed, and now fewer replicas than wanted are available"},
	{ReasonWaitingForAddress, InProgressStatus, false, conditionFalse, "it has no address yet"},
	{"WaitingForEndpoints", InProgressStatus, false, conditionFalse, "it has no ready endpoint yet"},
	{ReasonWaitingForParents, InProgressStatus, false, conditionFalse, "not every parent has reported yet whether it accepts it"},
	{ReasonNotStarted, InProgressStatus, false, conditionUnknown, "it has not been started yet"},
	{ReasonRunning, InProgressStatus, false, conditionTrue, "it runs and has not completed; Current in the started profile"},
	{ReasonFinishing, InProgressStatus, false, conditionUnknown, "its outcome is decided, and its last Pods are ending"},
	{"AboutToFail", FailedStatus, false, conditionFalse, "it fails, and its last Pods are ending"},
	{"Evicting", InProgressStatus, false, conditionFalse, "the Pod is about to be deleted by preemption, eviction or a taint"},
	{ReasonUnschedulable, InProgressStatus, false, conditionFalse, "no node fits; an autoscaler or freed capacity may solve it"},
	{"ImagePull", InProgressStatus, false, conditionFalse, "an image is being pulled"},
	{"ContainerCreating", InProgressStatus, false, conditionFalse, "containers are being created or initialized"},
	{"Binding", InProgressStatus, false, conditionFalse, "it is not bound yet"},
	{ReasonResizing, InProgressStatus, false, conditionTrue, "it is in use at its earlier size while it is resized"},
	{ReasonWaitingForApproval, InProgressStatus, false, conditionUnknown, "a user has to approve it"},
	{"NotServedYet", InProgressStatus, false, conditionFalse, "the API that it declares is not served yet"},
	{ReasonNoControllerEvidence, InProgressStatus, false, conditionUnknown, "no controller has acted on it; in a wait it becomes Current (assumed) if only its schema suggests a controller"},
	{ReasonObservedGenerationNeverAdvanced, InProgressStatus, false, conditionUnknown, "its controller does not report which generation it has observed; Current (assumed) without other evidence"},
	{"RuleNotMet", InProgressStatus, false, conditionUnknown, "a user's rule for Current is not met yet"},
	{ReasonRuleError, InProgressStatus, false, conditionUnknown, "a user's rule could not be evaluated"},

	{ReasonStalled, FailedStatus, false, conditionFalse, "its controller reports that it makes no progress"},
	{ReasonReportsFailure, FailedStatus, false, conditionFalse, "a condition, a state word or an error field has reported a problem for a minute"},
	{ReasonProgressDeadlineExceeded, FailedStatus, false, conditionFalse, "its rollout made no progress for progressDeadlineSeconds"},
	{ReasonCrashLoop, FailedStatus, false, conditionFalse, "a container exits repeatedly"},
	{ReasonContainerError, FailedStatus, false, conditionFalse, "a container cannot be created or started"},
	{ReasonImagePullBackOff, FailedStatus, false, conditionFalse, "an image cannot be pulled"},
	{ReasonQuotaOrAdmissionDenied, FailedStatus, false, conditionFalse, "a quota or admission rejects its Pods"},
	{"NameConflict", FailedStatus, false, conditionFalse, "another object has its name"},
	{"NotAccepted", FailedStatus, false, conditionFalse, "the controller that should serve it rejects it"},
	{"Dangling", FailedStatus, false, conditionFalse, "an object that it refers to does not exist"},
	{"RefsNotResolved", FailedStatus, false, conditionFalse, "a reference of it does not resolve"},
	{"ScaleTargetMissing", FailedStatus, false, conditionFalse, "the target that it scales does not exist or cannot be changed"},
	{ReasonMetricsUnavailable, FailedStatus, false, conditionFalse, "the metrics that it needs cannot be read"},
	{ReasonUnavailable, FailedStatus, false, conditionFalse, "the resource that it represents cannot be reached"},
	{"NodeNotReady", FailedStatus, false, conditionFalse, "the node's kubelet reports a problem or does not report"},
	{ReasonSnapshotError, FailedStatus, false, conditionFalse, "a snapshot could not be taken"},
	{ReasonAttachError, FailedStatus, false, conditionFalse, "a volume could not be attached"},
	{"ResizeFailed", FailedStatus, false, conditionTrue, "a resize was refused or keeps failing"},
	{"ModifyFailed", FailedStatus, false, conditionTrue, "a change of a volume's attributes was refused or keeps failing"},
	{"ReclaimFailed", FailedStatus, false, conditionFalse, "a volume could not be reclaimed"},
	{"SyncFailed", FailedStatus, false, conditionFalse, "its controller could not reconcile it"},
	{"AddressFailed", FailedStatus, false, conditionFalse, "an address or a port could not be assigned to it"},
	{"RuleFailed", FailedStatus, false, conditionFalse, "a user's rule reports a problem"},
	{"RollbackTrap", FailedStatus, false, conditionFalse, "a Pod of a withdrawn revision blocks the rollout until a user deletes it"},

	{"JobFailed", FailedStatus, true, conditionFalse, "the Job has failed and is not retried"},
	{ReasonPodFailed, FailedStatus, true, conditionFalse, "the Pod has ended with an error; a Pod does not start again"},
	{ReasonEvicted, FailedStatus, true, conditionFalse, "a kubelet ended the Pod, or one that the Job counts as succeeded, and its containers exited with 0"},
	{"VolumeLost", FailedStatus, true, conditionFalse, "its volume is lost"},
	{"Denied", FailedStatus, true, conditionFalse, "the request was denied, and is not retried"},
	{ReasonSuperseded, FailedStatus, true, conditionFalse, "another change has replaced what was applied"},
	{"InvalidImage", FailedStatus, true, conditionFalse, "an image name is not valid"},
	{"MigrationFailed", FailedStatus, true, conditionFalse, "the migration has failed"},
	{"GivenUp", FailedStatus, true, conditionFalse, "its controller has given up and does not retry"},
	{"RuleDeclared", FailedStatus, true, conditionFalse, "a user's rule reports that it has failed terminally"},

	{"Finalizers", TerminatingStatus, false, conditionUnknown, "it is deleted when its finalizers are removed"},
	{"GracefulPod", TerminatingStatus, false, conditionUnknown, "the Pod is in its termination grace period"},
	{"DependentsBlocking", TerminatingStatus, false, conditionUnknown, "it is deleted when its dependents are deleted"},
	{"NamespaceContent", TerminatingStatus, false, conditionUnknown, "the namespace is deleted when it is empty"},
	{"NoFinalizerHandler", TerminatingStatus, false, conditionUnknown, "no controller has acted that would remove its finalizer"},
	{"Deleting", TerminatingStatus, false, conditionUnknown, "its deletion was requested"},

	{ReasonNeverSeen, NotFoundStatus, false, conditionUnknown, "it does not exist"},
	{ReasonDeleted, NotFoundStatus, true, conditionUnknown, "it existed and was deleted"},
	{ReasonExpiredTTL, NotFoundStatus, true, conditionUnknown, "it had finished and was removed when its time to live ended"},
	{ReasonReplaced, NotFoundStatus, true, conditionUnknown, "it was deleted and another object has its name"},
	{ReasonKindRemoved, NotFoundStatus, true, conditionUnknown, "its kind is no longer served"},

	{ReasonForbidden, UnknownStatus, false, conditionUnknown, "reading it is not permitted"},
	{ReasonNoMatch, UnknownStatus, false, conditionUnknown, "the cluster does not serve its kind"},
	{ReasonBadScope, UnknownStatus, false, conditionUnknown, "a namespaced object was named without a namespace, or the reverse"},
	{ReasonBadName, UnknownStatus, false, conditionUnknown, "its name or the name of its namespace is invalid, so no request is sent"},
	{ReasonMalformed, UnknownStatus, false, conditionUnknown, "a field does not have the type that its API declares"},
	{ReasonStateNotKnown, UnknownStatus, false, conditionUnknown, "its state word is in no vocabulary; a rule can define it"},
	{"ReportsUnknown", UnknownStatus, false, conditionUnknown, "its controller reports that it does not know its state"},
	{ReasonTransport, UnknownStatus, false, conditionUnknown, "the request to the API server failed"},
}
