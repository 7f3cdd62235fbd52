package capi

// decisions lists what the pages of the contract, core's code and what has been
// written about them contradict each other in, and what the checks follow.
var decisions = []struct{ id, contradiction, decision string }{
	{"D1", "The workflows of the pages for InfraCluster and InfraMachine name a field status.infrastructure.provisioned; their rules name status.initialization.provisioned.",
		"status.initialization.provisioned: core reads nothing else."},
	{"D2", "The page for InfraCluster speaks of a label cluster.x-k8s.io/managed-by; the reference of labels and annotations, and core, of an annotation.",
		"It is an annotation. The label does nothing, and a check warns of it."},
	{"D3", "The workflow of the page for InfraMachine waits for status.infrastructureReady of the Cluster, which v1beta2 has not.",
		"status.initialization.infrastructureProvisioned of the Cluster."},
	{"D4", "The pages say that core takes the object's generation for a condition without observedGeneration; core does not look at either.",
		"A condition without observedGeneration cannot be told from a stale one: a warning."},
	{"D5", "The page for InfraMachinePool asks for status.initialization.provisioned; core v1.14 reads status.ready, whatever the label says (https://github.com/kubernetes-sigs/cluster-api/pull/14030).",
		"Pools of machines are asked for both."},
	{"D6", "It has been written that Ready of the InfraCluster feeds the Machine, and Ready of the InfraMachine the Cluster.",
		"The InfraCluster feeds the Cluster, the InfraMachine its Machine, each as InfrastructureReady."},
	{"D7", "The pages call the reason of a condition optional; the proposal for status and metav1.Condition require it.",
		"It is required: core writes NoReasonReported where it is missing."},
}
