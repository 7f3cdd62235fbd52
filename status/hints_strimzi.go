package status

import "kstatus.dev/status/internal/word"

// Strimzi: https://strimzi.io/docs/operators/latest/configuring.html
var hintsStrimzi = hintTable{
	// A pool only counts its nodes; its Kafka reports whether they are ready.
	{"kafka.strimzi.io", "KafkaNodePool"}: {
		Ignore: []string{"replicas"},
		Counts: []goal{{"status.replicas", "spec.replicas"}},
	},
	// A failed connector is reported in Ready. A connector that is not assigned to a worker does
	// not run.
	{"kafka.strimzi.io", "KafkaConnector"}: {
		States: []string{"status.connectorStatus.connector.state", "status.connectorStatus.tasks.*.state"},
	},
	{"kafka.strimzi.io", "KafkaMirrorMaker2"}: {States: []string{"status.connectors.*.connector.state"}},
	// The field of the change is removed when all replicas are in their new places.
	{"kafka.strimzi.io", "KafkaTopic"}: {
		States: []string{"status.replicasChange.state"},
		Words:  wordTable{"ongoing": word.Progressing},
	},
	// A proposal that is ready waits for approval.
	{"kafka.strimzi.io", "KafkaRebalance"}: {Progress: []string{"ProposalReady"}},
}
