package status

// Flux: https://fluxcd.io/flux/components/, its operator: https://fluxoperator.dev/docs/crd/,
// and its controller for Terraform: https://flux-iac.github.io/tofu-controller/
//
// The controllers write Ready, Reconciling and Stalled with an observedGeneration each. The
// default of status.observedGeneration is -1, so Ready exists after the first reconcile.
var hintsFlux = hintTable{
	{Group: "source.toolkit.fluxcd.io"}: {Summary: ready},

	// A repository of type oci has no controller of its own and reports nothing.
	{Group: "source.toolkit.fluxcd.io", Kind: "HelmRepository"}: {StatusOptional: true},

	{Group: "kustomize.toolkit.fluxcd.io"}: {Summary: ready},
	{Group: "helm.toolkit.fluxcd.io"}:      {Summary: ready},
	{Group: "image.toolkit.fluxcd.io"}:     {Summary: ready},

	// Alerts and Providers are only configuration, and have no status since v1beta3.
	{Group: "notification.toolkit.fluxcd.io", Kind: "Receiver"}: {Summary: ready},

	{Group: "fluxcd.controlplane.io"}: {Summary: ready},

	// Flagger: https://docs.flagger.app/usage/how-it-works#canary-status
	{Group: "flagger.app", Kind: "Canary"}: {Required: []string{"status.phase"}},

	// A plan that waits for approval leaves Ready Unknown. A locked state has its own condition.
	{Group: "infra.contrib.fluxcd.io", Kind: "Terraform"}: {Summary: ready, Negative: []string{"StateLocked"}},
}

// ready is the summary of most kinds.
var ready = []string{"Ready"}
