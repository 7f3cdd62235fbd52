package status

// Installation and upgrades of OpenShift clusters from a hub.
var hintsOpenShiftInstall = hintTable{
	// Assisted installer:
	// https://github.com/openshift/assisted-service/tree/master/docs/hive-integration
	//
	// Stopped is also True after an installation has ended, with success or not.
	{Group: "extensions.hive.openshift.io", Kind: "AgentClusterInstall"}: {
		Summary: []string{"Completed"}, Neutral: []string{"Stopped", "RequirementsMet"},
		Ignore: []string{"debugInfo", "validationsInfo", "progress"},
	},
	// The image that hosts boot from, and those hosts.
	{Group: "agent-install.openshift.io", Kind: "InfraEnv"}: {Summary: []string{"ImageCreated"}, Ignore: []string{"debugInfo"}},
	{Group: "agent-install.openshift.io", Kind: "Agent"}: {
		Summary: []string{"Connected", "Validated"}, Neutral: []string{"Bound", "Installed", "RequirementsMet", "Cleanup"},
		Ignore: []string{"debugInfo", "inventory", "validationsInfo", "progress", "hostValidationInfo"},
	},
	{Group: "agent-install.openshift.io", Kind: "NMStateConfig"}:      {StatusOptional: true},
	{Group: "agent-install.openshift.io", Kind: "AgentServiceConfig"}: {Summary: []string{"DeploymentsHealthy", "ReconcileCompleted"}},

	// Upgrades of groups of clusters:
	// https://github.com/openshift-kni/cluster-group-upgrades-operator
	//
	// A group that is not enabled is prepared, and waits until a user enables it.
	{Group: "ran.openshift.io", Kind: "ClusterGroupUpgrade"}: {
		Summary: []string{"Succeeded"}, Positive: []string{"ClustersSelected"}, Finite: conditionTrue,
	},

	// Ansible jobs: https://github.com/ansible/awx-resource-operator
	{Group: "tower.ansible.com", Kind: "AnsibleJob"}: {
		Required: []string{"status.ansibleJobResult.status"}, States: []string{"status.ansibleJobResult.status"}, Finite: conditionTrue,
		Neutral: []string{"Running", "Successful"},
	},
}
