package status

// What installs and upgrades OpenShift clusters from a hub.
var hintsOpenShiftInstall = hintTable{
	// Assisted installer: https://github.com/openshift/assisted-service/tree/master/docs/hive-integration
	//
	// An installation that is over is also stopped, whether or not it is complete.
	{Group: "extensions.hive.openshift.io", Kind: "AgentClusterInstall"}: {
		Summary: []string{"Completed"}, Neutral: []string{"Stopped", "RequirementsMet"},
		Ignore: []string{"debugInfo", "validationsInfo", "progress"},
	},
	// An image that hosts start from, and the hosts that did.
	{Group: "agent-install.openshift.io", Kind: "InfraEnv"}: {Summary: []string{"ImageCreated"}, Ignore: []string{"debugInfo"}},
	{Group: "agent-install.openshift.io", Kind: "Agent"}: {
		Summary: []string{"Connected", "Validated"}, Neutral: []string{"Bound", "Installed", "RequirementsMet", "Cleanup"},
		Ignore: []string{"debugInfo", "inventory", "validationsInfo", "progress", "hostValidationInfo"},
	},
	{Group: "agent-install.openshift.io", Kind: "NMStateConfig"}:      {Silent: true},
	{Group: "agent-install.openshift.io", Kind: "AgentServiceConfig"}: {Summary: []string{"DeploymentsHealthy", "ReconcileCompleted"}},

	// Upgrades of groups of clusters: https://github.com/openshift-kni/cluster-group-upgrades-operator
	//
	// One that is not enabled is prepared and waits for somebody to enable it.
	{Group: "ran.openshift.io", Kind: "ClusterGroupUpgrade"}: {
		Summary: []string{"Succeeded"}, Positive: []string{"ClustersSelected"}, Finite: conditionTrue,
	},

	// Jobs of Ansible: https://github.com/ansible/awx-resource-operator
	{Group: "tower.ansible.com", Kind: "AnsibleJob"}: {
		Required: []string{"status.ansibleJobResult.status"}, States: []string{"status.ansibleJobResult.status"}, Finite: conditionTrue,
		Neutral: []string{"Running", "Successful"},
	},
}
