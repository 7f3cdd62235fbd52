package follow

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
		want      State
		revision  int64
		wanted    int64
	}{
		{"is settled once it is deployed", all("superseded", "deployed"), 2, StateSettled, 2, 0},
		{"is settled by a status that is not known", all("new"), 1, StateSettled, 1, 0},
		{"is pending while Helm installs it", all("pending-install"), 1, StatePending, 1, 0},
		{"is pending while Helm upgrades it", all("deployed", "pending-upgrade"), 1, StatePending, 2, 0},
		{"is pending while Helm uninstalls it", all("uninstalling"), 1, StatePending, 1, 0},
		{"has failed", all("deployed", "failed"), 2, StateFailed, 2, 0},
		{"has failed, and is being rolled back", all("superseded", "failed", "pending-rollback"), 2, StateFailed, 2, 0},
		{"has failed, and was rolled back", all("superseded", "failed", "deployed"), 2, StateFailed, 2, 0},
		{"has failed since the wait began", all("superseded", "failed", "deployed"), 1, StateFailed, 2, 0},
		{"had failed before the wait began", all("superseded", "failed", "deployed"), 3, StateSettled, 3, 0},
		{"had failed, and is being rolled back", all("superseded", "failed", "pending-rollback"), 3, StatePending, 3, 0},
		{"was rolled back by hand", all("superseded", "superseded", "deployed"), 2, StateSettled, 3, 0},
		{"has not written the wanted revision", all("deployed"), 1, StateAwaited, 1, 2},
		{"has not written the wanted revision, and an earlier one failed", all("failed"), 1, StateAwaited, 1, 2},
		{"writes the wanted revision", all("deployed", "pending-upgrade"), 1, StatePending, 2, 2},
		{"has deployed the wanted revision", all("failed", "deployed"), 1, StateSettled, 2, 2},
		{"has failed in the wanted revision", all("deployed", "failed", "deployed"), 1, StateFailed, 2, 2},
		{"has replaced the wanted revision", all("superseded", "superseded", "deployed"), 3, StateReplaced, 3, 2},
		{"replaces the wanted revision", all("superseded", "deployed", "pending-rollback"), 2, StateReplaced, 3, 2},
		{"was uninstalled before it wrote the wanted revision", all("uninstalled"), 1, StateRemoved, 1, 2},
		{"was uninstalled, and its history kept", all("superseded", "uninstalled"), 1, StateRemoved, 2, 0},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			if have, revision := (&release{began: row.began, set: Set{Revision: row.wanted}}).stateOf(row.revisions); have != row.want || revision.Number != row.revision {
				t.Errorf("have %q by revision %d, want %q by revision %d", have, revision.Number, row.want, row.revision)
			}
		})
	}
}
