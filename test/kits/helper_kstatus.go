package main

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/kube/conditions"
	"kstatus.dev/kube/conditions/ctrl"
	"kstatus.dev/kube/conditions/wellknown"
)

var set = conditions.MustSet(
	conditions.Summary(wellknown.TypeReady, serverUp, degraded),
	conditions.Positive(serverUp),
	conditions.Negative(degraded),
	conditions.Neutral(wellknown.TypePaused),
)

// ours is package kube/conditions, as its package documentation shows.
func ours(ctx context.Context, c client.Client, s *Server, f facts) (bool, error) {
	pass, err := set.Begin(s)
	if err != nil {
		return false, err
	}
	if isPaused(s) {
		pass.Pause("Annotated", "")
	}
	for _, found := range f.found {
		pass.Set(found)
	}
	if f.provisioned {
		pass.MarkInitialized("provisioned")
	}
	s.Status.Addresses = f.addresses
	pass.Fail(f.err)
	_, err = pass.Commit(ctx, ctrl.NewWriter(c, c))
	return false, err
}
