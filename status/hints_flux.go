package status

// Flux: https://fluxcd.io/flux/components/, its operator:
// https://fluxoperator.dev/docs/crd/, and its controller for Terraform:
// https://flux-iac.github.io/tofu-controller/
//
// Their controllers write Ready, Reconciling and Stalled with an
// observedGeneration each, and default status.observedGeneration to -1, so Ready
// is there once they have looked.
var hintsFlux = hintTable{
	{Group: "source.toolkit.fluxcd.io"}: {Summary: ready},

	// A repository of type oci is only looked at by who uses it, and reports nothing.
	{Group: "source.toolkit.fluxcd.io", Kind: "HelmRepository"}: {Silent: true},

	{Group: "kustomize.toolkit.fluxcd.io"}: {Summary: ready},
	{Group: "helm.toolkit.fluxcd.io"}:      {Summary: ready},
	{Group: "image.toolkit.fluxcd.io"}:     {Summary: ready},

	// Alerts and Providers only configure, and since v1beta3 have no status.
	{Group: "notification.toolkit.fluxcd.io", Kind: "Receiver"}: {Summary: ready},

	{Group: "fluxcd.controlplane.io"}: {Summary: ready},

	// Flagger: https://docs.flagger.app/usage/how-it-works#canary-status
	{Group: "flagger.app", Kind: "Canary"}: {Required: []string{"status.phase"}},

	// A plan that waits to be approved leaves Ready Unknown. That the state is
	// locked is told in a condition of its own.
	{Group: "infra.contrib.fluxcd.io", Kind: "Terraform"}: {Summary: ready, Negative: []string{"StateLocked"}},
}

// ready is what sums most kinds up.
var ready = []string{"Ready"}
