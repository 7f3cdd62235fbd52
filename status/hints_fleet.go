package status

import "kstatus.dev/status/internal/word"

// Managers of fleets of clusters.
var hintsFleet = hintTable{
	// Open Cluster Management: https://open-cluster-management.io/docs/concepts/
	//
	// A cluster is ready when the hub has accepted it, it has joined, and its agent reports that
	// its API server is available.
	{Group: "cluster.open-cluster-management.io", Kind: "ManagedCluster"}: {
		Summary:       []string{"HubAcceptedManagedCluster", "ManagedClusterJoined", "ManagedClusterConditionAvailable"},
		FailedIfFalse: []string{"ManagedClusterConditionAvailable"},
		Neutral:       []string{"ManagedClusterConditionClockSynced"},
	},
	{Group: "cluster.open-cluster-management.io", Kind: "Placement"}: {
		Summary: []string{"PlacementSatisfied"}, Ignore: []string{"decisionGroups"},
	},
	// A set may be empty.
	{Group: "cluster.open-cluster-management.io", Kind: "ManagedClusterSet"}:   {StatusOptional: true, Neutral: []string{"ClusterSetEmpty"}},
	{Group: "cluster.open-cluster-management.io", Kind: "PlacementDecision"}:   {StatusOptional: true},
	{Group: "cluster.open-cluster-management.io", Kind: "AddOnPlacementScore"}: {StatusOptional: true},
	{Group: "work.open-cluster-management.io", Kind: "ManifestWork"}:           {Summary: []string{"Applied", "Available"}},
	{Group: "work.open-cluster-management.io", Kind: "AppliedManifestWork"}:    {StatusOptional: true},
	{Group: "addon.open-cluster-management.io", Kind: "ManagedClusterAddOn"}:   {Summary: []string{"Available"}},
	{Group: "addon.open-cluster-management.io", Kind: "*Config"}:               {StatusOptional: true},
	{Group: "operator.open-cluster-management.io", Kind: "Klusterlet"}:         {Summary: []string{"Applied", "Available"}},

	// A policy reports whether its clusters comply, and the generation that was evaluated.
	{Group: "policy.open-cluster-management.io", Kind: "Policy"}: {
		Required: []string{"status.compliant"}, Suspend: []string{"spec.disabled"}, Ignore: []string{"placement"},
	},
	{Group: "policy.open-cluster-management.io", Kind: "OperatorPolicy"}: {
		Required: []string{"status.compliant"}, Summary: []string{"Compliant"}, Words: wordTable{"UnknownCompliancy": word.Progressing},
	},
	{Group: "policy.open-cluster-management.io", Kind: "PlacementBinding"}: {StatusOptional: true},
	{Group: "policy.open-cluster-management.io", Kind: "PolicyAutomation"}: {StatusOptional: true},
	{Group: "policy.open-cluster-management.io"}: {
		Required: []string{"status.compliant"}, Observed: "status.lastEvaluatedGeneration", Words: wordTable{"UnknownCompliancy": word.Progressing},
	},
	{Group: "apps.open-cluster-management.io", Kind: "Subscription"}: {
		Required: []string{"status.phase"}, Words: wordTable{"Propagated": word.Ready, "Subscribed": word.Ready, "PropagationFailed": word.Failing},
	},
	{Group: "apps.open-cluster-management.io"}: {StatusOptional: true},

	// Karmada: https://karmada.io/docs/core-concepts/concepts
	//
	// A binding is ready when it is scheduled and applied to all its clusters. It also has the
	// health of the resources in each cluster, which is Unknown for kinds that Karmada cannot
	// interpret.
	{Group: "work.karmada.io", Kind: "ResourceBinding"}: {
		Summary: []string{"Scheduled", "FullyApplied"}, Observed: "status.schedulerObservedGeneration",
		States: []string{"status.aggregatedStatus.*.health"}, Words: wordTable{"Unknown": word.Neutral},
	},
	{Group: "work.karmada.io", Kind: "ClusterResourceBinding"}: {
		Summary: []string{"Scheduled", "FullyApplied"}, Observed: "status.schedulerObservedGeneration",
		States: []string{"status.aggregatedStatus.*.health"}, Words: wordTable{"Unknown": word.Neutral},
	},
	{Group: "work.karmada.io", Kind: "Work"}: {
		Summary: []string{"Applied"}, States: []string{"status.manifestStatuses.*.health"}, Words: wordTable{"Unknown": word.Neutral},
	},
	{Group: "policy.karmada.io"}: {StatusOptional: true},
	// It is rescheduled once, and has the time at which that has ended for all its workloads:
	// https://karmada.io/docs/userguide/scheduling/workload-rebalancer
	{Group: "apps.karmada.io", Kind: "WorkloadRebalancer"}: {Required: []string{"status.finishTime"}, Finite: conditionTrue},

	// Gardener: https://gardener.cloud/docs/gardener/shoot/shoot_status/
	//
	// status.lastOperation is the last requested operation; the conditions are updated
	// continuously. A cluster without workers has no EveryNodeReady. Constraints list operations
	// that are not possible.
	{Group: "core.gardener.cloud", Kind: "Shoot"}: {
		Summary:         []string{"APIServerAvailable", "ControlPlaneHealthy", "SystemComponentsHealthy"},
		OptionalSummary: []string{"EveryNodeReady", "ObservabilityComponentsHealthy"},
		States:          []string{"status.lastOperation.state"}, Required: []string{"status.lastOperation"},
		Ignore:  []string{"constraints", "credentials", "networking"},
		Suspend: []string{"spec.hibernation.enabled"}, Words: gardenerStates,
	},
	{Group: "core.gardener.cloud", Kind: "Seed"}: {
		Summary:         []string{"GardenletReady"},
		OptionalSummary: []string{"SeedSystemComponentsHealthy", "ExtensionsReady", "BackupBucketsReady"}, Words: gardenerStates,
	},
	// Required reports whether another object needs the installation.
	{Group: "core.gardener.cloud", Kind: "ControllerInstallation"}: {
		Summary: []string{"Valid", "Installed", "Healthy"}, Neutral: []string{"Required"},
	},
	{Group: "core.gardener.cloud", Kind: "BackupBucket"}: {
		Required: []string{"status.lastOperation"}, Errors: []string{"status.lastError"}, States: []string{"status.lastOperation.state"}, Words: gardenerStates,
	},
	{Group: "core.gardener.cloud", Kind: "BackupEntry"}: {
		Required: []string{"status.lastOperation"}, Errors: []string{"status.lastError"}, States: []string{"status.lastOperation.state"}, Words: gardenerStates,
	},
	{Group: "core.gardener.cloud", Kind: "*Profile"}: {StatusOptional: true},
	{Group: "extensions.gardener.cloud"}: {
		Required: []string{"status.lastOperation"}, Errors: []string{"status.lastError"}, States: []string{"status.lastOperation.state"}, Words: gardenerStates,
	},
	{Group: "resources.gardener.cloud", Kind: "ManagedResource"}: {
		Summary: []string{"ResourcesApplied", "ResourcesHealthy"}, Progress: []string{"ResourcesProgressing"},
	},
	{Group: "operator.gardener.cloud", Kind: "Garden"}: {
		Required: []string{"status.lastOperation"}, States: []string{"status.lastOperation.state"}, Ignore: []string{"credentials"},
		Words: gardenerStates,
	},

	// Submariner: https://submariner.io/
	//
	// A passive gateway is a standby: each cluster has one active gateway. Submariner itself
	// reports on its DaemonSets.
	{Group: "submariner.io", Kind: "Gateway"}: {
		Required: []string{"status.haStatus"}, States: []string{"status.haStatus", "status.connections.*.status"},
		Errors: []string{"status.statusFailure"},
		Words:  wordTable{"active": word.Ready, "passive": word.Ready, "connected": word.Ready, "connecting": word.Progressing, "error": word.Failing},
	},
	{Group: "submariner.io", Kind: "Submariner"}: {
		Required: []string{"status.clusterID"},
		Counts:   []goal{{"status.gatewayDaemonSetStatus.status.numberReady", "status.gatewayDaemonSetStatus.status.desiredNumberScheduled"}},
	},
	{Group: "submariner.io"}: {StatusOptional: true},
}

// Aborted and Error are retried, Failed is not.
var gardenerStates = wordTable{"Pending": word.Progressing, "Processing": word.Progressing, "Succeeded": word.Ready, "Error": word.Failing, "Failed": word.Failing, "Aborted": word.Failing}
