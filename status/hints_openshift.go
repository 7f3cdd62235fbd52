package status

import "kstatus.dev/status/internal/word"

// OpenShift: https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/api_overview/
//
// Its operators write Available, Progressing and Degraded, besides one condition
// with one of these endings for each of their parts, and Upgradeable, which is
// about the next version only.
var hintsOpenShift = hintTable{
	// RetrievedUpdates is about versions that one could go to. Until a release is
	// accepted the cluster stays at the former one.
	{Group: "config.openshift.io", Kind: "ClusterVersion"}: {
		Summary: []string{"Available"}, Also: []string{"ReleaseAccepted"}, Strict: []string{"ReleaseAccepted"},
		Neutral: []string{"RetrievedUpdates", "ImplicitlyEnabledCapabilities"},
	},
	// Disabled is said of one side of an operator, such as the sending of reports.
	{Group: "config.openshift.io", Kind: "ClusterOperator"}: {
		Summary: []string{"Available"},
		Neutral: []string{"Disabled", "RecentBackup", "ClusterTransferAvailable", "EvaluationConditionsDetected"},
	},
	// The settings of the cluster are read by its operators.
	{Group: "config.openshift.io"}: {Silent: true},

	// What its operator does not manage is no part of it. It calls itself available
	// with fewer replicas than it asks for.
	{Group: "operator.openshift.io", Kind: "IngressController"}: {
		Summary: []string{"Available"}, Also: []string{"DeploymentReplicasAllAvailable"},
		Neutral: []string{"LoadBalancerManaged", "DNSManaged", "EvaluationConditionsDetected"},
	},
	// An instance that was made may not be a node yet.
	{Group: "machine.openshift.io", Kind: "Machine"}: {Required: []string{"status.phase"}, Words: wordTable{"Provisioned": word.Progressing}},
	{Group: "machineconfiguration.openshift.io", Kind: "MachineConfigPool"}: {
		Summary: []string{"Updated"},
	},

	// A router says that it does not admit a route, and means it.
	{Group: "route.openshift.io", Kind: "Route"}: {
		Required: []string{"status.ingress"}, Strict: []string{"Admitted"}, Neutral: []string{"UnservableInFutureVersions"},
	},
	// Its tags need not point to anything that is imported.
	{Group: "image.openshift.io", Kind: "ImageStream"}: {Silent: true},
	{Group: "build.openshift.io", Kind: "BuildConfig"}: {Silent: true},
	// Its conditions are the phases that it has gone through.
	{Group: "build.openshift.io", Kind: "Build"}: {
		Required: []string{"status.phase"}, Ignore: []string{"conditions"},
	},

	// It has one condition per stage, which is False once the stage is over.
	{Group: "machineconfiguration.openshift.io", Kind: "MachineOSBuild"}: {
		Summary: []string{"Succeeded"}, Neutral: []string{"Prepared", "Building", "Interrupted"},
	},
	{Group: "machine.openshift.io", Kind: "MachineHealthCheck"}: {
		Silent: true, Ignore: []string{"expectedMachines"}, Neutral: []string{"RemediationAllowed"},
	},
	{Group: "autoscaling.openshift.io"}:     {Silent: true},
	{Group: "cloudcredential.openshift.io"}: {Required: []string{"status.provisioned"}, Observed: "status.lastSyncGeneration"},
	{Group: "quota.openshift.io"}:           {Silent: true},
	{Group: "console.openshift.io"}:         {Silent: true},
	{Group: "security.openshift.io"}:        {Silent: true},

	// Hosted control planes: https://hypershift-docs.netlify.app/reference/api/
	//
	// Many conditions tell what is switched on, or of a version to come.
	{Group: "hypershift.openshift.io", Kind: "HostedCluster"}: {
		Summary: []string{"Available"}, Negative: []string{"ClusterVersionFailing"},
		Progress: []string{"ClusterVersionProgressing"},
		Neutral:  []string{"ExternalDNSReachable", "ValidOIDCConfiguration", "ClusterVersionRetrievedUpdates", "ClusterVersionUpgradeable", "ReconciliationActive"},
	},
	{Group: "hypershift.openshift.io", Kind: "NodePool"}: {
		Summary: []string{"Ready"}, Also: []string{"AllMachinesReady", "AllNodesHealthy"},
		Progress: []string{"UpdatingVersion", "UpdatingConfig", "UpdatingPlatformMachineTemplate"},
		Neutral:  []string{"AutoscalingEnabled", "AutorepairEnabled", "UpdateManagementEnabled", "ReconciliationActive"},
		Counts:   []goal{{"status.replicas", "spec.replicas"}},
	},

	// Hive: https://github.com/openshift/hive/blob/master/docs/using-hive.md
	//
	// Every condition is there from the beginning, Unknown until it means
	// something, and Ready also where Hive cannot tell whether a cluster sleeps.
	// Where it can, the power state does, and Unreachable speaks for itself.
	{Group: "hive.openshift.io", Kind: "ClusterDeployment"}: {
		Summary: []string{"Provisioned"}, Neutral: []string{"Hibernating", "Ready"}, Negative: []string{"ProvisionStopped"},
		States:  []string{"status.powerState"},
		Words:   wordTable{"Running": word.Ready, "Hibernating": word.Suspended, "WaitingForClusterOperators": word.Progressing, "SyncSetsNotApplied": word.Progressing},
		Suspend: []string{"spec.powerState=Hibernating"},
	},
}
