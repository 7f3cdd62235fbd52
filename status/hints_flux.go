package status

// Flux: https://fluxcd.io/flux/components/
//
// Its controllers write Ready, Reconciling and Stalled with an observedGeneration
// each, and default status.observedGeneration to -1.
var hintsFlux = Hints{
	// A repository of type oci is only looked at by who uses it, and reports nothing.
	{Group: "source.toolkit.fluxcd.io", Kind: "HelmRepository"}: {Silent: true},
}
