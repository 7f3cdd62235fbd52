package status

// A Pipeline, a MonoVertex or an InterStepBufferService of Numaflow has not
// been observed while it has no phase. It fails when Numaplane created it to
// try an upgrade, and the upgrade failed. Otherwise its phase and conditions
// are judged as for any other kind. A Pipeline is suspended when it has reached
// the pause in spec.lifecycle.
func numaflow(o *Fields) (r Result) {
	switch {
	case o.Text("status.phase", "") == "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case o.MapText("metadata.labels", "numaplane.numaproj.io/progressive-result-state") == "failed":
		return FailedRecoverable("ReportsFailure", "its progressive upgrade failed")
	}
	return r
}
