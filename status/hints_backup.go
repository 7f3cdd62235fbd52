package status

import "kstatus.dev/status/internal/word"

// Velero: https://velero.io/docs/main/api-types/
// Stash and KubeStash: https://kubestash.com/docs/latest/concepts/
// Kanister: https://docs.kanister.io/architecture.html
// K8up: https://docs.k8up.io/k8up/references/api-reference.html
var hintsBackup = hintTable{
	{"velero.io", "Backup"}: {Words: wordTable{"ReadyToStart": word.Progressing}},
	// No controller reads it before a backup.
	{"velero.io", "VolumeSnapshotLocation"}: {StatusOptional: true},

	// OADP for users of one namespace: https://github.com/migtools/oadp-non-admin. Its own phase only
	// says that the object of Velero exists, whose status it repeats.
	{"oadp.openshift.io", "NonAdminBackup"}: {
		Required: []string{"status.veleroBackup.status.phase"}, States: []string{"status.veleroBackup.status.phase"},
		Words: nonAdminWords, Neutral: []string{"Queued"}, Finite: conditionTrue,
	},
	{"oadp.openshift.io", "NonAdminRestore"}: {
		Required: []string{"status.veleroRestore.status.phase"}, States: []string{"status.veleroRestore.status.phase"},
		Words: nonAdminWords, Neutral: []string{"Queued"}, Finite: conditionTrue,
	},
	// Data movers run to completion, although their names do not show it.
	{"velero.io", "DataUpload"}:              {Finite: conditionTrue},
	{"velero.io", "DataDownload"}:            {Finite: conditionTrue},
	{"stash.appscode.com", "BackupSession"}:  {Finite: conditionTrue},
	{"stash.appscode.com", "RestoreSession"}: {Finite: conditionTrue},
	{"core.kubestash.com", "BackupSession"}:  {Finite: conditionTrue},
	{"core.kubestash.com", "RestoreSession"}: {Finite: conditionTrue},
	{"cr.kanister.io", "ActionSet"}:          {Finite: conditionTrue},
	// Ready means that the job can be created, and Completed that it has ended, with success or
	// not.
	{"k8up.io", "Backup"}:  {Summary: []string{"Completed"}},
	{"k8up.io", "Restore"}: {Summary: []string{"Completed"}},
	{"k8up.io", "Archive"}: {Summary: []string{"Completed"}},
	{"k8up.io", "Check"}:   {Summary: []string{"Completed"}},
	{"k8up.io", "Prune"}:   {Summary: []string{"Completed"}},
}

// nonAdminWords are the phases of the objects of OADP for users of one namespace.
var nonAdminWords = wordTable{"Created": word.Neutral, "BackingOff": word.Failing}
