package setsource

import (
	"testing"

	"kstatus.dev/kube/sets"
)

func TestStateOf(t *testing.T) {
	all := func(statuses ...string) (all []sets.Revision) {
		for i, s := range statuses {
			all = append(all, sets.Revision{Number: int64(i + 1), Status: s})
		}
		return all
	}
	rows := []struct {
		it        string
		revisions []sets.Revision
		began     int64
		want      releaseState
		revision  int64
	}{
		{"is settled once it is deployed", all("superseded", "deployed"), 2, releaseSettled, 2},
		{"is settled by a status that is not known", all("new"), 1, releaseSettled, 1},
		{"is pending while Helm installs it", all("pending-install"), 1, releasePending, 1},
		{"is pending while Helm upgrades it", all("deployed", "pending-upgrade"), 1, releasePending, 2},
		{"is pending while Helm uninstalls it", all("uninstalling"), 1, releasePending, 1},
		{"has failed", all("deployed", "failed"), 2, releaseFailed, 2},
		{"has failed, and is being rolled back", all("superseded", "failed", "pending-rollback"), 2, releaseFailed, 2},
		{"has failed, and was rolled back", all("superseded", "failed", "deployed"), 2, releaseFailed, 2},
		{"has failed since the wait began", all("superseded", "failed", "deployed"), 1, releaseFailed, 2},
		{"had failed before the wait began", all("superseded", "failed", "deployed"), 3, releaseSettled, 3},
		{"had failed, and is being rolled back", all("superseded", "failed", "pending-rollback"), 3, releasePending, 3},
		{"was rolled back by hand", all("superseded", "superseded", "deployed"), 2, releaseSettled, 3},
		{"was uninstalled, and its history kept", all("superseded", "uninstalled"), 1, releaseRemoved, 2},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			if have, revision := stateOf(row.revisions, row.began); have != row.want || revision.Number != row.revision {
				t.Errorf("have %q by revision %d, want %q by revision %d", have, revision.Number, row.want, row.revision)
			}
		})
	}
}
