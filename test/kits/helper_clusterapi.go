package main

import (
	"context"

	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/cluster-api/util/patch"
	capi "sigs.k8s.io/cluster-api/util/paused"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// clusterAPI is util/conditions, util/patch and util/paused as the controllers of Cluster API
// use them. First comes paused, which ends the reconcile if it has written. Then come a patch
// helper, a summary, and one Patch at the end. The Patch lists the owned types, and sets the
// observed generation if the reconcile has not failed.
func clusterAPI(ctx context.Context, c client.Client, s *Server, f facts) (again bool, err error) {
	if stop, again, err := capi.EnsurePausedCondition(ctx, c, nil, s); err != nil || stop || again {
		return again && !stop, err
	}
	helper, err := patch.NewHelper(s, c)
	if err != nil {
		return false, err
	}
	for _, found := range f.found {
		conditions.Set(s, found)
	}
	f.rest(s)
	err = conditions.SetSummaryCondition(s, s, ready,
		conditions.ForConditionTypes{serverUp, degraded},
		conditions.NegativePolarityConditionTypes{degraded})
	if err != nil {
		return false, err
	}
	options := []patch.Option{patch.WithOwnedConditions{Conditions: []string{"Paused", ready, serverUp, degraded}}}
	if f.err == nil {
		options = append(options, patch.WithStatusObservedGeneration{})
	}
	return false, helper.Patch(ctx, s, options...)
}
