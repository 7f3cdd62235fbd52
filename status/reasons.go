package status

// A Reason documents one value of [Result.Reason].
type Reason struct {
	Name    string
	Status  Status          // what it goes with; a failure goes with InProgress as well, while it is young
	Settled bool            // no further automatic change is expected
	Healthy ConditionStatus // does it serve now
	Doc     string
}

// Settled reports whether no further automatic change is expected from the
// last change of the spec: done, suspended, or failed for good.
func (r Result) Settled() bool {
	d, ok := reasonOf[r.Reason]
	return r.Failure == FailureTerminal || ok && d.Settled && r.Status != InProgressStatus
}

// Healthy tells whether the object serves now, as far as its reason can tell.
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
	{"NoStatusExpected", CurrentStatus, true, conditionUnknown, "the kind has no status: accepted by the API server is all there is to reach"},
	{"Reconciled", CurrentStatus, true, conditionTrue, "the cluster is as the object asks"},
	{"Completed", CurrentStatus, true, conditionTrue, "it has run to its end with success"},
	{"Started", CurrentStatus, true, conditionTrue, "it has been started, which is all its kind promises"},
	{"Suspended", CurrentStatus, true, conditionUnknown, "spec asks for it to be suspended, and it is"},
	{"Paused", CurrentStatus, true, conditionUnknown, "spec asks for its rollout or reconciling to be paused"},
	{"WaitingForFirstConsumer", CurrentStatus, true, conditionUnknown, "it is bound when the first Pod that uses it is scheduled, by design"},
	{"AwaitingManualDeletion", CurrentStatus, true, conditionTrue, "all serve; outdated Pods wait to be deleted by hand, as the OnDelete strategy asks"},
	{"ScaledToZero", CurrentStatus, true, conditionUnknown, "spec asks for no replicas, and there are none"},
	{"Released", CurrentStatus, true, conditionFalse, "a volume whose claim is gone; it serves nobody until its data is dealt with"},
	{"NoEvidence", CurrentStatus, false, conditionUnknown, "nothing in the object speaks for or against it; Unknown in the strict profile"},
	{"ObservedOnly", CurrentStatus, false, conditionUnknown, "its controller has seen this generation but reports no conditions; InProgress in the strict profile"},

	{"SuspendedByOther", InProgressStatus, false, conditionUnknown, "another controller holds it back, such as a queue"},
	{"SchedulingGated", InProgressStatus, false, conditionFalse, "scheduling gates hold the Pod back until somebody lifts them"},
	{"NotObserved", InProgressStatus, false, conditionUnknown, "its controller has not reported anything yet"},
	{"LatestGenerationNotObserved", InProgressStatus, false, conditionUnknown, "its controller has not seen the latest change of the spec"},
	{"ObservedGenerationAhead", InProgressStatus, false, conditionUnknown, "the status speaks of a later generation: it was restored, moved or copied"},
	{"StaleCondition", InProgressStatus, false, conditionUnknown, "the deciding condition speaks of an earlier generation"},
	{"StatusPredatesSpec", InProgressStatus, false, conditionUnknown, "the status was last written before the object was, and nothing else tells which generation it is about"},
	{"Reconciling", InProgressStatus, false, conditionUnknown, "its controller says that it is working on it"},
	{"ContradictoryConditions", InProgressStatus, false, conditionUnknown, "its conditions contradict each other"},
	{"SummaryConditionNotTrue", InProgressStatus, false, conditionFalse, "the condition that sums it up is not True"},
	{"NoSummary", InProgressStatus, false, conditionUnknown, "none of its conditions is known to say whether it is there"},
	{"Creating", InProgressStatus, false, conditionFalse, "what it stands for is being made"},
	{"RolloutUpdating", InProgressStatus, false, conditionUnknown, "fewer replicas than wanted run the latest template"},
	{"RolloutTerminatingOld", InProgressStatus, false, conditionUnknown, "replicas that are no longer wanted are still there"},
	{"NotAvailable", InProgressStatus, false, conditionFalse, "fewer replicas than wanted are ready or available"},
	{"MinReadySeconds", InProgressStatus, false, conditionFalse, "all are ready, but not yet for as long as minReadySeconds asks"},
	{"Degraded", InProgressStatus, false, conditionFalse, "its rollout had completed, and fewer replicas than wanted serve now"},
	{"WaitingForAddress", InProgressStatus, false, conditionFalse, "no address has been given to it yet"},
	{"WaitingForEndpoints", InProgressStatus, false, conditionFalse, "nothing serves behind it yet"},
	{"WaitingForParents", InProgressStatus, false, conditionFalse, "not every parent has said yet whether it accepts it"},
	{"NotStarted", InProgressStatus, false, conditionUnknown, "nothing of it has been started yet"},
	{"Running", InProgressStatus, false, conditionTrue, "it runs and is to run to its end; Current in the started profile"},
	{"Finishing", InProgressStatus, false, conditionUnknown, "its outcome is decided, and its last Pods are ending"},
	{"AboutToFail", InProgressStatus, false, conditionFalse, "it has failed, and its last Pods are ending"},
	{"Evicting", InProgressStatus, false, conditionFalse, "the Pod is about to be ended by preemption, eviction or a taint"},
	{"Unschedulable", InProgressStatus, false, conditionFalse, "no node fits; an autoscaler or freed room may heal it"},
	{"ImagePull", InProgressStatus, false, conditionFalse, "an image is being pulled"},
	{"ContainerCreating", InProgressStatus, false, conditionFalse, "containers are being created or initialized"},
	{"Binding", InProgressStatus, false, conditionFalse, "it is not bound yet"},
	{"Resizing", InProgressStatus, false, conditionTrue, "it serves with its former size while it is resized"},
	{"WaitingForApproval", InProgressStatus, false, conditionUnknown, "somebody has to approve it"},
	{"NotServedYet", InProgressStatus, false, conditionFalse, "the API that it declares is not served yet"},
	{"NoControllerEvidence", InProgressStatus, false, conditionUnknown, "no controller has been seen that would act on it; in a wait Current, as assumed, if nothing but its schema speaks for one"},
	{"ObservedGenerationNeverAdvanced", InProgressStatus, false, conditionUnknown, "its controller does not say which generation it has observed; Current, as assumed, if nothing else speaks against it"},
	{"RuleNotMet", InProgressStatus, false, conditionUnknown, "a user's rule does not say yet that it is there"},
	{"RuleError", InProgressStatus, false, conditionUnknown, "a user's rule could not be evaluated"},

	{"Stalled", FailedStatus, false, conditionFalse, "its controller says that it does not get on"},
	{"ReportsFailure", FailedStatus, false, conditionFalse, "a condition, a word for its state or an error field says that something is wrong"},
	{"ProgressDeadlineExceeded", FailedStatus, false, conditionFalse, "its rollout made no progress for progressDeadlineSeconds"},
	{"CrashLoop", FailedStatus, false, conditionFalse, "a container ends again and again"},
	{"ContainerError", FailedStatus, false, conditionFalse, "a container cannot be created or started"},
	{"ImagePullBackOff", FailedStatus, false, conditionFalse, "an image cannot be pulled"},
	{"QuotaOrAdmissionDenied", FailedStatus, false, conditionFalse, "its Pods are refused by a quota or by admission"},
	{"NameConflict", FailedStatus, false, conditionFalse, "another object has its name"},
	{"NotAccepted", FailedStatus, false, conditionFalse, "who should serve it refuses it"},
	{"Dangling", FailedStatus, false, conditionFalse, "what it refers to does not exist"},
	{"RefsNotResolved", FailedStatus, false, conditionFalse, "a reference of it does not resolve"},
	{"ScaleTargetMissing", FailedStatus, false, conditionFalse, "what it should scale cannot be found or changed"},
	{"MetricsUnavailable", FailedStatus, false, conditionFalse, "the metrics that it needs cannot be read"},
	{"Unavailable", FailedStatus, false, conditionFalse, "what it stands for cannot be reached"},
	{"NodeNotReady", FailedStatus, false, conditionFalse, "the node's kubelet reports trouble or is silent"},
	{"SnapshotError", FailedStatus, false, conditionFalse, "a snapshot could not be taken"},
	{"AttachError", FailedStatus, false, conditionFalse, "a volume could not be attached"},
	{"ResizeFailed", FailedStatus, false, conditionTrue, "a resize was refused or keeps failing"},
	{"ModifyFailed", FailedStatus, false, conditionTrue, "a change of a volume's attributes was refused or keeps failing"},
	{"ReclaimFailed", FailedStatus, false, conditionFalse, "a volume could not be reclaimed"},
	{"SyncFailed", FailedStatus, false, conditionFalse, "its controller could not work on it"},
	{"AddressFailed", FailedStatus, false, conditionFalse, "an address or a port could not be given to it"},
	{"RuleFailed", FailedStatus, false, conditionFalse, "a user's rule says that something is wrong with it"},
	{"RollbackTrap", FailedStatus, false, conditionFalse, "a Pod of a withdrawn revision blocks the rollout until a user deletes it"},

	{"JobFailed", FailedStatus, true, conditionFalse, "the Job has failed and will not be tried again"},
	{"PodFailed", FailedStatus, true, conditionFalse, "the Pod has ended with an error; a Pod is never started again"},
	{"VolumeLost", FailedStatus, true, conditionFalse, "the volume behind it is gone"},
	{"Denied", FailedStatus, true, conditionFalse, "it was refused for good"},
	{"InvalidImage", FailedStatus, true, conditionFalse, "an image name is not valid"},
	{"MigrationFailed", FailedStatus, true, conditionFalse, "the migration has failed"},
	{"GivenUp", FailedStatus, true, conditionFalse, "its controller has given it up and will not try again"},
	{"RuleDeclared", FailedStatus, true, conditionFalse, "a user's rule says that it has failed for good"},

	{"Finalizers", TerminatingStatus, false, conditionUnknown, "it is deleted once its finalizers are gone"},
	{"GracefulPod", TerminatingStatus, false, conditionUnknown, "the Pod has its grace period to end in"},
	{"DependentsBlocking", TerminatingStatus, false, conditionUnknown, "it is deleted once its dependents are gone"},
	{"NamespaceContent", TerminatingStatus, false, conditionUnknown, "the namespace is deleted once it is empty"},
	{"NoFinalizerHandler", TerminatingStatus, false, conditionUnknown, "nobody has been seen that would remove its finalizer"},
	{"Deleting", TerminatingStatus, false, conditionUnknown, "its deletion was asked for"},

	{"NeverSeen", NotFoundStatus, false, conditionUnknown, "it does not exist"},
	{"Deleted", NotFoundStatus, true, conditionUnknown, "it existed and was deleted"},
	{"ExpiredTTL", NotFoundStatus, true, conditionUnknown, "it had finished and was removed when its time to live ended"},
	{"Replaced", NotFoundStatus, true, conditionUnknown, "it was deleted and another object has its name"},
	{"KindRemoved", NotFoundStatus, true, conditionUnknown, "its kind is no longer served"},

	{"Forbidden", UnknownStatus, false, conditionUnknown, "reading it is not permitted"},
	{"NoMatch", UnknownStatus, false, conditionUnknown, "the cluster does not serve its kind"},
	{"BadScope", UnknownStatus, false, conditionUnknown, "a namespaced object was named without a namespace, or the reverse"},
	{"BadName", UnknownStatus, false, conditionUnknown, "no object can have its name, or no namespace that of its namespace: nothing is requested"},
	{"Malformed", UnknownStatus, false, conditionUnknown, "a field is not of the shape its API gives it"},
	{"StateNotKnown", UnknownStatus, false, conditionUnknown, "the word for its state is in no vocabulary; a rule can say what it means"},
	{"ReportsUnknown", UnknownStatus, false, conditionUnknown, "its controller says that it does not know its state"},
	{"Transport", UnknownStatus, false, conditionUnknown, "the API server could not be asked"},
}
