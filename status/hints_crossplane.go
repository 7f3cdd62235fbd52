package status

import "slices"

// Crossplane: https://docs.crossplane.io/latest/concepts/managed-resources/
//
// What its providers make of the world outside are managed resources, what users
// make of those are composite resources and claims to them. All have the
// condition Synced, which tells whether the last reconcile succeeded, and Ready,
// which tells whether what they stand for is there to be used. While Ready is
// False something is made, changed or deleted, also with the reason Unavailable:
// errors are told by Synced, and those of calls that go on in the background by
// LastAsyncOperation.
var crossplaneResource = &hint{
	Summary: []string{"Synced", "Ready"},
	Also:    []string{"LastAsyncOperation"},
	Patient: []string{"Ready"},
	Paused:  "crossplane.io/paused",
}

// Every package, and every provider's API, may have a group of its own.
var hintsCrossplane = hintTable{
	{Group: "*.crossplane.io"}: crossplaneResource,
	{Group: "*.upbound.io"}:    crossplaneResource,

	// Upbound's own kinds are none of its providers'.
	{Group: "*.spaces.upbound.io"}: {Paused: "crossplane.io/paused"},

	// Its controller counts who uses it, if it is used at all.
	{Group: "*.crossplane.io", Kind: "*Config"}: {Silent: true},
	{Group: "*.upbound.io", Kind: "*Config"}:    {Silent: true},
	{Group: "*.crossplane.io", Kind: "*Usage"}:  {Silent: true},
	{Group: "*.upbound.io", Kind: "*Usage"}:     {Silent: true},

	// Offered is about claims, and there only if the definition has some.
	{Group: "apiextensions.crossplane.io", Kind: "CompositeResourceDefinition"}: {Summary: []string{"Established"}},
	// One that is not active has no CustomResourceDefinition, as it asks.
	{Group: "apiextensions.crossplane.io", Kind: "ManagedResourceDefinition"}: {
		Summary: []string{"Established"}, Suspend: []string{"spec.state=Inactive"},
	},
	{Group: "apiextensions.crossplane.io", Kind: "*Usage"}:    {Summary: []string{"Ready"}},
	{Group: "apiextensions.crossplane.io", Kind: "*Revision"}: {Silent: true},
	{Group: "apiextensions.crossplane.io"}:                    {Paused: "crossplane.io/paused"},

	{Group: "pkg.crossplane.io", Kind: "*Revision"}: {
		Summary: []string{"RevisionHealthy|Healthy"}, Also: []string{"RuntimeHealthy"},
		Patient: []string{"RuntimeHealthy"}, Neutral: []string{"RuntimeActive"},
		Suspend: []string{"spec.desiredState=Inactive"},
	},
	{Group: "pkg.crossplane.io"}:                        {Summary: []string{"Installed", "Healthy"}, Paused: "crossplane.io/paused"},
	{Group: "pkg.crossplane.io", Kind: "Lock"}:          {Silent: true},
	{Group: "pkg.crossplane.io", Kind: "*Config"}:       {Silent: true},
	{Group: "protection.crossplane.io", Kind: "*Usage"}: {Summary: []string{"Ready"}},
	{Group: "ops.crossplane.io"}:                        {Summary: []string{"Synced"}},
	{Group: "ops.crossplane.io", Kind: "Operation"}:     {Summary: []string{"Synced", "Succeeded"}},
}

// The fields of a spec that only Crossplane's composite resources, claims and
// managed resources have: which composition makes it, or what is asked of its
// provider. Anybody may have made their kinds.
var crossplaneFields = [...]string{
	"forProvider", "crossplane", "compositionRef", "compositionSelector", "compositionRevisionRef", "compositionUpdatePolicy", "compositeDeletePolicy",
}

// recognize returns the hint for an object whose kind has none, if the spec shows
// which project its controller is of; else nil.
func (ev *evaluation) recognize() *hint {
	if len(ev.spec) <= len(crossplaneFields) { // to go through a small map takes less than to look for each of these
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
