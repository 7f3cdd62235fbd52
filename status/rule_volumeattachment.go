package status

// A VolumeAttachment is current once its volume is attached. While an error is
// reported, and it is not, it is failing; the attacher keeps trying.
func volumeAttachment(o *Fields) Result {
	switch {
	case o.Bool("status.attached", false):
		return reconciled("attached to node " + o.Text("spec.nodeName", "of unknown name"))
	case o.Has("status.attachError"):
		return o.FailAfterWindow(o.Text("status.attachError.time", ""),
			FailedRecoverable("AttachError", "%s", o.Text("status.attachError.message", "its volume could not be attached")))
	case !o.Has("status.attached"):
		return InProgress("NotObserved", "its controller has not reported anything yet")
	}
	return InProgress("Creating", "not attached to node %s yet", o.Text("spec.nodeName", ""))
}
