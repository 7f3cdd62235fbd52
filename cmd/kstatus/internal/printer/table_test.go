package printer

import (
	"testing"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/status"
)

func TestStatusText(t *testing.T) {
	for want, r := range map[string]status.Result{
		"Current":           {Status: status.CurrentStatus, Confidence: status.ConfidenceStrong},
		"Current (assumed)": {Status: status.CurrentStatus, Confidence: status.ConfidenceAssumed},
		"Failing":           {Status: status.InProgressStatus, Failure: status.FailureRecoverable},
		"Failed":            {Status: status.FailedStatus, Failure: status.FailureRecoverable},
		"Unknown":           {Status: status.UnknownStatus, Confidence: status.ConfidenceAssumed},
	} {
		if got := statusText(output.Verdict{Object: output.Object{Result: r}}); got != want {
			t.Errorf("text of %s = %q, want %q", r.Status, got, want)
		}
	}
	line := output.Object{Result: status.Result{Message: "there", Warnings: []string{"odd", "old"}}}
	if got := messageWithWarnings(output.Verdict{Object: line}); got != "there; warning: odd; warning: old" {
		t.Errorf("message with warnings = %q", got)
	}
}
