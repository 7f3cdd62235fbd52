package status

import "kstatus.dev/status/internal/word"

// Strimzi: https://strimzi.io/docs/operators/latest/configuring.html
var hintsStrimzi = hintTable{
	// A pool counts its nodes only; its Kafka tells whether they are ready.
	{"kafka.strimzi.io", "KafkaNodePool"}: {
		Ignore: []string{"replicas"},
		Counts: []goal{{"status.replicas", "spec.replicas"}},
	},
	// Kafka Connect has a connector that failed before it says so in Ready, and
	// one that is not assigned to a worker does not run.
	{"kafka.strimzi.io", "KafkaConnector"}: {
		States: []string{"status.connectorStatus.connector.state", "status.connectorStatus.tasks.*.state"},
	},
	{"kafka.strimzi.io", "KafkaMirrorMaker2"}: {States: []string{"status.connectors.*.connector.state"}},
	// The change is taken away once all replicas are where they are to be.
	{"kafka.strimzi.io", "KafkaTopic"}: {
		States: []string{"status.replicasChange.state"},
		Words:  wordTable{"ongoing": word.Progressing},
	},
	// A proposal that is ready waits for somebody to approve it.
	{"kafka.strimzi.io", "KafkaRebalance"}: {Progress: []string{"ProposalReady"}},
}
