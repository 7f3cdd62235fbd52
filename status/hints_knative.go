package status

// Knative: https://knative.dev/docs/reference/api/serving-api/ KServe:
// https://kserve.github.io/website/latest/reference/api/
//
// The controllers write Ready, with an observedGeneration beside the conditions.
var hintsKnative = hintTable{
	{Group: "*.knative.dev"}: {Summary: []string{"Ready"}},
	// Ready is Unknown while Knative Serving works, and False when it has failed.
	{Group: "serving.knative.dev"}: {Summary: []string{"Ready"}, FailedIfFalse: []string{"Ready"}},
	// Without requests it has no Pods, and Active and Ready are False.
	{"autoscaling.internal.knative.dev", "PodAutoscaler"}: {
		Summary: []string{"ScaleTargetInitialized"},
		Neutral: []string{"Active", "Ready", "SKSReady"},
	},
	// The list of images to cache is only read by add-ons.
	{Group: "caching.internal.knative.dev"}: {StatusOptional: true},
	// KServe: while it loads a new version of a model, the former version is ready.
	{"serving.kserve.io", "InferenceService"}: {
		Summary: []string{"Ready"},
		States:  []string{"status.modelStatus.transitionStatus"},
	},
	{"serving.kserve.io", "InferenceGraph"}:      {Summary: []string{"Ready"}},
	{"serving.kserve.io", "LLMInferenceService"}: {Summary: []string{"Ready"}},
	{"serving.kserve.io", "TrainedModel"}:        {Summary: []string{"Ready"}},
	// The copies of a model are counted on the selected nodes.
	{"serving.kserve.io", "LocalModelCache"}:          hintModelCopies,
	{"serving.kserve.io", "LocalModelNamespaceCache"}: hintModelCopies,
	// A runtime is only read by the services that use it.
	{"serving.kserve.io", "ServingRuntime"}:        {StatusOptional: true},
	{"serving.kserve.io", "ClusterServingRuntime"}: {StatusOptional: true},
}

var hintModelCopies = &hint{
	Required: []string{"status.copies.total"},
	Counts:   []goal{{"status.copies.available", "status.copies.total"}},
	Errors:   []string{"status.copies.failed"},
}
