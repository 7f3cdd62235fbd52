package status

// A Reason documents one value of [Result.Reason].
type Reason struct {
	Name    string
	Status  Status          // the status with this reason; a failure within its window is InProgress
	Settled bool            // the controller makes no further change by itself
	Healthy ConditionStatus // whether the object serves now
	Doc     string
}

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
	{"Reconciled", CurrentStatus, true, conditionTrue, "the cluster is as the spec requests"},
	{"Completed", CurrentStatus, true, conditionTrue, "it has completed with success"},
	{"Started", CurrentStatus, true, conditionTrue, "it has been started, which is all that its kind promises"},
	{"Suspended", CurrentStatus, true, conditionUnknown, "the spec suspends it, and it is suspended"},
	{"Paused", CurrentStatus, true, conditionUnknown, "the spec pauses its rollout or its reconciliation"},
	{"WaitingForFirstConsumer", CurrentStatus, true, conditionUnknown, "it waits for the first Pod that uses it, by design"},
	{"AwaitingManualDeletion", CurrentStatus, true, conditionTrue, "all Pods serve; outdated ones wait to be deleted by hand, with the OnDelete strategy"},
	{"ScaledToZero", CurrentStatus, true, conditionUnknown, "the spec requests no replicas, and none exist"},
	{"Released", CurrentStatus, true, conditionFalse, "the claim of the volume is deleted; no claim can use the volume until its data is handled"},
	{"NoEvidence", CurrentStatus, false, conditionUnknown, "its status does not show whether it is ready; Unknown in the strict profile"},
	{"ObservedOnly", CurrentStatus, false, conditionUnknown, "its controller has observed this generation but reports no conditions; InProgress in the strict profile"},

	{"SuspendedByOther", InProgressStatus, false, conditionUnknown, "another controller, such as a queue controller, has not admitted it"},
	{"SchedulingGated", InProgressStatus, false, conditionFalse, "scheduling gates block the Pod until they are removed"},
	{"NotObserved", InProgressStatus, false, conditionUnknown, "its controller has not reported anything yet"},
	{"LatestGenerationNotObserved", InProgressStatus, false, conditionUnknown, "its controller has not observed the latest change of the spec"},
	{"ObservedGenerationAhead", InProgressStatus, false, conditionUnknown, "the status is for a later generation: the object was restored, moved or copied"},
	{"StaleCondition", InProgressStatus, false, conditionUnknown, "the deciding condition is for an earlier generation"},
	{"StatusPredatesSpec", InProgressStatus, false, conditionUnknown, "the status was last written before the spec, and no observed generation shows which spec it describes"},
	{"Reconciling", InProgressStatus, false, conditionUnknown, "its controller reports that it is working on it"},
	{"ContradictoryConditions", InProgressStatus, false, conditionUnknown, "its conditions contradict each other"},
	{"SummaryConditionNotTrue", InProgressStatus, false, conditionFalse, "its summary condition is not True"},
	{"NoSummary", InProgressStatus, false, conditionUnknown, "none of its conditions is known as the summary of its kind"},
	{"Creating", InProgressStatus, false, conditionFalse, "the resource that it represents is being created"},
	{"RolloutUpdating", InProgressStatus, false, conditionUnknown, "fewer replicas than wanted run the latest template"},
	{"RolloutTerminatingOld", InProgressStatus, false, conditionUnknown, "old or surplus replicas still exist"},
	{"NotAvailable", InProgressStatus, false, conditionFalse, "fewer replicas than wanted are ready or available"},
	{"MinReadySeconds", InProgressStatus, false, conditionFalse, "all replicas are ready, but not for minReadySeconds yet"},
	{"Degraded", InProgressStatus, false, conditionFalse, "its rollout had completed, and now fewer replicas than wanted are available"},
	{"WaitingForAddress", InProgressStatus, false, conditionFalse, "it has no address yet"},
	{"WaitingForEndpoints", InProgressStatus, false, conditionFalse, "it has no ready endpoint yet"},
	{"WaitingForParents", InProgressStatus, false, conditionFalse, "not every parent has reported yet whether it accepts it"},
	{"NotStarted", InProgressStatus, false, conditionUnknown, "it has not been started yet"},
	{"Running", InProgressStatus, false, conditionTrue, "it runs and has not completed; Current in the started profile"},
	{"Finishing", InProgressStatus, false, conditionUnknown, "its outcome is decided, and its last Pods are ending"},
	{"AboutToFail", FailedStatus, false, conditionFalse, "it fails, and its last Pods are ending"},
	{"Evicting", InProgressStatus, false, conditionFalse, "the Pod is about to be deleted by preemption, eviction or a taint"},
	{"Unschedulable", InProgressStatus, false, conditionFalse, "no node fits; an autoscaler or freed capacity may solve it"},
	{"ImagePull", InProgressStatus, false, conditionFalse, "an image is being pulled"},
	{"ContainerCreating", InProgressStatus, false, conditionFalse, "containers are being created or initialized"},
	{"Binding", InProgressStatus, false, conditionFalse, "it is not bound yet"},
	{"Resizing", InProgressStatus, false, conditionTrue, "it is in use at its earlier size while it is resized"},
	{"WaitingForApproval", InProgressStatus, false, conditionUnknown, "a user has to approve it"},
	{"NotServedYet", InProgressStatus, false, conditionFalse, "the API that it declares is not served yet"},
	{"NoControllerEvidence", InProgressStatus, false, conditionUnknown, "no controller has acted on it; in a wait it becomes Current (assumed) if only its schema suggests a controller"},
	{"ObservedGenerationNeverAdvanced", InProgressStatus, false, conditionUnknown, "its controller does not report which generation it has observed; Current (assumed) without other evidence"},
	{"RuleNotMet", InProgressStatus, false, conditionUnknown, "a user's rule for Current is not met yet"},
	{"RuleError", InProgressStatus, false, conditionUnknown, "a user's rule could not be evaluated"},

	{"Stalled", FailedStatus, false, conditionFalse, "its controller reports that it makes no progress"},
	{"ReportsFailure", FailedStatus, false, conditionFalse, "a condition, a state word or an error field has reported a problem for a minute"},
	{"ProgressDeadlineExceeded", FailedStatus, false, conditionFalse, "its rollout made no progress for progressDeadlineSeconds"},
	{"CrashLoop", FailedStatus, false, conditionFalse, "a container exits repeatedly"},
	{"ContainerError", FailedStatus, false, conditionFalse, "a container cannot be created or started"},
	{"ImagePullBackOff", FailedStatus, false, conditionFalse, "an image cannot be pulled"},
	{"QuotaOrAdmissionDenied", FailedStatus, false, conditionFalse, "a quota or admission rejects its Pods"},
	{"NameConflict", FailedStatus, false, conditionFalse, "another object has its name"},
	{"NotAccepted", FailedStatus, false, conditionFalse, "the controller that should serve it rejects it"},
	{"Dangling", FailedStatus, false, conditionFalse, "an object that it refers to does not exist"},
	{"RefsNotResolved", FailedStatus, false, conditionFalse, "a reference of it does not resolve"},
	{"ScaleTargetMissing", FailedStatus, false, conditionFalse, "the target that it scales does not exist or cannot be changed"},
	{"MetricsUnavailable", FailedStatus, false, conditionFalse, "the metrics that it needs cannot be read"},
	{"Unavailable", FailedStatus, false, conditionFalse, "the resource that it represents cannot be reached"},
	{"NodeNotReady", FailedStatus, false, conditionFalse, "the node's kubelet reports a problem or does not report"},
	{"SnapshotError", FailedStatus, false, conditionFalse, "a snapshot could not be taken"},
	{"AttachError", FailedStatus, false, conditionFalse, "a volume could not be attached"},
	{"ResizeFailed", FailedStatus, false, conditionTrue, "a resize was refused or keeps failing"},
	{"ModifyFailed", FailedStatus, false, conditionTrue, "a change of a volume's attributes was refused or keeps failing"},
	{"ReclaimFailed", FailedStatus, false, conditionFalse, "a volume could not be reclaimed"},
	{"SyncFailed", FailedStatus, false, conditionFalse, "its controller could not reconcile it"},
	{"AddressFailed", FailedStatus, false, conditionFalse, "an address or a port could not be assigned to it"},
	{"RuleFailed", FailedStatus, false, conditionFalse, "a user's rule reports a problem"},
	{"RollbackTrap", FailedStatus, false, conditionFalse, "a Pod of a withdrawn revision blocks the rollout until a user deletes it"},

	{"JobFailed", FailedStatus, true, conditionFalse, "the Job has failed and is not retried"},
	{"PodFailed", FailedStatus, true, conditionFalse, "the Pod has ended with an error; a Pod does not start again"},
	{"Evicted", FailedStatus, true, conditionFalse, "a kubelet ended the Pod, or one that the Job counts as succeeded, and its containers exited with 0"},
	{"VolumeLost", FailedStatus, true, conditionFalse, "its volume is lost"},
	{"Denied", FailedStatus, true, conditionFalse, "the request was denied, and is not retried"},
	{"Superseded", FailedStatus, true, conditionFalse, "another change has replaced what was applied"},
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

	{"NeverSeen", NotFoundStatus, false, conditionUnknown, "it does not exist"},
	{"Deleted", NotFoundStatus, true, conditionUnknown, "it existed and was deleted"},
	{"ExpiredTTL", NotFoundStatus, true, conditionUnknown, "it had finished and was removed when its time to live ended"},
	{"Replaced", NotFoundStatus, true, conditionUnknown, "it was deleted and another object has its name"},
	{"KindRemoved", NotFoundStatus, true, conditionUnknown, "its kind is no longer served"},

	{"Forbidden", UnknownStatus, false, conditionUnknown, "reading it is not permitted"},
	{"NoMatch", UnknownStatus, false, conditionUnknown, "the cluster does not serve its kind"},
	{"BadScope", UnknownStatus, false, conditionUnknown, "a namespaced object was named without a namespace, or the reverse"},
	{"BadName", UnknownStatus, false, conditionUnknown, "its name or the name of its namespace is invalid, so no request is sent"},
	{"Malformed", UnknownStatus, false, conditionUnknown, "a field does not have the type that its API declares"},
	{"StateNotKnown", UnknownStatus, false, conditionUnknown, "its state word is in no vocabulary; a rule can define it"},
	{"ReportsUnknown", UnknownStatus, false, conditionUnknown, "its controller reports that it does not know its state"},
	{"Transport", UnknownStatus, false, conditionUnknown, "the request to the API server failed"},
}
