package status

import "kstatus.dev/status/internal/word"

// KubeVirt: https://kubevirt.io/user-guide/ and its data importer, CDI:
// https://github.com/kubevirt/containerized-data-importer/tree/main/doc
//
// VirtualMachines have a rule.
var hintsKubeVirt = hintTable{
	// Whether it can be migrated and whether its agent is connected does not decide whether it
	// runs. It is scheduled before it runs.
	{Group: "kubevirt.io", Kind: "VirtualMachineInstance"}: {
		Required: []string{"status.phase"}, Words: wordTable{"Running": word.Ready},
		Neutral:    []string{"LiveMigratable", "StorageLiveMigratable", "AgentConnected", "AccessCredentialsSynchronized", "UnsupportedAgent", "EvictionRequested", "MigrationRequired"},
		Suspension: []string{"Paused"},
	},
	// The target is prepared before the virtual machine moves.
	{Group: "kubevirt.io", Kind: "VirtualMachineInstanceMigration"}: {
		Required: []string{"status.phase"}, Words: wordTable{"TargetReady": word.Progressing, "Synchronizing": word.Progressing},
		Neutral: []string{"MigrationAbortRequested", "MigrationRejectedByResourceQuota"},
	},
	{Group: "pool.kubevirt.io", Kind: "VirtualMachinePool"}: {
		Counts: []goal{{"status.readyReplicas", "spec.replicas"}}, Suspend: []string{"spec.paused"},
	},

	// A claim that is bound, or ready for an upload, has no data yet. It may wait for its first
	// consumer by design, like a PersistentVolumeClaim. Bound is about the claim, Running about the
	// pod that fills it: its errors are errors of the import, which is retried.
	{Group: "cdi.kubevirt.io", Kind: "DataVolume"}: {
		Required: []string{"status.phase"}, Finite: conditionTrue,
		Words:   wordTable{"PVCBound": word.Progressing, "UploadReady": word.Progressing, "PhaseUnset": word.Progressing, "WaitForFirstConsumer": word.Suspended, "PendingPopulation": word.Suspended, "Paused": word.Progressing},
		Neutral: []string{"Bound"},
	},
	{Group: "cdi.kubevirt.io", Kind: "DataImportCron"}: {
		Summary: []string{"UpToDate"}, Ignore: []string{"currentImports"},
	},
	{Group: "cdi.kubevirt.io", Kind: "StorageProfile"}:             {StatusOptional: true},
	{Group: "cdi.kubevirt.io", Kind: "*Source"}:                    {StatusOptional: true},
	{Group: "instancetype.kubevirt.io"}:                            {StatusOptional: true},
	{Group: "snapshot.kubevirt.io", Kind: "VirtualMachineRestore"}: {Required: []string{"status.complete"}, Finite: conditionTrue},
	{Group: "snapshot.kubevirt.io", Kind: "VirtualMachineSnapshot"}: {
		Required: []string{"status.readyToUse"}, Neutral: []string{"Progressing"},
	},
	{Group: "snapshot.kubevirt.io", Kind: "VirtualMachineSnapshotContent"}: {Required: []string{"status.readyToUse"}},
}
