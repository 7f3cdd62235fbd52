package status

import "kstatus.dev/status/internal/word"

// Velero: https://velero.io/docs/main/api-types/
// VolSync: https://volsync.readthedocs.io/en/stable/usage/
// Stash and KubeStash: https://kubestash.com/docs/latest/concepts/
// Kanister: https://docs.kanister.io/architecture.html
// K8up: https://docs.k8up.io/k8up/references/api-reference.html
var hintsBackup = hintTable{
	{"velero.io", "Backup"}: {Words: wordTable{"ReadyToStart": word.Progressing}},
	// Nobody looks at it before a backup does.
	{"velero.io", "VolumeSnapshotLocation"}: {Silent: true},
	// What moves data runs to an end, although its name does not tell.
	{"velero.io", "DataUpload"}:              {Finite: ConditionTrue},
	{"velero.io", "DataDownload"}:            {Finite: ConditionTrue},
	{"stash.appscode.com", "BackupSession"}:  {Finite: ConditionTrue},
	{"stash.appscode.com", "RestoreSession"}: {Finite: ConditionTrue},
	{"core.kubestash.com", "BackupSession"}:  {Finite: ConditionTrue},
	{"core.kubestash.com", "RestoreSession"}: {Finite: ConditionTrue},
	{"cr.kanister.io", "ActionSet"}:          {Finite: ConditionTrue},
	// Between two synchronizations there is nothing to do; whether the last one
	// went well only its mover tells.
	{"volsync.backube", "ReplicationSource"}: {
		Progress: []ConditionType{"Synchronizing"},
		States:   []string{"status.latestMoverStatus.result"},
	},
	{"volsync.backube", "ReplicationDestination"}: {
		Progress: []ConditionType{"Synchronizing"},
		States:   []string{"status.latestMoverStatus.result"},
	},
	// Ready says that the job can be made, and Completed that it is over, whether
	// well or not.
	{"k8up.io", "Backup"}:  {Summary: []ConditionType{"Completed"}},
	{"k8up.io", "Restore"}: {Summary: []ConditionType{"Completed"}},
	{"k8up.io", "Archive"}: {Summary: []ConditionType{"Completed"}},
	{"k8up.io", "Check"}:   {Summary: []ConditionType{"Completed"}},
	{"k8up.io", "Prune"}:   {Summary: []ConditionType{"Completed"}},
}
