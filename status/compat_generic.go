package status

import "kstatus.dev/status/internal/value"

// compatDeletion: an object with a deletionTimestamp is being deleted. A null value is
// malformed.
func compatDeletion(o *Fields, r *Result) {
	v, found := o.Map("metadata")["deletionTimestamp"]
	if !found {
		return
	}
	o.recordRead("metadata.deletionTimestamp", v)
	since, ok := value.Text(v)
	if !ok {
		o.malformed("metadata.deletionTimestamp", "a string", v)
	}
	if since == "" {
		return
	}
	*r = Result{Status: TerminatingStatus, Message: "Resource scheduled for deletion"}
}

// compatObservation: if metadata.generation and status.observedGeneration both exist, they must
// be equal.
func compatObservation(o *Fields, r *Result) {
	want, ok := compatGeneration(o, "metadata", "generation")
	if !ok {
		return
	}
	seen, ok := compatGeneration(o, "status", "observedGeneration")
	if !ok || seen == want {
		return
	}
	*r = InProgress("LatestGenerationNotObserved", "%s generation is %d, but latest observed generation is %d", compatKind(o), want, seen)
}

// compatStandard: the first standard condition in the list that is True decides.
func compatStandard(o *Fields, r *Result) {
	p := o.eval.profile
	for i, item := range compatConditions(o) {
		c := compatCondition(o, i, item)
		switch {
		case r.Status != "" || c.Status != conditionTrue:
		case c.Type == p.reconciling:
			*r = Result{Status: InProgressStatus, Reason: c.Reason, Message: c.Message}.by(c)
		case c.Type == p.stalled:
			*r = Result{Status: FailedStatus, Reason: c.Reason, Message: c.Message, Failure: FailureRecoverable}.by(c)
		}
	}
}

// compatReady: the first condition Ready with a valid status decides. False and Unknown mean
// InProgress.
func compatReady(o *Fields, r *Result) {
	for i, item := range compatConditions(o) {
		c := compatCondition(o, i, item)
		if c.Type != "Ready" {
			continue
		}
		switch c.Status {
		case conditionTrue:
			*r = Result{Status: CurrentStatus, Message: "Resource is Ready", Confidence: ConfidenceStrong}.by(c)
			return
		case conditionFalse, conditionUnknown:
			*r = Result{Status: InProgressStatus, Reason: c.Reason, Message: c.Message, Confidence: ConfidenceStrong}.by(c)
			return
		}
	}
}

// compatDefault: any other object is Current.
func compatDefault(_ *Fields, r *Result) {
	*r = Result{Status: CurrentStatus, Message: "Resource is current", Confidence: ConfidenceAssumed}
}

// compatAlwaysCurrent: a ConfigMap, a Secret and a CronJob are Current when they exist.
func compatAlwaysCurrent(*Fields) Result { return Current("", "Resource is always ready") }

// compatBudget: a PodDisruptionBudget is Current when its controller has observed it, if it has
// an observed generation.
func compatBudget(*Fields) Result { return Current("", "AllowedDisruptions has been computed.") }

// compatService: a Service of type LoadBalancer waits for its cluster IP; any other is Current
// at once.
func compatService(o *Fields) Result {
	if compatText(o, "spec.type", "ClusterIP") == "LoadBalancer" && compatText(o, "spec.clusterIP", "") == "" {
		return InProgress("NoIPAssigned", "ClusterIP not set. Service type: LoadBalancer")
	}
	return Current("", "Service is ready")
}

// compatClaim: a PersistentVolumeClaim is Current when it is bound.
func compatClaim(o *Fields) Result {
	if phase := compatText(o, "status.phase", "unknown"); phase != "Bound" {
		return InProgress("NotBound", "PVC is not Bound. phase: %s", phase)
	}
	return Current("", "PVC is Bound")
}

// compatDefinition: the first condition that rejects the names, or rejects or reports that the
// CustomResourceDefinition is established, decides.
func compatDefinition(o *Fields) Result {
	for i, item := range compatConditions(o) {
		c := compatCondition(o, i, item)
		switch {
		case c.Type == "NamesAccepted" && c.Status == conditionFalse,
			c.Type == "Established" && c.Status == conditionFalse && c.Reason != "Installing":
			return FailedRecoverable(c.Reason, "%s", c.Message).by(c)
		case c.Type == "Established" && c.Status == conditionTrue:
			return Current("", "CRD is established").by(c)
		}
	}
	return InProgress("Installing", "Install in progress")
}
