package status

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// An Application of Argo CD is Current when Argo CD has compared the latest
// spec, reports Synced and Healthy, and runs no operation. It is in progress
// while it is refreshed or synced. It waits for approval while it is out of
// sync and spec.syncPolicy does not enable automated sync. It is suspended
// while its health is Suspended.
//
// It fails while Argo CD reports an error for it, while its health is Degraded,
// or when the last sync to its current revision failed. An Application has no
// observed generation, so the sources compared last are compared with the spec.
func argoApplication(o *Fields) Result {
	sync, health := o.Text("status.sync.status", ""), o.Text("status.health.status", "")
	if message := o.applicationError(); message != "" {
		return FailedRecoverable("ReportsFailure", "%s", message)
	}
	if sync == "" && health == "" {
		return InProgress("NotObserved", "its controller has not reported anything yet")
	}
	if o.HasKey("metadata.annotations", "argocd.argoproj.io/refresh") || !o.isComparedWithSpec() {
		return InProgress("LatestGenerationNotObserved", "Argo CD has not compared its current spec yet")
	}
	phase, message := o.Text("status.operationState.phase", ""), o.Text("status.operationState.message", "")
	switch {
	case o.Has("operation"), phase == "Running", phase == "Terminating":
		return InProgress("Reconciling", "an operation is running: %s", cmp.Or(message, phase, "it was requested"))
	case (phase == "Failed" || phase == "Error") && o.sameRevision():
		return FailedRecoverable("SyncFailed", "%s", cmp.Or(message, phase))
	case sync == "OutOfSync" && !o.hasAutomatedSync():
		return InProgress("WaitingForApproval", "it is OutOfSync, and spec.syncPolicy does not sync it automatically")
	case sync != "Synced":
		return InProgress("RolloutUpdating", "its sync status is %s", cmp.Or(sync, "not reported"))
	case health == "Degraded":
		return FailedRecoverable("ReportsFailure", "its health is Degraded: %s", o.Text("status.health.message", "one of its resources fails"))
	case health == "Suspended":
		return Suspended(SuspendedByUser, "Suspended", "its resources are suspended")
	case health != "Healthy":
		return InProgress("NotAvailable", "its health is %s", cmp.Or(health, "not reported"))
	}
	return Current("Reconciled", "Synced and Healthy")
}

// applicationError returns the message of the conditions whose type ends in
// Error; these conditions have no status. It adds the others as warnings.
func (f *Fields) applicationError() (message string) {
	for c := range f.Each("status.conditions") {
		conditionType := c.Text("type", "")
		switch {
		case strings.HasSuffix(conditionType, "Error"):
			message = max(message, conditionType+": "+c.Text("message", ""))
		case strings.HasSuffix(conditionType, "Warning"):
			f.Warn("%s: %s", conditionType, c.Text("message", ""))
		}
	}
	return message
}

// isComparedWithSpec reports whether the sources that Argo CD compared last are the
// sources in the spec.
func (f *Fields) isComparedWithSpec() bool {
	return !f.Has("status.sync.comparedTo") ||
		covers(f.get("status.sync.comparedTo.source"), f.get("spec.source")) &&
			covers(f.get("status.sync.comparedTo.sources"), f.get("spec.sources"))
}

// covers reports whether have contains all fields of want. Empty fields of want
// are ignored.
func covers(have, want any) bool {
	if isZero(want) {
		return true
	}
	switch want := want.(type) {
	case map[string]any:
		m, ok := have.(map[string]any)
		for k, v := range want {
			ok = ok && covers(m[k], v)
		}
		return ok
	case []any:
		list, ok := have.([]any)
		for _, v := range want {
			ok = ok && slices.ContainsFunc(list, func(h any) bool { return covers(h, v) })
		}
		return ok && len(list) == len(want)
	}
	return reflect.DeepEqual(have, want)
}

// sameRevision reports whether the last sync was to the current target revision
// of the Application.
func (f *Fields) sameRevision() bool {
	synced, now := f.Text("status.operationState.syncResult.revision", ""), f.Text("status.sync.revision", "")
	return synced == "" || now == "" || synced == now
}

// hasAutomatedSync reports whether Argo CD syncs the Application whenever it is out
// of sync.
func (f *Fields) hasAutomatedSync() bool {
	return f.Has("spec.syncPolicy.automated") && f.Bool("spec.syncPolicy.automated.enabled", true)
}
