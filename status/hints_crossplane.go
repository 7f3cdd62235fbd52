package status

import "slices"

// Crossplane: https://docs.crossplane.io/latest/concepts/managed-resources/
//
// Managed resources represent external resources; composite resources and claims are built from
// them. All have the condition Synced, which reports whether the last reconcile succeeded, and
// Ready, which reports whether the external resource is ready to use. While Ready is False a
// resource is created, changed or deleted, also with the reason Unavailable. Errors are in
// Synced, and those of asynchronous calls in LastAsyncOperation.
var crossplaneResource = &hint{
	Summary:         []string{"Synced", "Ready"},
	OptionalSummary: []string{"LastAsyncOperation"},
	ProgressIfFalse: []string{"Ready"},
	Paused:          "crossplane.io/paused",
}

// Every package, and every provider's API, may have its own group.
var hintsCrossplane = hintTable{
	{Group: "*.crossplane.io"}: crossplaneResource,
	{Group: "*.upbound.io"}:    crossplaneResource,

	// Upbound's own kinds do not belong to its providers.
	{Group: "*.spaces.upbound.io"}: {Paused: "crossplane.io/paused"},

	// Its controller counts the users of the configuration, if it has any.
	{Group: "*.crossplane.io", Kind: "*Config"}: {StatusOptional: true},
	{Group: "*.upbound.io", Kind: "*Config"}:    {StatusOptional: true},
	{Group: "*.crossplane.io", Kind: "*Usage"}:  {StatusOptional: true},
	{Group: "*.upbound.io", Kind: "*Usage"}:     {StatusOptional: true},

	// Offered is about claims, and exists only if the definition has claims.
	{Group: "apiextensions.crossplane.io", Kind: "CompositeResourceDefinition"}: {Summary: []string{"Established"}},
	// An inactive definition has no CustomResourceDefinition, by design.
	{Group: "apiextensions.crossplane.io", Kind: "ManagedResourceDefinition"}: {
		Summary: []string{"Established"}, Suspend: []string{"spec.state=Inactive"},
	},
	{Group: "apiextensions.crossplane.io", Kind: "*Usage"}:    {Summary: []string{"Ready"}},
	{Group: "apiextensions.crossplane.io", Kind: "*Revision"}: {StatusOptional: true},
	{Group: "apiextensions.crossplane.io"}:                    {Paused: "crossplane.io/paused"},

	{Group: "pkg.crossplane.io", Kind: "*Revision"}: {
		Summary: []string{"RevisionHealthy|Healthy"}, OptionalSummary: []string{"RuntimeHealthy"},
		ProgressIfFalse: []string{"RuntimeHealthy"}, Neutral: []string{"RuntimeActive"},
		Suspend: []string{"spec.desiredState=Inactive"},
	},
	{Group: "pkg.crossplane.io"}:                        {Summary: []string{"Installed", "Healthy"}, Paused: "crossplane.io/paused"},
	{Group: "pkg.crossplane.io", Kind: "Lock"}:          {StatusOptional: true},
	{Group: "pkg.crossplane.io", Kind: "*Config"}:       {StatusOptional: true},
	{Group: "protection.crossplane.io", Kind: "*Usage"}: {Summary: []string{"Ready"}},
	{Group: "ops.crossplane.io"}:                        {Summary: []string{"Synced"}},
	{Group: "ops.crossplane.io", Kind: "Operation"}:     {Summary: []string{"Synced", "Succeeded"}},
}

// crossplaneFields are the fields of a spec that only Crossplane's composite resources, claims
// and managed resources have: the composition, or the settings of the provider. Users define
// these kinds, so their groups are not known.
var crossplaneFields = [...]string{
	"forProvider", "crossplane", "compositionRef", "compositionSelector", "compositionRevisionRef", "compositionUpdatePolicy", "compositeDeletePolicy",
}

// recognize returns the hint for an object whose kind has none, if its spec shows the project of
// its controller; else nil.
func (ev *evaluation) recognize() *hint {
	if len(ev.spec) <= len(crossplaneFields) { // iterating over a small map is faster than these lookups
		for field, v := range ev.spec {
			if v != nil && slices.Contains(crossplaneFields[:], field) {
				return crossplaneResource
			}
		}
		return nil
	}
	for _, field := range crossplaneFields {
		if ev.spec[field] != nil {
			return crossplaneResource
		}
	}
	return nil
}
