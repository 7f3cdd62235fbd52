package status

// A VolumeAttachment is Current when its volume is attached. It fails while it
// is not attached and reports an error; the attacher keeps trying.
func volumeAttachment(o *Fields) Result {
	switch {
	case o.Bool("status.attached", false):
		return currentWithMessage("attached to node " + o.Text("spec.nodeName", "of unknown name"))
	case o.Has("status.attachError"):
		return o.FailAfterWindow(o.Text("status.attachError.time", ""),
			FailedRecoverable("AttachError", "%s", o.Text("status.attachError.message", "its volume could not be attached")))
	case !o.Has("status.attached"):
		return InProgress("NotObserved", "its controller has not reported anything yet")
	}
	return InProgress("Creating", "not attached to node %s yet", o.Text("spec.nodeName", ""))
}
