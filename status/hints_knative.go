package status

// Knative: https://knative.dev/docs/reference/api/serving-api/
// KServe: https://kserve.github.io/website/latest/reference/api/
//
// Their controllers write Ready, with an observedGeneration beside the
// conditions.
var hintsKnative = hintTable{
	{Group: "*.knative.dev"}: {Summary: []string{"Ready"}},
	// Knative Serving says Unknown while it works, and False when it has failed.
	{Group: "serving.knative.dev"}: {Summary: []string{"Ready"}, Strict: []string{"Ready"}},
	// Without requests there are no Pods, which Active and Ready tell as False.
	{"autoscaling.internal.knative.dev", "PodAutoscaler"}: {
		Summary: []string{"ScaleTargetInitialized"},
		Neutral: []string{"Active", "Ready", "SKSReady"},
	},
	// Which images are to be held ready is only looked at by other add-ons.
	{Group: "caching.internal.knative.dev"}: {Silent: true},
	// KServe: while a new version of a model is loaded the former one is ready.
	{"serving.kserve.io", "InferenceService"}: {
		Summary: []string{"Ready"},
		States:  []string{"status.modelStatus.transitionStatus"},
	},
	{"serving.kserve.io", "InferenceGraph"}:      {Summary: []string{"Ready"}},
	{"serving.kserve.io", "LLMInferenceService"}: {Summary: []string{"Ready"}},
	{"serving.kserve.io", "TrainedModel"}:        {Summary: []string{"Ready"}},
	// A model is counted on the nodes that are to have it.
	{"serving.kserve.io", "LocalModelCache"}:          hintModelCopies,
	{"serving.kserve.io", "LocalModelNamespaceCache"}: hintModelCopies,
	// A runtime is only looked at by what it is to run.
	{"serving.kserve.io", "ServingRuntime"}:        {Silent: true},
	{"serving.kserve.io", "ClusterServingRuntime"}: {Silent: true},
}

var hintModelCopies = &hint{
	Required: []string{"status.copies.total"},
	Counts:   []goal{{"status.copies.available", "status.copies.total"}},
	Errors:   []string{"status.copies.failed"},
}
