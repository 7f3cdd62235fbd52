package status

import "kstatus.dev/status/internal/word"

// Those who manage fleets of clusters.
var hintsFleet = hintTable{
	// Open Cluster Management: https://open-cluster-management.io/docs/concepts/
	//
	// A cluster is there once the hub has accepted it, it has joined, and its agent
	// says that its API server answers.
	{Group: "cluster.open-cluster-management.io", Kind: "ManagedCluster"}: {
		Summary: []string{"HubAcceptedManagedCluster", "ManagedClusterJoined", "ManagedClusterConditionAvailable"},
		Strict:  []string{"ManagedClusterConditionAvailable"},
		Neutral: []string{"ManagedClusterConditionClockSynced"},
	},
	{Group: "cluster.open-cluster-management.io", Kind: "Placement"}: {
		Summary: []string{"PlacementSatisfied"}, Ignore: []string{"decisionGroups"},
	},
	// A set may have no cluster.
	{Group: "cluster.open-cluster-management.io", Kind: "ManagedClusterSet"}:   {Silent: true, Neutral: []string{"ClusterSetEmpty"}},
	{Group: "cluster.open-cluster-management.io", Kind: "PlacementDecision"}:   {Silent: true},
	{Group: "cluster.open-cluster-management.io", Kind: "AddOnPlacementScore"}: {Silent: true},
	{Group: "work.open-cluster-management.io", Kind: "ManifestWork"}:           {Summary: []string{"Applied", "Available"}},
	{Group: "work.open-cluster-management.io", Kind: "AppliedManifestWork"}:    {Silent: true},
	{Group: "addon.open-cluster-management.io", Kind: "ManagedClusterAddOn"}:   {Summary: []string{"Available"}},
	{Group: "addon.open-cluster-management.io", Kind: "*Config"}:               {Silent: true},
	{Group: "operator.open-cluster-management.io", Kind: "Klusterlet"}:         {Summary: []string{"Applied", "Available"}},

	// A policy says whether its clusters comply, and for which of its generations
	// that was found out.
	{Group: "policy.open-cluster-management.io", Kind: "Policy"}: {
		Required: []string{"status.compliant"}, Suspend: []string{"spec.disabled"}, Ignore: []string{"placement"},
	},
	{Group: "policy.open-cluster-management.io", Kind: "OperatorPolicy"}: {
		Required: []string{"status.compliant"}, Summary: []string{"Compliant"}, Words: wordTable{"UnknownCompliancy": word.Progressing},
	},
	{Group: "policy.open-cluster-management.io", Kind: "PlacementBinding"}: {Silent: true},
	{Group: "policy.open-cluster-management.io", Kind: "PolicyAutomation"}: {Silent: true},
	{Group: "policy.open-cluster-management.io"}: {
		Required: []string{"status.compliant"}, Observed: "status.lastEvaluatedGeneration", Words: wordTable{"UnknownCompliancy": word.Progressing},
	},
	{Group: "apps.open-cluster-management.io", Kind: "Subscription"}: {
		Required: []string{"status.phase"}, Words: wordTable{"Propagated": word.Ready, "Subscribed": word.Ready, "PropagationFailed": word.Failing},
	},
	{Group: "apps.open-cluster-management.io"}: {Silent: true},

	// Karmada: https://karmada.io/docs/core-concepts/concepts
	//
	// A binding is there once it is scheduled and applied to every cluster that it
	// was scheduled to. The clusters' own words for the health of what they run
	// stand beside it, and Unknown where nobody can tell.
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
	{Group: "policy.karmada.io"}: {Silent: true},

	// Gardener: https://gardener.cloud/docs/gardener/shoot/shoot_status/
	//
	// The last operation is what was asked for last, the conditions are looked at
	// all the time. A cluster without workers has no EveryNodeReady. Constraints say
	// what could not be done to it.
	{Group: "core.gardener.cloud", Kind: "Shoot"}: {
		Summary: []string{"APIServerAvailable", "ControlPlaneHealthy", "SystemComponentsHealthy"},
		Also:    []string{"EveryNodeReady", "ObservabilityComponentsHealthy"},
		States:  []string{"status.lastOperation.state"}, Required: []string{"status.lastOperation"},
		Ignore:  []string{"constraints", "credentials", "networking"},
		Suspend: []string{"spec.hibernation.enabled"}, Words: gardenerStates,
	},
	{Group: "core.gardener.cloud", Kind: "Seed"}: {
		Summary: []string{"GardenletReady"},
		Also:    []string{"SeedSystemComponentsHealthy", "ExtensionsReady", "BackupBucketsReady"}, Words: gardenerStates,
	},
	// Required says that somebody needs it.
	{Group: "core.gardener.cloud", Kind: "ControllerInstallation"}: {
		Summary: []string{"Valid", "Installed", "Healthy"}, Neutral: []string{"Required"},
	},
	{Group: "core.gardener.cloud", Kind: "BackupBucket"}: {
		Required: []string{"status.lastOperation"}, States: []string{"status.lastOperation.state"}, Words: gardenerStates,
	},
	{Group: "core.gardener.cloud", Kind: "BackupEntry"}: {
		Required: []string{"status.lastOperation"}, States: []string{"status.lastOperation.state"}, Words: gardenerStates,
	},
	{Group: "core.gardener.cloud", Kind: "*Profile"}: {Silent: true},
	{Group: "extensions.gardener.cloud"}: {
		Required: []string{"status.lastOperation"}, States: []string{"status.lastOperation.state"}, Words: gardenerStates,
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
	// A gateway that is passive stands by, as one of each cluster's gateways but
	// the active one does. Submariner itself tells of the DaemonSets that it runs.
	{Group: "submariner.io", Kind: "Gateway"}: {
		Required: []string{"status.haStatus"}, States: []string{"status.haStatus", "status.connections.*.status"},
		Errors: []string{"status.statusFailure"},
		Words:  wordTable{"active": word.Ready, "passive": word.Ready, "connected": word.Ready, "connecting": word.Progressing, "error": word.Failing},
	},
	{Group: "submariner.io", Kind: "Submariner"}: {
		Required: []string{"status.clusterID"},
		Counts:   []goal{{"status.gatewayDaemonSetStatus.status.numberReady", "status.gatewayDaemonSetStatus.status.desiredNumberScheduled"}},
	},
	{Group: "submariner.io"}: {Silent: true},
}

// Aborted and Error are tried again, Failed is not.
var gardenerStates = wordTable{"Pending": word.Progressing, "Processing": word.Progressing, "Succeeded": word.Ready, "Error": word.Failing, "Failed": word.Failing, "Aborted": word.Failing}
