package status

// A Pipeline, a MonoVertex or an InterStepBufferService of Numaflow has not been
// looked at while it has no phase, and fails when Numaplane, which made it to
// try an upgrade, has found that the upgrade failed. What its phase and
// conditions say besides is judged as for any other kind. A Pipeline is
// suspended once it has come to the pause that spec.lifecycle asks for.
func numaflow(o *Fields) (r Result) {
	switch {
	case o.Text("status.phase", "") == "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case o.MapText("metadata.labels", "numaplane.numaproj.io/progressive-result-state") == "failed":
		return FailedRecoverable("ReportsFailure", "its progressive upgrade failed")
	}
	return r
}
