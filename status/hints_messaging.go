package status

import "kstatus.dev/status/internal/word"

// Koperator: https://github.com/adobe/koperator/tree/master/api
// Confluent: https://docs.confluent.io/operator/current/co-api.html
// RabbitMQ: https://www.rabbitmq.com/kubernetes/operator/using-operator
// Redpanda: https://docs.redpanda.com/current/reference/k-crd/
var hintsMessaging = hintTable{
	// It may run while a broker has not got its configuration yet.
	{"kafka.banzaicloud.io", "KafkaCluster"}: {
		States: []string{"status.brokersState.*.configurationState"},
		Words:  wordTable{"ConfigInSync": word.Ready, "ConfigOutOfSync": word.Progressing},
	},
	{"kafka.banzaicloud.io", "CruiseControlOperation"}: {
		States: []string{"status.currentTask.state"},
		Words:  wordTable{"InExecution": word.Progressing},
	},
	// The collection of garbage is what happens to brokers that are taken away.
	{Group: "platform.confluent.io"}: {Progress: []string{"platform.confluent.io/garbage-collecting"}},
	// A connector runs even when its tasks have failed.
	{"platform.confluent.io", "Connector"}: {
		Errors: []string{"status.failedTasks"},
		Words:  wordTable{"Unknown": word.Neutral},
	},
	// Each must be there and be True; none of them is called Ready.
	{"rabbitmq.com", "RabbitmqCluster"}: {
		Summary: []string{"AllReplicasReady", "ClusterAvailable", "ReconcileSuccess"},
		Neutral: []string{"NoWarnings"},
	},
	// Its conditions are the steps it has gone through, the last of which is Ready.
	{"apps.emqx.io", "EMQX"}: {Neutral: []string{"CoreNodesProgressing", "ReplicantNodesProgressing"}},
	// That it is quiesced says that nothing is left to do for this generation. A
	// lack of a license is no lack of a cluster.
	{"cluster.redpanda.com", "Redpanda"}: {
		Positive: []string{"Quiesced"},
		Neutral:  []string{"LicenseValid"},
	},
}
