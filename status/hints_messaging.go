package status

import "kstatus.dev/status/internal/word"

// Koperator: https://github.com/adobe/koperator/tree/master/api
// Confluent: https://docs.confluent.io/operator/current/co-api.html
// RabbitMQ: https://www.rabbitmq.com/kubernetes/operator/using-operator
// Redpanda: https://docs.redpanda.com/current/reference/k-crd/
var hintsMessaging = hintTable{
	// The cluster may run while a broker still waits for its configuration.
	{"kafka.banzaicloud.io", "KafkaCluster"}: {
		States: []string{"status.brokersState.*.configurationState"},
		Words:  wordTable{"ConfigInSync": word.Ready, "ConfigOutOfSync": word.Progressing},
	},
	{"kafka.banzaicloud.io", "CruiseControlOperation"}: {
		States: []string{"status.currentTask.state"},
		Words:  wordTable{"InExecution": word.Progressing},
	},
	// Garbage collection happens for removed brokers.
	{Group: "platform.confluent.io"}: {Progress: []string{"platform.confluent.io/garbage-collecting"}},
	// A connector may run although its tasks have failed.
	{"platform.confluent.io", "Connector"}: {
		Errors: []string{"status.failedTasks"},
		Words:  wordTable{"Unknown": word.Neutral},
	},
	// Each condition must exist and be True; none of them is named Ready.
	{"rabbitmq.com", "RabbitmqCluster"}: {
		Summary: []string{"AllReplicasReady", "ClusterAvailable", "ReconcileSuccess"},
		Neutral: []string{"NoWarnings"},
	},
	// Its conditions are its past steps, the last of which is Ready.
	{"apps.emqx.io", "EMQX"}: {Neutral: []string{"CoreNodesProgressing", "ReplicantNodesProgressing"}},
	// Quiesced means that this generation needs no more work. A missing license is no problem of
	// the cluster.
	{"cluster.redpanda.com", "Redpanda"}: {
		Positive: []string{"Quiesced"},
		Neutral:  []string{"LicenseValid"},
	},
}
