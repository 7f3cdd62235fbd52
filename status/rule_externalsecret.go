package status

import (
	"strconv"
	"strings"
	"time"
)

// An ExternalSecret of the External Secrets Operator is Current when its Secret
// has been synced from the current generation, which is the start of
// status.syncedResourceVersion. An ExternalSecret that is synced only once, or
// has a refresh interval of zero, keeps its first Secret.
//
// It fails while the Secret cannot be synced; its controller retries.
func externalSecret(o *Fields) Result {
	ready := o.Condition("Ready")
	switch {
	case ready.Status == "":
		return InProgress("NotObserved", "its controller has not reported condition Ready yet")
	case ready.Is(conditionFalse):
		return o.FailAfterWindow(ready.Since, FailedRecoverable("SyncFailed", "%s", ready.Text())).by(ready)
	case !ready.Is(conditionTrue):
		return InProgress("SummaryConditionNotTrue", "%s", ready.Sentence()).by(ready)
	}
	version, _, _ := strings.Cut(o.Text("status.syncedResourceVersion", ""), "-")
	synced, err := strconv.ParseInt(version, 10, 64)
	if err == nil && synced < o.Generation() && !o.isSyncedOnce() {
		return InProgress("LatestGenerationNotObserved", "generation is %d, its Secret has been synced from %d", o.Generation(), synced)
	}
	return Current("Reconciled", "its Secret has been synced")
}

// isSyncedOnce reports whether a change of the ExternalSecret does not change its
// Secret.
func (f *Fields) isSyncedOnce() bool {
	if f.Text("spec.refreshPolicy", "") == "CreatedOnce" {
		return true
	}
	every, err := time.ParseDuration(f.Text("spec.refreshInterval", "1h"))
	return err == nil && every <= 0 && f.Text("spec.refreshPolicy", "") != "OnChange"
}
