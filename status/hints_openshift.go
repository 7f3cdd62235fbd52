package status

import "kstatus.dev/status/internal/word"

// OpenShift:
// https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/api_overview/
//
// Its operators write Available, Progressing and Degraded, one condition with such a suffix per
// component, and Upgradeable, which is only about the next version.
var hintsOpenShift = hintTable{
	// RetrievedUpdates is about available updates. Until a release is accepted, the cluster keeps
	// the former one.
	{Group: "config.openshift.io", Kind: "ClusterVersion"}: {
		Summary: []string{"Available"}, OptionalSummary: []string{"ReleaseAccepted"}, FailedIfFalse: []string{"ReleaseAccepted"},
		Neutral: []string{"RetrievedUpdates", "ImplicitlyEnabledCapabilities"},
	},
	// Disabled is about one function of an operator, such as sending reports.
	{Group: "config.openshift.io", Kind: "ClusterOperator"}: {
		Summary: []string{"Available"},
		Neutral: []string{"Disabled", "RecentBackup", "ClusterTransferAvailable", "EvaluationConditionsDetected"},
	},
	// The operators of the cluster read its settings.
	{Group: "config.openshift.io"}: {StatusOptional: true},

	// Features that the operator does not manage do not count. Available may be True with fewer
	// replicas than requested.
	{Group: "operator.openshift.io", Kind: "IngressController"}: {
		Summary: []string{"Available"}, OptionalSummary: []string{"DeploymentReplicasAllAvailable"},
		Neutral: []string{"LoadBalancerManaged", "DNSManaged", "EvaluationConditionsDetected"},
	},
	// A provisioned instance may not be a node yet.
	{Group: "machine.openshift.io", Kind: "Machine"}: {Required: []string{"status.phase"}, Words: wordTable{"Provisioned": word.Progressing}},
	{Group: "machineconfiguration.openshift.io", Kind: "MachineConfigPool"}: {
		Summary: []string{"Updated"},
	},

	// A route that a router does not admit has failed.
	{Group: "route.openshift.io", Kind: "Route"}: {
		Required: []string{"status.ingress"}, FailedIfFalse: []string{"Admitted"}, Neutral: []string{"UnservableInFutureVersions"},
	},
	// Its tags need not refer to imported images.
	{Group: "image.openshift.io", Kind: "ImageStream"}: {StatusOptional: true},
	{Group: "build.openshift.io", Kind: "BuildConfig"}: {StatusOptional: true},
	// Its conditions are its past phases.
	{Group: "build.openshift.io", Kind: "Build"}: {
		Required: []string{"status.phase"}, Ignore: []string{"conditions"},
	},

	// It has one condition per stage, which is False after the stage has ended.
	{Group: "machineconfiguration.openshift.io", Kind: "MachineOSBuild"}: {
		Summary: []string{"Succeeded"}, Neutral: []string{"Prepared", "Building", "Interrupted"},
	},
	{Group: "machine.openshift.io", Kind: "MachineHealthCheck"}: {
		StatusOptional: true, Ignore: []string{"expectedMachines"}, Neutral: []string{"RemediationAllowed"},
	},
	{Group: "autoscaling.openshift.io"}:     {StatusOptional: true},
	{Group: "cloudcredential.openshift.io"}: {Required: []string{"status.provisioned"}, Observed: "status.lastSyncGeneration"},
	{Group: "quota.openshift.io"}:           {StatusOptional: true},
	{Group: "console.openshift.io"}:         {StatusOptional: true},
	{Group: "security.openshift.io"}:        {StatusOptional: true},

	// Hosted control planes: https://hypershift-docs.netlify.app/reference/api/
	//
	// Many conditions report enabled features or an upcoming version.
	{Group: "hypershift.openshift.io", Kind: "HostedCluster"}: {
		Summary: []string{"Available"}, Negative: []string{"ClusterVersionFailing"},
		Progress: []string{"ClusterVersionProgressing"},
		Neutral:  []string{"ExternalDNSReachable", "ValidOIDCConfiguration", "ClusterVersionRetrievedUpdates", "ClusterVersionUpgradeable", "ReconciliationActive"},
	},
	{Group: "hypershift.openshift.io", Kind: "NodePool"}: {
		Summary: []string{"Ready"}, OptionalSummary: []string{"AllMachinesReady", "AllNodesHealthy"},
		Progress: []string{"UpdatingVersion", "UpdatingConfig", "UpdatingPlatformMachineTemplate"},
		Neutral:  []string{"AutoscalingEnabled", "AutorepairEnabled", "UpdateManagementEnabled", "ReconciliationActive"},
		Counts:   []goal{{"status.replicas", "spec.replicas"}},
	},

	// Hive: https://github.com/openshift/hive/blob/master/docs/using-hive.md
	//
	// Every condition exists from the start, and is Unknown until it applies. Ready is also set if
	// Hive cannot read whether a cluster hibernates. If it can, the power state decides, and
	// Unreachable has its own condition.
	{Group: "hive.openshift.io", Kind: "ClusterDeployment"}: {
		Summary: []string{"Provisioned"}, Neutral: []string{"Hibernating", "Ready"}, Negative: []string{"ProvisionStopped"},
		States:  []string{"status.powerState"},
		Words:   wordTable{"Running": word.Ready, "Hibernating": word.Suspended, "WaitingForClusterOperators": word.Progressing, "SyncSetsNotApplied": word.Progressing},
		Suspend: []string{"spec.powerState=Hibernating"},
	},
}
