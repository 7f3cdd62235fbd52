package status

// A Reason documents one value of [Result.Reason].
type Reason struct {
	Name    string
	Status  Status // what it goes with; a failure goes with InProgress as well, while it is young
	Settled bool   // no further automatic change is expected
	Healthy Truth  // does it serve now
	Doc     string
}

// Reasons returns the closed set of reasons of the default, strict and started
// profiles. The compat profiles have the peer's own. Names are stable.
func Reasons() []Reason { return append([]Reason(nil), reasons...) }

// Settled reports whether no further automatic change is expected from the
// last change of the spec: done, suspended, or failed for good.
func (r Result) Settled() bool {
	d, ok := reasonOf[r.Reason]
	return r.Failure == Terminal || ok && d.Settled && r.Status != InProgressStatus
}

// Healthy tells whether the object serves now, as far as its reason can tell.
func (r Result) Healthy() Truth {
	if d, ok := reasonOf[r.Reason]; ok {
		return d.Healthy
	}
	return Unknown
}

var reasonOf = func() map[string]Reason {
	m := make(map[string]Reason, len(reasons))
	for _, r := range reasons {
		m[r.Name] = r
	}
	return m
}()

var reasons = []Reason{
	{"NoStatusExpected", CurrentStatus, true, Unknown, "the kind has no status: accepted by the API server is all there is to reach"},
	{"Reconciled", CurrentStatus, true, True, "the cluster is as the object asks"},
	{"Completed", CurrentStatus, true, True, "it has run to its end with success"},
	{"Started", CurrentStatus, true, True, "it has been started, which is all its kind promises"},
	{"Suspended", CurrentStatus, true, Unknown, "spec asks for it to be suspended, and it is"},
	{"Paused", CurrentStatus, true, Unknown, "spec asks for its rollout or reconciling to be paused"},
	{"WaitingForFirstConsumer", CurrentStatus, true, Unknown, "it is bound when the first Pod that uses it is scheduled, by design"},
	{"AwaitingManualDeletion", CurrentStatus, true, True, "all serve; outdated Pods wait to be deleted by hand, as the OnDelete strategy asks"},
	{"ScaledToZero", CurrentStatus, true, Unknown, "spec asks for no replicas, and there are none"},
	{"Released", CurrentStatus, true, False, "a volume whose claim is gone; it serves nobody until its data is dealt with"},
	{"NoEvidence", CurrentStatus, false, Unknown, "nothing in the object speaks for or against it; Unknown in the strict profile"},
	{"ObservedOnly", CurrentStatus, false, Unknown, "its controller has seen this generation but reports no conditions; InProgress in the strict profile"},

	{"SuspendedByOther", InProgressStatus, false, Unknown, "another controller holds it back, such as a queue"},
	{"SchedulingGated", InProgressStatus, false, False, "scheduling gates hold the Pod back until somebody lifts them"},
	{"NotObserved", InProgressStatus, false, Unknown, "its controller has not reported anything yet"},
	{"LatestGenerationNotObserved", InProgressStatus, false, Unknown, "its controller has not seen the latest change of the spec"},
	{"ObservedGenerationAhead", InProgressStatus, false, Unknown, "the status speaks of a later generation: it was restored, moved or copied"},
	{"StaleCondition", InProgressStatus, false, Unknown, "the deciding condition speaks of an earlier generation"},
	{"StatusPredatesSpec", InProgressStatus, false, Unknown, "the status was last written before the object was, and nothing else tells which generation it is about"},
	{"Reconciling", InProgressStatus, false, Unknown, "its controller says that it is working on it"},
	{"ContradictoryConditions", InProgressStatus, false, Unknown, "its conditions contradict each other"},
	{"SummaryConditionNotTrue", InProgressStatus, false, False, "the condition that sums it up is not True"},
	{"NoSummary", InProgressStatus, false, Unknown, "none of its conditions is known to say whether it is there"},
	{"Creating", InProgressStatus, false, False, "what it stands for is being made"},
	{"RolloutUpdating", InProgressStatus, false, Unknown, "fewer replicas than wanted run the latest template"},
	{"RolloutTerminatingOld", InProgressStatus, false, Unknown, "replicas that are no longer wanted are still there"},
	{"NotAvailable", InProgressStatus, false, False, "fewer replicas than wanted are ready or available"},
	{"MinReadySeconds", InProgressStatus, false, False, "all are ready, but not yet for as long as minReadySeconds asks"},
	{"Degraded", InProgressStatus, false, False, "its rollout had completed, and fewer replicas than wanted serve now"},
	{"WaitingForAddress", InProgressStatus, false, False, "no address has been given to it yet"},
	{"WaitingForEndpoints", InProgressStatus, false, False, "nothing serves behind it yet"},
	{"WaitingForParents", InProgressStatus, false, False, "not every parent has said yet whether it accepts it"},
	{"NotStarted", InProgressStatus, false, Unknown, "nothing of it has been started yet"},
	{"Running", InProgressStatus, false, True, "it runs and is to run to its end; Current in the started profile"},
	{"Finishing", InProgressStatus, false, Unknown, "its outcome is decided, and its last Pods are ending"},
	{"AboutToFail", InProgressStatus, false, False, "it has failed, and its last Pods are ending"},
	{"Evicting", InProgressStatus, false, False, "the Pod is about to be ended by preemption, eviction or a taint"},
	{"Unschedulable", InProgressStatus, false, False, "no node fits; an autoscaler or freed room may heal it"},
	{"ImagePull", InProgressStatus, false, False, "an image is being pulled"},
	{"ContainerCreating", InProgressStatus, false, False, "containers are being created or initialized"},
	{"Binding", InProgressStatus, false, False, "it is not bound yet"},
	{"Resizing", InProgressStatus, false, True, "it serves with its former size while it is resized"},
	{"WaitingForApproval", InProgressStatus, false, Unknown, "somebody has to approve it"},
	{"NotServedYet", InProgressStatus, false, False, "the API that it declares is not served yet"},
	{"NoControllerEvidence", InProgressStatus, false, Unknown, "no controller has been seen that would act on it; in a wait Current, as assumed, if nothing but its schema speaks for one"},
	{"ObservedGenerationNeverAdvanced", InProgressStatus, false, Unknown, "its controller does not say which generation it has observed; Current, as assumed, if nothing else speaks against it"},
	{"RuleNotMet", InProgressStatus, false, Unknown, "a user's rule does not say yet that it is there"},
	{"RuleError", InProgressStatus, false, Unknown, "a user's rule could not be evaluated"},

	{"Stalled", FailedStatus, false, False, "its controller says that it does not get on"},
	{"ReportsFailure", FailedStatus, false, False, "a condition, a word for its state or an error field says that something is wrong"},
	{"ProgressDeadlineExceeded", FailedStatus, false, False, "its rollout made no progress for progressDeadlineSeconds"},
	{"CrashLoop", FailedStatus, false, False, "a container ends again and again"},
	{"ContainerError", FailedStatus, false, False, "a container cannot be created or started"},
	{"ImagePullBackOff", FailedStatus, false, False, "an image cannot be pulled"},
	{"QuotaOrAdmissionDenied", FailedStatus, false, False, "its Pods are refused by a quota or by admission"},
	{"NameConflict", FailedStatus, false, False, "another object has its name"},
	{"NotAccepted", FailedStatus, false, False, "who should serve it refuses it"},
	{"Dangling", FailedStatus, false, False, "what it refers to does not exist"},
	{"RefsNotResolved", FailedStatus, false, False, "a reference of it does not resolve"},
	{"ScaleTargetMissing", FailedStatus, false, False, "what it should scale cannot be found or changed"},
	{"MetricsUnavailable", FailedStatus, false, False, "the metrics that it needs cannot be read"},
	{"Unavailable", FailedStatus, false, False, "what it stands for cannot be reached"},
	{"NodeNotReady", FailedStatus, false, False, "the node's kubelet reports trouble or is silent"},
	{"SnapshotError", FailedStatus, false, False, "a snapshot could not be taken"},
	{"AttachError", FailedStatus, false, False, "a volume could not be attached"},
	{"ResizeFailed", FailedStatus, false, True, "a resize was refused or keeps failing"},
	{"ModifyFailed", FailedStatus, false, True, "a change of a volume's attributes was refused or keeps failing"},
	{"ReclaimFailed", FailedStatus, false, False, "a volume could not be reclaimed"},
	{"SyncFailed", FailedStatus, false, False, "its controller could not work on it"},
	{"AddressFailed", FailedStatus, false, False, "an address or a port could not be given to it"},
	{"RuleFailed", FailedStatus, false, False, "a user's rule says that something is wrong with it"},
	{"RollbackTrap", FailedStatus, false, False, "a Pod of a withdrawn revision blocks the rollout until a user deletes it"},

	{"JobFailed", FailedStatus, true, False, "the Job has failed and will not be tried again"},
	{"PodFailed", FailedStatus, true, False, "the Pod has ended with an error; a Pod is never started again"},
	{"VolumeLost", FailedStatus, true, False, "the volume behind it is gone"},
	{"Denied", FailedStatus, true, False, "it was refused for good"},
	{"InvalidImage", FailedStatus, true, False, "an image name is not valid"},
	{"MigrationFailed", FailedStatus, true, False, "the migration has failed"},
	{"GivenUp", FailedStatus, true, False, "its controller has given it up and will not try again"},
	{"RuleDeclared", FailedStatus, true, False, "a user's rule says that it has failed for good"},

	{"Finalizers", TerminatingStatus, false, Unknown, "it is deleted once its finalizers are gone"},
	{"GracefulPod", TerminatingStatus, false, Unknown, "the Pod has its grace period to end in"},
	{"DependentsBlocking", TerminatingStatus, false, Unknown, "it is deleted once its dependents are gone"},
	{"NamespaceContent", TerminatingStatus, false, Unknown, "the namespace is deleted once it is empty"},
	{"NoFinalizerHandler", TerminatingStatus, false, Unknown, "nobody has been seen that would remove its finalizer"},
	{"Deleting", TerminatingStatus, false, Unknown, "its deletion was asked for"},

	{"NeverSeen", NotFoundStatus, false, Unknown, "it does not exist"},
	{"Deleted", NotFoundStatus, true, Unknown, "it existed and was deleted"},
	{"ExpiredTTL", NotFoundStatus, true, Unknown, "it had finished and was removed when its time to live ended"},
	{"Replaced", NotFoundStatus, true, Unknown, "it was deleted and another object has its name"},
	{"KindRemoved", NotFoundStatus, true, Unknown, "its kind is no longer served"},

	{"Forbidden", UnknownStatus, false, Unknown, "reading it is not permitted"},
	{"NoMatch", UnknownStatus, false, Unknown, "the cluster does not serve its kind"},
	{"BadScope", UnknownStatus, false, Unknown, "a namespaced object was named without a namespace, or the reverse"},
	{"Malformed", UnknownStatus, false, Unknown, "a field is not of the shape its API gives it"},
	{"StateNotKnown", UnknownStatus, false, Unknown, "the word for its state is in no vocabulary; a rule can say what it means"},
	{"ReportsUnknown", UnknownStatus, false, Unknown, "its controller says that it does not know its state"},
	{"Transport", UnknownStatus, false, Unknown, "the API server could not be asked"},
}
