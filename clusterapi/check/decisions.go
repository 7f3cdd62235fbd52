package check

// decisions lists the contradictions between the pages of the contract, core's
// code and other texts, and which of them the checks follow.
var decisions = []struct{ id, contradiction, decision string }{
	{"D1", "The workflows of the pages for InfraCluster and InfraMachine name a field status.infrastructure.provisioned; their rules name status.initialization.provisioned.",
		"status.initialization.provisioned: core reads nothing else."},
	{"D2", "The page for InfraCluster has a label cluster.x-k8s.io/managed-by; the reference of labels and annotations, and core, have an annotation.",
		"It is an annotation. The label has no effect, and a check warns about it."},
	{"D3", "The workflow of the page for InfraMachine waits for status.infrastructureReady of the Cluster, which v1beta2 does not have.",
		"status.initialization.infrastructureProvisioned of the Cluster."},
	{"D4", "The pages say that a condition without observedGeneration counts for the object's generation; core reads neither.",
		"A condition without observedGeneration may be stale, and a check warns about it."},
	{"D5", "The page for InfraMachinePool requires status.initialization.provisioned; core v1.14 reads status.ready, whatever the label (https://github.com/kubernetes-sigs/cluster-api/pull/14030).",
		"The checks require both of pools of machines."},
	{"D6", "Some texts say that Ready of the InfraCluster feeds the Machine, and Ready of the InfraMachine the Cluster.",
		"The InfraCluster feeds the Cluster, the InfraMachine its Machine, each as InfrastructureReady."},
	{"D7", "The pages call the reason of a condition optional; the proposal for status and metav1.Condition require it.",
		"It is required: core writes NoReasonReported where it is missing."},
}
