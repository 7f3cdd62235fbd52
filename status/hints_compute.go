package status

import "kstatus.dev/status/internal/word"

// Ray, Spark and Flink.
var hintsCompute = hintTable{
	// Ray: https://docs.ray.io/en/latest/cluster/kubernetes/references.html. A RayCluster has no
	// state before all its Pods have run once. A stopped job has not succeeded.
	{Group: "ray.io", Kind: "RayCluster"}: {Required: []string{"status.state"}},
	{Group: "ray.io", Kind: "RayJob"}: {
		Required: []string{"status.jobDeploymentStatus"}, States: []string{"status.jobDeploymentStatus", "status.jobStatus"}, Words: wordTable{"STOPPED": word.Failing},
	},
	{Group: "ray.io", Kind: "RayService"}: {Required: []string{"status.serviceStatus"}, States: []string{"status.serviceStatus"}},

	// Spark: https://github.com/kubeflow/spark-operator/blob/master/docs/api-docs.md
	{Group: "sparkoperator.k8s.io", Kind: "SparkApplication"}: {
		Required: []string{"status.applicationState.state"}, States: []string{"status.applicationState.state"}, Finite: conditionTrue,
	},
	{Group: "sparkoperator.k8s.io", Kind: "ScheduledSparkApplication"}: {
		Required: []string{"status.scheduleState"}, States: []string{"status.scheduleState"}, Words: wordTable{"Scheduled": word.Ready},
	},

	// The operator of Apache Spark: https://apache.github.io/spark-kubernetes-operator/. An
	// application releases its resources after it has ended, with success or not.
	{Group: "spark.apache.org", Kind: "SparkApplication"}: {
		Required: []string{"status.currentState"}, States: []string{"status.currentState.currentStateSummary"}, Finite: conditionTrue,
		Words: wordTable{
			"DriverRequested": word.Progressing, "DriverStarted": word.Progressing, "DriverReady": word.Progressing, "RunningHealthy": word.Progressing, "ScheduledToRestart": word.Progressing,
			"InitializedBelowThresholdExecutors": word.Progressing, "RunningWithBelowThresholdExecutors": word.Progressing, "RunningWithPartialCapacity": word.Progressing,
		},
	},
	{Group: "org.apache.spark", Kind: "SparkApplication"}: { // in the first versions
		Required: []string{"status.currentState"}, States: []string{"status.currentState.currentStateSummary"}, Finite: conditionTrue,
		Words: wordTable{"DRIVER_READY": word.Progressing, "DRIVER_STARTED": word.Progressing, "RUNNING_HEALTHY": word.Progressing},
	},
	{Group: "spark.apache.org", Kind: "SparkCluster"}: {
		Required: []string{"status.currentState"}, States: []string{"status.currentState.currentStateSummary"},
	},

	// Flink:
	// https://nightlies.apache.org/flink/flink-kubernetes-operator-docs-stable/docs/custom-resource/reference/.
	// A job in state CREATED does not run yet. After a rollback the job does not match the spec. A
	// missing JobManager is recreated.
	{Group: "flink.apache.org", Kind: "FlinkDeployment"}: {
		Required: []string{"status.jobManagerDeploymentStatus"}, Suspend: []string{"spec.job.state=suspended"},
		Words: wordTable{"CREATED": word.Progressing, "MISSING": word.Progressing, "ROLLED_BACK": word.Failing},
	},
	{Group: "flink.apache.org", Kind: "FlinkSessionJob"}: {
		Required: []string{"status.jobStatus"}, Suspend: []string{"spec.job.state=suspended"}, Finite: conditionFalse,
		Words: wordTable{"CREATED": word.Progressing, "ROLLED_BACK": word.Failing},
	},
	{Group: "flink.apache.org", Kind: "FlinkStateSnapshot"}: {Required: []string{"status.state"}, Finite: conditionTrue, Words: wordTable{"ABANDONED": word.Failing}},

	// Lyft's operator: https://github.com/lyft/flinkk8soperator/blob/master/docs/state_machine.md
	{Group: "flink.k8s.io", Kind: "FlinkApplication"}: {
		Required: []string{"status.phase"},
		Words:    wordTable{"DualRunning": word.Progressing},
	},
}
