package status

// Autoscalers.
//
// KEDA: https://keda.sh/docs/latest/reference/
// Autoscaler: https://github.com/kubernetes/autoscaler
var hintsScaling = hintTable{
	// KEDA: without work the target is scaled to zero. With a fallback it scales without metrics.
	{"keda.sh", "ScaledObject"}: hintKEDA,
	{"keda.sh", "ScaledJob"}:    hintKEDA,
	// Credentials are only read by the objects that use them.
	{"keda.sh", "TriggerAuthentication"}:        {StatusOptional: true},
	{"keda.sh", "ClusterTriggerAuthentication"}: {StatusOptional: true},
	// A recommendation may have low confidence.
	{"autoscaling.k8s.io", "VerticalPodAutoscaler"}: {
		Summary: []string{"RecommendationProvided"},
		Neutral: []string{"LowConfidence"},
	},
	// A request is accepted before capacity exists; the capacity is reserved for a limited time.
	{"autoscaling.x-k8s.io", "ProvisioningRequest"}: {
		Summary:         []string{"Provisioned"},
		ProgressIfFalse: []string{"Provisioned"},
		Neutral:         []string{"BookingExpired"},
	},
	// A buffer is provisioned continuously.
	{"autoscaling.x-k8s.io", "CapacityBuffer"}: {
		Summary:  []string{"ReadyForProvisioning"},
		Positive: []string{"Provisioning"},
	},
}

// Its conditions have no times. In each rollout, the HPA has no metrics of new Pods for a while.
var hintKEDA = &hint{
	Summary:        []string{"Ready"},
	Neutral:        []string{"Active", "Fallback"},
	PassingReasons: []string{"HPAMetricsUnavailable"},
}
