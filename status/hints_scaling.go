package status

// Autoscalers.
//
// KEDA: https://keda.sh/docs/latest/reference/
// Autoscaler: https://github.com/kubernetes/autoscaler
var hintsScaling = hintTable{
	// KEDA: without work what it scales is asleep, and with a fallback it scales
	// without knowing how much there is.
	{"keda.sh", "ScaledObject"}: hintKEDA,
	{"keda.sh", "ScaledJob"}:    hintKEDA,
	// How to log in is only looked at by who uses it.
	{"keda.sh", "TriggerAuthentication"}:        {Silent: true},
	{"keda.sh", "ClusterTriggerAuthentication"}: {Silent: true},
	// A recommendation may rest on few samples.
	{"autoscaling.k8s.io", "VerticalPodAutoscaler"}: {
		Summary: []string{"RecommendationProvided"},
		Neutral: []string{"LowConfidence"},
	},
	// A request is accepted before there is room; the room is held for a while.
	{"autoscaling.x-k8s.io", "ProvisioningRequest"}: {
		Summary: []string{"Provisioned"},
		Patient: []string{"Provisioned"},
		Neutral: []string{"BookingExpired"},
	},
	// A buffer is provisioned all the time, so that it stays there.
	{"autoscaling.x-k8s.io", "CapacityBuffer"}: {
		Summary:  []string{"ReadyForProvisioning"},
		Positive: []string{"Provisioning"},
	},
}

var hintKEDA = &hint{
	Summary: []string{"Ready"},
	Neutral: []string{"Active", "Fallback"},
}
