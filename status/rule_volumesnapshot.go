package status

// A VolumeSnapshot or VolumeGroupSnapshot is Current when it is ready to use.
// It fails while it is not ready and reports an error; the snapshotter keeps
// trying.
func volumeSnapshot(o *Fields) Result {
	if r := o.snapshotResult(); r.Status != "" {
		return r
	}
	bound := o.Has("status.boundVolumeSnapshotContentName") || o.Has("status.boundVolumeGroupSnapshotContentName")
	switch {
	case bound:
		return InProgress("Creating", "not ready to use yet")
	case o.Has("status.readyToUse"):
		return InProgress("Binding", "it has no content yet")
	}
	return InProgress("NotObserved", "its controller has not reported anything yet")
}

// A VolumeSnapshotContent or VolumeGroupSnapshotContent is judged like its
// snapshot.
func volumeSnapshotContent(o *Fields) Result {
	switch r := o.snapshotResult(); {
	case r.Status != "":
		return r
	case o.Has("status.readyToUse"):
		return InProgress("Creating", "not ready to use yet")
	}
	return InProgress("NotObserved", "its controller has not reported anything yet")
}

// snapshotResult judges what snapshots and their contents have in common; the zero
// Result means that the snapshot is being taken.
func (f *Fields) snapshotResult() (r Result) {
	switch {
	case f.Bool("status.readyToUse", false):
		return Current("Reconciled", "ready to use")
	case f.Has("status.error"):
		return f.FailAfterWindow(f.Text("status.error.time", ""), FailedRecoverable("SnapshotError", "%s", f.Text("status.error.message", "it could not be taken")))
	}
	return r
}
