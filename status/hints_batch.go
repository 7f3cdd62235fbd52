package status

import "kstatus.dev/status/internal/word"

// Kinds that run to completion, and kinds that admit them.
var hintsBatch = hintTable{
	// Tekton: https://tekton.dev/docs/pipelines/pipelineruns/#monitoring-execution-status.
	// Succeeded is Unknown while a run goes on, and False only at its end.
	{Group: "tekton.dev", Kind: "*Run"}: {
		Summary: succeeded, FailedIfFalse: succeeded, Suspend: []string{"spec.status=PipelineRunPending"},
	},
	// A template of runs, which is not run itself: https://docs.testkube.io/articles/crds-reference
	{Group: "testworkflows.testkube.io", Kind: "TestWorkflow"}: {StatusOptional: true, Finite: conditionFalse},

	{Group: "resolution.tekton.dev", Kind: "ResolutionRequest"}: {Summary: succeeded, FailedIfFalse: succeeded},
	{Group: "operator.tekton.dev"}:                              {Summary: ready},

	// An EventListener that is not served by a Deployment copies the conditions of its Knative
	// Service.
	{Group: "triggers.tekton.dev", Kind: "EventListener"}: {Summary: []string{"Available|Ready"}},

	{Group: "pipelinesascode.tekton.dev", Kind: "Repository"}: {StatusOptional: true},

	// Kueue: https://kueue.sigs.k8s.io/docs/reference/kueue.v1beta1/. A queued workload waits for
	// quota by design, whatever the reason.
	{Group: "kueue.x-k8s.io", Kind: "Workload"}: {
		Summary: []string{"Admitted"}, ProgressIfFalse: []string{"QuotaReserved", "Admitted", "PodsReady"},
		Progress: []string{"Evicted", "Preempted"}, Neutral: []string{"Requeued"},
	},
	{Group: "kueue.x-k8s.io", Kind: "ClusterQueue"}:      {Summary: activeOnes, Suspend: []string{"spec.stopPolicy=Hold", "spec.stopPolicy=HoldAndDrain"}},
	{Group: "kueue.x-k8s.io", Kind: "LocalQueue"}:        {Summary: activeOnes, Suspend: []string{"spec.stopPolicy=Hold", "spec.stopPolicy=HoldAndDrain"}},
	{Group: "kueue.x-k8s.io", Kind: "AdmissionCheck"}:    {Summary: activeOnes},
	{Group: "kueue.x-k8s.io", Kind: "MultiKueueCluster"}: {Summary: activeOnes},

	// Kubeflow: https://www.kubeflow.org/docs/components/trainer/legacy-v1/reference/ and
	// https://www.kubeflow.org/docs/components/katib/reference/. Created and Running do not mean
	// completed.
	{Group: "kubeflow.org", Kind: "*Job"}: {
		Summary: succeeded, Progress: underWay, Neutral: []string{"Created"}, Suspend: []string{"spec.runPolicy.suspend"},
	},
	{Group: "kubeflow.org", Kind: "Experiment"}: {Summary: succeeded, Progress: underWay, Neutral: []string{"Created"}},
	{Group: "kubeflow.org", Kind: "Trial"}: {
		Summary: []string{"Succeeded|EarlyStopped"}, Negative: []string{"Killed", "MetricsUnavailable"},
		Neutral: []string{"Created", "Running"},
	},
	{Group: "kubeflow.org", Kind: "Suggestion"}: {Summary: []string{"DeploymentReady|Succeeded"}, Neutral: []string{"Created"}},

	// A Notebook is one Pod, until an annotation stops it.
	{Group: "kubeflow.org", Kind: "Notebook"}: {Required: []string{"status.readyReplicas"}, Paused: "kubeflow-resource-stopped", Ignore: []string{"conditions"}},

	{Group: "trainer.kubeflow.org", Kind: "TrainJob"}: {Summary: []string{"Complete"}},

	// k6: https://grafana.com/docs/k6/latest/set-up/set-up-distributed-k6/
	{Group: "k6.io", Kind: "TestRun"}: {
		Required: []string{"status.stage"}, States: []string{"status.stage"}, Words: wordTable{"initialization": word.Progressing, "created": word.Progressing, "stopped": word.Failing},
	},

	// Volcano: https://volcano.sh/en/docs/vcjob/ and .../podgroup/. The conditions of a Job are its
	// past phases. Unschedulable remains in a PodGroup after it was scheduled.
	{Group: "batch.volcano.sh", Kind: "Job"}: {
		Required: []string{"status.state.phase"}, States: []string{"status.state.phase"}, Ignore: []string{"conditions"}, Words: wordTable{"Terminated": word.Failing},
	},
	{Group: "flow.volcano.sh", Kind: "JobFlow"}:        {Required: []string{"status.state.phase"}, States: []string{"status.state.phase"}, Finite: conditionTrue},
	{Group: "scheduling.volcano.sh", Kind: "PodGroup"}: {Required: []string{"status.phase"}, Words: wordTable{"Inqueue": word.Progressing}, Neutral: []string{"Unschedulable"}},
}

var (
	succeeded  = []string{"Succeeded"}
	underWay   = []string{"Running", "Restarting"}
	activeOnes = []string{"Active"}
)
