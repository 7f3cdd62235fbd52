package status

import "strings"

// A PersistentVolumeClaim is Current when it is bound to a volume of the
// requested size and VolumeAttributesClass. A claim whose volume is lost has
// failed terminally.
//
// While it is resized or modified it is in progress, and the volume serves as
// before. It fails when its driver refuses that or keeps failing; the failure
// is recoverable, also by a smaller request.
//
// An unbound claim is in progress, unless its StorageClass binds claims only
// when a Pod uses them (volumeBindingMode WaitForFirstConsumer): then it is
// suspended by design. If the StorageClass is not known, the message says so,
// unless the claim itself shows that a volume is being
// provisioned.
func persistentVolumeClaim(o *Fields) Result {
	switch phase := o.Text("status.phase", ""); phase {
	case "Bound":
	case "Lost":
		return FailedTerminal("VolumeLost", "its volume %s is lost", o.Text("spec.volumeName", "of unknown name"))
	case "Pending":
		return o.unboundClaim()
	case "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	default:
		return InProgress("Binding", "its phase is %s", phase)
	}
	if r := worse(o.resize(), o.modification()); r.Status != "" {
		return r
	}
	return currentWithMessage("bound to volume " + o.Text("spec.volumeName", "of unknown name"))
}

// unboundClaim returns what a claim waits for.
func (f *Fields) unboundClaim() Result {
	const annotations, binds = "metadata.annotations", "Binding"
	class := f.Text("spec.storageClassName", f.MapText(annotations, "volume.beta.kubernetes.io/storage-class"))
	provisioner := f.MapText(annotations, "volume.kubernetes.io/storage-provisioner")
	if provisioner == "" {
		provisioner = f.MapText(annotations, "volume.beta.kubernetes.io/storage-provisioner")
	}
	switch node := f.MapText(annotations, "volume.kubernetes.io/selected-node"); {
	case f.Text("spec.volumeName", "") != "":
		return InProgress(binds, "waiting to be bound to volume %s", f.Text("spec.volumeName", ""))
	case node != "":
		return InProgress(binds, "its volume is being provisioned for node %s", node)
	case provisioner != "":
		return InProgress(binds, "its volume is being provisioned by %s", provisioner)
	case class != "":
		return f.unboundClaimOfClass(class)
	case f.Has("spec.storageClassName"):
		return InProgress(binds, "waiting for an available volume that fits (storageClassName \"\" disables provisioning)")
	}
	return InProgress(binds, "waiting for an available volume that fits, or for a default StorageClass")
}

// unboundClaimOfClass returns what a claim waits for that has a StorageClass, but no
// volume and no Pod yet.
func (f *Fields) unboundClaimOfClass(class string) Result {
	switch mode := f.relatedText(Kind{"storage.k8s.io", "StorageClass"}, "", class, "volumeBindingMode"); mode {
	case "WaitForFirstConsumer":
		r := Suspended(SuspendedByDesign, "WaitingForFirstConsumer", "")
		r.Message = "its volume is bound when a Pod that uses it is scheduled (StorageClass " + class + ": WaitForFirstConsumer)"
		return r
	case "":
		return InProgress("Binding", "waiting for a volume of StorageClass %s, whose binding mode is unknown", class)
	}
	return InProgress("Binding", "waiting for a volume of StorageClass %s", class)
}

// resize judges the resize of the volume to the requested size.
func (f *Fields) resize() (r Result) {
	want, have, order := f.amounts("spec.resources.requests", "status.capacity", "storage")
	grows := want != "" && have != "" && order > 0
	busy, onNode := f.Condition("Resizing").Status == conditionTrue, f.Condition("FileSystemResizePending").Status == conditionTrue
	switch {
	case !grows && (busy || onNode):
		return InProgress("Resizing", "its resize has not completed yet")
	case !grows:
		return r
	}
	state := f.MapText("status.allocatedResourceStatuses", "storage")
	for _, t := range [...]string{"ControllerResizeError", "NodeResizeError"} {
		if c := f.Condition(t); c.Status == conditionTrue {
			return f.FailAfterWindow(c.Since, FailedRecoverable("ResizeFailed", "%s, not %s yet: %s", have, want, c.Text())).by(c)
		}
	}
	switch {
	case strings.HasSuffix(state, "Infeasible") || strings.HasSuffix(state, "Failed"): // current names and former ones
		return FailedRecoverable("ResizeFailed", "%s, not %s yet: %s", have, want, state)
	case onNode, state == "NodeResizePending":
		return InProgress("Resizing", "%s, not %s yet: its file system grows on the node of a Pod that uses it", have, want)
	}
	return InProgress("Resizing", "%s, not %s yet", have, want)
}

// modification judges the change of the volume to the requested
// VolumeAttributesClass. A claim that requests none keeps its volume as it is.
func (f *Fields) modification() (r Result) {
	want := f.Text("spec.volumeAttributesClassName", "")
	if want == "" || want == f.Text("status.currentVolumeAttributesClassName", "") {
		return r
	}
	failed := f.Condition("ModifyVolumeError")
	switch state := f.Text("status.modifyVolumeStatus.status", ""); {
	case failed.Status == conditionTrue:
		return f.FailAfterWindow(failed.Since, FailedRecoverable("ModifyFailed", "not of VolumeAttributesClass %s yet: %s", want, failed.Text())).by(failed)
	case state == "Infeasible":
		return FailedRecoverable("ModifyFailed", "its driver rejects VolumeAttributesClass %s", want)
	case state == "Pending":
		return InProgress("Reconciling", "not of VolumeAttributesClass %s yet, which may not exist", want)
	}
	return InProgress("Reconciling", "not of VolumeAttributesClass %s yet", want)
}
