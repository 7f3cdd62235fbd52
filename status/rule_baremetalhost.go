package status

// A BareMetalHost of Metal3 is Current when it is inspected and available, or
// has the image in spec.image, and its power state matches spec.online.
//
// It is suspended while an annotation pauses or detaches it. It fails while
// status.operationalStatus is error or status.errorType is set; its controller retries. It has no observed
// generation, so the image and the power state in the status are compared with
// the spec.
func bareMetalHost(o *Fields) Result {
	const annotations, paused, detached = "metadata.annotations", "baremetalhost.metal3.io/paused", "baremetalhost.metal3.io/detached"
	var (
		state     = o.Text("status.provisioning.state", "")
		requested = o.Text("spec.image.url", "")
		has       = o.Text("status.provisioning.image.url", "")
		wants     = requested != "" || o.Has("spec.customDeploy")
	)
	switch {
	case o.HasKey(annotations, paused):
		return Suspended(SuspendedByUser, "Paused", "its reconciliation is paused by the annotation "+paused)
	case o.HasKey(annotations, detached) && o.Text("status.operationalStatus", "") == "detached":
		return Suspended(SuspendedByUser, "Suspended", "it is detached by the annotation "+detached)
	case o.Text("status.operationalStatus", "") == "error", o.Text("status.errorType", "") != "":
		return FailedRecoverable("ReportsFailure", "%s: %s", o.Text("status.errorType", "error"), oneLine(o.Text("status.errorMessage", "no message")))
	}
	switch state {
	case "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case "unmanaged":
		return InProgress("NotStarted", "it has no baseboard management controller, so it cannot be managed")
	case "available", "ready":
		if wants {
			return InProgress("NotStarted", "it is available, and waits for its image")
		}
	case "provisioned":
		switch {
		case !wants:
			return InProgress("Reconciling", "it still has an image, which the spec does not request")
		case requested != "" && has != "" && has != requested:
			return InProgress("Reconciling", "it does not have the requested image yet")
		}
	case "externally provisioned":
	default:
		return InProgress("Reconciling", "it is %s", state)
	}
	if o.Has("spec.online") && o.Has("status.poweredOn") && o.Bool("spec.online", false) != o.Bool("status.poweredOn", false) {
		return InProgress("Reconciling", "its power state is not the requested one yet")
	}
	return currentWithMessage("it is " + state)
}
