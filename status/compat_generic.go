package status

import "kstatus.dev/status/internal/value"

// compatDeletion: an object with a deletionTimestamp is being deleted. A null
// one is malformed.
func compatDeletion(o *Fields, r *Result) {
	v, found := o.Map("metadata")["deletionTimestamp"]
	if !found {
		return
	}
	o.saw("metadata.deletionTimestamp", v)
	since, ok := value.Text(v)
	if !ok {
		o.malformed("metadata.deletionTimestamp", "a string", v)
	}
	if since == "" {
		return
	}
	*r = Result{Status: TerminatingStatus, Message: "Resource scheduled for deletion"}
}

// compatObservation: where metadata.generation and status.observedGeneration are
// both there, they must be equal.
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

// compatStandard: the first condition of the list that is one of the two
// standard ones and True decides. All of them must be well-formed, also those
// after it.
func compatStandard(o *Fields, r *Result) {
	p := o.eval.profile
	for i, item := range compatConditions(o) {
		c := compatCondition(o, i, item)
		switch {
		case r.Status != "" || c.Status != conditionTrue:
		case c.Type == p.reconciling:
			*r = Result{Status: InProgressStatus, Reason: c.Reason, Message: c.Message}
		case c.Type == p.stalled:
			*r = Result{Status: FailedStatus, Reason: c.Reason, Message: c.Message, Failure: FailureRecoverable}
		}
	}
}

// compatReady: the first condition Ready whose status is one of the three
// words decides. False and Unknown say that the object is on its way.
func compatReady(o *Fields, r *Result) {
	for i, item := range compatConditions(o) {
		c := compatCondition(o, i, item)
		if c.Type != "Ready" {
			continue
		}
		switch c.Status {
		case conditionTrue:
			*r = Result{Status: CurrentStatus, Message: "Resource is Ready", Confidence: ConfidenceStrong}
			return
		case conditionFalse, conditionUnknown:
			*r = Result{Status: InProgressStatus, Reason: c.Reason, Message: c.Message, Confidence: ConfidenceStrong}
			return
		}
	}
}

// compatOtherwise: an object that nothing speaks against is current.
func compatOtherwise(_ *Fields, r *Result) {
	*r = Result{Status: CurrentStatus, Message: "Resource is current", Confidence: ConfidenceAssumed}
}

// compatAlways: a ConfigMap, a Secret and a CronJob are there once they exist.
func compatAlways(*Fields) Result { return Current("", "Resource is always ready") }

// compatBudget: a PodDisruptionBudget is current once its controller has
// observed it, if it says what it has observed.
func compatBudget(*Fields) Result { return Current("", "AllowedDisruptions has been computed.") }

// compatService: a Service of type LoadBalancer waits for its cluster IP, any
// other is current at once.
func compatService(o *Fields) Result {
	if compatText(o, "spec.type", "ClusterIP") == "LoadBalancer" && compatText(o, "spec.clusterIP", "") == "" {
		return InProgress("NoIPAssigned", "ClusterIP not set. Service type: LoadBalancer")
	}
	return Current("", "Service is ready")
}

// compatClaim: a PersistentVolumeClaim is current once it is bound.
func compatClaim(o *Fields) Result {
	if phase := compatText(o, "status.phase", "unknown"); phase != "Bound" {
		return InProgress("NotBound", "PVC is not Bound. phase: %s", phase)
	}
	return Current("", "PVC is Bound")
}

// compatDefinition: the first condition of the list that refuses the names,
// refuses to establish or establishes the CustomResourceDefinition decides.
func compatDefinition(o *Fields) Result {
	for i, item := range compatConditions(o) {
		c := compatCondition(o, i, item)
		switch {
		case c.Type == "NamesAccepted" && c.Status == conditionFalse,
			c.Type == "Established" && c.Status == conditionFalse && c.Reason != "Installing":
			return FailedRecoverable(c.Reason, "%s", c.Message)
		case c.Type == "Established" && c.Status == conditionTrue:
			return Current("", "CRD is established")
		}
	}
	return InProgress("Installing", "Install in progress")
}
