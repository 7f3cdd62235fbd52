package main

import (
	"context"

	"github.com/fluxcd/pkg/runtime/conditions"
	"github.com/fluxcd/pkg/runtime/patch"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// flux is runtime/conditions and runtime/patch as the documentation of patch.Helper shows:
// Reconciling while work remains, and one Patch at the end. The Patch lists the owned types,
// and sets the observed generation if the reconcile has not failed. A suspended object is left
// alone; no condition exists for it.
func flux(ctx context.Context, c client.Client, s *Server, f facts) (bool, error) {
	if isPaused(s) {
		return false, nil
	}
	helper, err := patch.NewHelper(s, c)
	if err != nil {
		return false, err
	}
	for _, found := range f.found {
		conditions.Set(s, &found)
	}
	f.rest(s)
	conditions.SetSummary(s, ready,
		conditions.WithConditions(serverUp, degraded),
		conditions.WithNegativePolarityConditions(degraded))
	options := []patch.Option{patch.WithOwnedConditions{Conditions: []string{ready, "Reconciling", "Stalled", serverUp, degraded}}}
	switch up := conditions.Get(s, serverUp); {
	case f.err != nil:
		conditions.MarkReconciling(s, "Retrying", "%s", f.err)
	case conditions.IsReady(s):
		conditions.Delete(s, "Reconciling")
		conditions.Delete(s, "Stalled")
	case up != nil && up.Status != metav1.ConditionTrue:
		conditions.MarkReconciling(s, up.Reason, "%s", up.Message)
	}
	if f.err == nil {
		options = append(options, patch.WithStatusObservedGeneration{})
	}
	return false, helper.Patch(ctx, s, options...)
}
