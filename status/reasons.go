package status

// A Reason documents one value of [Result.Reason].
type Reason struct {
	Name    string
	Status  Status          // what it goes with; a failure goes with InProgress as well, while it is young
	Settled bool            // no further automatic change is expected
	Healthy ConditionStatus // does it serve now
	Doc     string
}

// Reasons returns the closed set of reasons of the default, strict and started
// profiles. The compat profiles have the peer's own. Names are stable.
func Reasons() []Reason { return append([]Reason(nil), reasons...) }

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
	return ConditionUnknown
}

var reasonOf = func() map[string]Reason {
	m := make(map[string]Reason, len(reasons))
	for _, r := range reasons {
		m[r.Name] = r
	}
	return m
}()

var reasons = []Reason{
	{"NoStatusExpected", CurrentStatus, true, ConditionUnknown, "the kind has no status: accepted by the API server is all there is to reach"},
	{"Reconciled", CurrentStatus, true, ConditionTrue, "the cluster is as the object asks"},
	{"Completed", CurrentStatus, true, ConditionTrue, "it has run to its end with success"},
	{"Started", CurrentStatus, true, ConditionTrue, "it has been started, which is all its kind promises"},
	{"Suspended", CurrentStatus, true, ConditionUnknown, "spec asks for it to be suspended, and it is"},
	{"Paused", CurrentStatus, true, ConditionUnknown, "spec asks for its rollout or reconciling to be paused"},
	{"WaitingForFirstConsumer", CurrentStatus, true, ConditionUnknown, "it is bound when the first Pod that uses it is scheduled, by design"},
	{"AwaitingManualDeletion", CurrentStatus, true, ConditionTrue, "all serve; outdated Pods wait to be deleted by hand, as the OnDelete strategy asks"},
	{"ScaledToZero", CurrentStatus, true, ConditionUnknown, "spec asks for no replicas, and there are none"},
	{"Released", CurrentStatus, true, ConditionFalse, "a volume whose claim is gone; it serves nobody until its data is dealt with"},
	{"NoEvidence", CurrentStatus, false, ConditionUnknown, "nothing in the object speaks for or against it; Unknown in the strict profile"},
	{"ObservedOnly", CurrentStatus, false, ConditionUnknown, "its controller has seen this generation but reports no conditions; InProgress in the strict profile"},

	{"SuspendedByOther", InProgressStatus, false, ConditionUnknown, "another controller holds it back, such as a queue"},
	{"SchedulingGated", InProgressStatus, false, ConditionFalse, "scheduling gates hold the Pod back until somebody lifts them"},
	{"NotObserved", InProgressStatus, false, ConditionUnknown, "its controller has not reported anything yet"},
	{"LatestGenerationNotObserved", InProgressStatus, false, ConditionUnknown, "its controller has not seen the latest change of the spec"},
	{"ObservedGenerationAhead", InProgressStatus, false, ConditionUnknown, "the status speaks of a later generation: it was restored, moved or copied"},
	{"StaleCondition", InProgressStatus, false, ConditionUnknown, "the deciding condition speaks of an earlier generation"},
	{"StatusPredatesSpec", InProgressStatus, false, ConditionUnknown, "the status was last written before the object was, and nothing else tells which generation it is about"},
	{"Reconciling", InProgressStatus, false, ConditionUnknown, "its controller says that it is working on it"},
	{"ContradictoryConditions", InProgressStatus, false, ConditionUnknown, "its conditions contradict each other"},
	{"SummaryConditionNotTrue", InProgressStatus, false, ConditionFalse, "the condition that sums it up is not True"},
	{"NoSummary", InProgressStatus, false, ConditionUnknown, "none of its conditions is known to say whether it is there"},
	{"Creating", InProgressStatus, false, ConditionFalse, "what it stands for is being made"},
	{"RolloutUpdating", InProgressStatus, false, ConditionUnknown, "fewer replicas than wanted run the latest template"},
	{"RolloutTerminatingOld", InProgressStatus, false, ConditionUnknown, "replicas that are no longer wanted are still there"},
	{"NotAvailable", InProgressStatus, false, ConditionFalse, "fewer replicas than wanted are ready or available"},
	{"MinReadySeconds", InProgressStatus, false, ConditionFalse, "all are ready, but not yet for as long as minReadySeconds asks"},
	{"Degraded", InProgressStatus, false, ConditionFalse, "its rollout had completed, and fewer replicas than wanted serve now"},
	{"WaitingForAddress", InProgressStatus, false, ConditionFalse, "no address has been given to it yet"},
	{"WaitingForEndpoints", InProgressStatus, false, ConditionFalse, "nothing serves behind it yet"},
	{"WaitingForParents", InProgressStatus, false, ConditionFalse, "not every parent has said yet whether it accepts it"},
	{"NotStarted", InProgressStatus, false, ConditionUnknown, "nothing of it has been started yet"},
	{"Running", InProgressStatus, false, ConditionTrue, "it runs and is to run to its end; Current in the started profile"},
	{"Finishing", InProgressStatus, false, ConditionUnknown, "its outcome is decided, and its last Pods are ending"},
	{"AboutToFail", InProgressStatus, false, ConditionFalse, "it has failed, and its last Pods are ending"},
	{"Evicting", InProgressStatus, false, ConditionFalse, "the Pod is about to be ended by preemption, eviction or a taint"},
	{"Unschedulable", InProgressStatus, false, ConditionFalse, "no node fits; an autoscaler or freed room may heal it"},
	{"ImagePull", InProgressStatus, false, ConditionFalse, "an image is being pulled"},
	{"ContainerCreating", InProgressStatus, false, ConditionFalse, "containers are being created or initialized"},
	{"Binding", InProgressStatus, false, ConditionFalse, "it is not bound yet"},
	{"Resizing", InProgressStatus, false, ConditionTrue, "it serves with its former size while it is resized"},
	{"WaitingForApproval", InProgressStatus, false, ConditionUnknown, "somebody has to approve it"},
	{"NotServedYet", InProgressStatus, false, ConditionFalse, "the API that it declares is not served yet"},
	{"NoControllerEvidence", InProgressStatus, false, ConditionUnknown, "no controller has been seen that would act on it; in a wait Current, as assumed, if nothing but its schema speaks for one"},
	{"ObservedGenerationNeverAdvanced", InProgressStatus, false, ConditionUnknown, "its controller does not say which generation it has observed; Current, as assumed, if nothing else speaks against it"},
	{"RuleNotMet", InProgressStatus, false, ConditionUnknown, "a user's rule does not say yet that it is there"},
	{"RuleError", InProgressStatus, false, ConditionUnknown, "a user's rule could not be evaluated"},

	{"Stalled", FailedStatus, false, ConditionFalse, "its controller says that it does not get on"},
	{"ReportsFailure", FailedStatus, false, ConditionFalse, "a condition, a word for its state or an error field says that something is wrong"},
	{"ProgressDeadlineExceeded", FailedStatus, false, ConditionFalse, "its rollout made no progress for progressDeadlineSeconds"},
	{"CrashLoop", FailedStatus, false, ConditionFalse, "a container ends again and again"},
	{"ContainerError", FailedStatus, false, ConditionFalse, "a container cannot be created or started"},
	{"ImagePullBackOff", FailedStatus, false, ConditionFalse, "an image cannot be pulled"},
	{"QuotaOrAdmissionDenied", FailedStatus, false, ConditionFalse, "its Pods are refused by a quota or by admission"},
	{"NameConflict", FailedStatus, false, ConditionFalse, "another object has its name"},
	{"NotAccepted", FailedStatus, false, ConditionFalse, "who should serve it refuses it"},
	{"Dangling", FailedStatus, false, ConditionFalse, "what it refers to does not exist"},
	{"RefsNotResolved", FailedStatus, false, ConditionFalse, "a reference of it does not resolve"},
	{"ScaleTargetMissing", FailedStatus, false, ConditionFalse, "what it should scale cannot be found or changed"},
	{"MetricsUnavailable", FailedStatus, false, ConditionFalse, "the metrics that it needs cannot be read"},
	{"Unavailable", FailedStatus, false, ConditionFalse, "what it stands for cannot be reached"},
	{"NodeNotReady", FailedStatus, false, ConditionFalse, "the node's kubelet reports trouble or is silent"},
	{"SnapshotError", FailedStatus, false, ConditionFalse, "a snapshot could not be taken"},
	{"AttachError", FailedStatus, false, ConditionFalse, "a volume could not be attached"},
	{"ResizeFailed", FailedStatus, false, ConditionTrue, "a resize was refused or keeps failing"},
	{"ModifyFailed", FailedStatus, false, ConditionTrue, "a change of a volume's attributes was refused or keeps failing"},
	{"ReclaimFailed", FailedStatus, false, ConditionFalse, "a volume could not be reclaimed"},
	{"SyncFailed", FailedStatus, false, ConditionFalse, "its controller could not work on it"},
	{"AddressFailed", FailedStatus, false, ConditionFalse, "an address or a port could not be given to it"},
	{"RuleFailed", FailedStatus, false, ConditionFalse, "a user's rule says that something is wrong with it"},
	{"RollbackTrap", FailedStatus, false, ConditionFalse, "a Pod of a withdrawn revision blocks the rollout until a user deletes it"},

	{"JobFailed", FailedStatus, true, ConditionFalse, "the Job has failed and will not be tried again"},
	{"PodFailed", FailedStatus, true, ConditionFalse, "the Pod has ended with an error; a Pod is never started again"},
	{"VolumeLost", FailedStatus, true, ConditionFalse, "the volume behind it is gone"},
	{"Denied", FailedStatus, true, ConditionFalse, "it was refused for good"},
	{"InvalidImage", FailedStatus, true, ConditionFalse, "an image name is not valid"},
	{"MigrationFailed", FailedStatus, true, ConditionFalse, "the migration has failed"},
	{"GivenUp", FailedStatus, true, ConditionFalse, "its controller has given it up and will not try again"},
	{"RuleDeclared", FailedStatus, true, ConditionFalse, "a user's rule says that it has failed for good"},

	{"Finalizers", TerminatingStatus, false, ConditionUnknown, "it is deleted once its finalizers are gone"},
	{"GracefulPod", TerminatingStatus, false, ConditionUnknown, "the Pod has its grace period to end in"},
	{"DependentsBlocking", TerminatingStatus, false, ConditionUnknown, "it is deleted once its dependents are gone"},
	{"NamespaceContent", TerminatingStatus, false, ConditionUnknown, "the namespace is deleted once it is empty"},
	{"NoFinalizerHandler", TerminatingStatus, false, ConditionUnknown, "nobody has been seen that would remove its finalizer"},
	{"Deleting", TerminatingStatus, false, ConditionUnknown, "its deletion was asked for"},

	{"NeverSeen", NotFoundStatus, false, ConditionUnknown, "it does not exist"},
	{"Deleted", NotFoundStatus, true, ConditionUnknown, "it existed and was deleted"},
	{"ExpiredTTL", NotFoundStatus, true, ConditionUnknown, "it had finished and was removed when its time to live ended"},
	{"Replaced", NotFoundStatus, true, ConditionUnknown, "it was deleted and another object has its name"},
	{"KindRemoved", NotFoundStatus, true, ConditionUnknown, "its kind is no longer served"},

	{"Forbidden", UnknownStatus, false, ConditionUnknown, "reading it is not permitted"},
	{"NoMatch", UnknownStatus, false, ConditionUnknown, "the cluster does not serve its kind"},
	{"BadScope", UnknownStatus, false, ConditionUnknown, "a namespaced object was named without a namespace, or the reverse"},
	{"Malformed", UnknownStatus, false, ConditionUnknown, "a field is not of the shape its API gives it"},
	{"StateNotKnown", UnknownStatus, false, ConditionUnknown, "the word for its state is in no vocabulary; a rule can say what it means"},
	{"ReportsUnknown", UnknownStatus, false, ConditionUnknown, "its controller says that it does not know its state"},
	{"Transport", UnknownStatus, false, ConditionUnknown, "the API server could not be asked"},
}
