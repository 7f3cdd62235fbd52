package main

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// controllerDelay is the delay of the controller of Gadgets.
const controllerDelay = 2 * time.Second

// runController is the controller of Gadgets. It reads all of them at intervals. It first reports
// progress on a generation, and then success.
func (s *soakRun) runController(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(controllerDelay):
		}
		list, err := s.objects.Resource(gadgets).Namespace(stableNamespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			continue // the server is not available
		}
		for i := range list.Items {
			s.reconcile(ctx, &list.Items[i])
		}
	}
}

// reconcile advances a Gadget by one step.
func (s *soakRun) reconcile(ctx context.Context, g *unstructured.Unstructured) {
	observed, _, _ := unstructured.NestedInt64(g.Object, "status", "observedGeneration")
	ready := "False"
	if observed == g.GetGeneration() {
		if list, _, _ := unstructured.NestedSlice(g.Object, "status", "conditions"); len(list) == 1 && list[0].(map[string]any)["status"] == "True" {
			return
		}
		ready = "True"
	}
	g.Object["status"] = map[string]any{
		"observedGeneration": g.GetGeneration(),
		"conditions": []any{map[string]any{"type": "Ready", "status": ready, "reason": "Soak", "message": "step by step",
			"observedGeneration": g.GetGeneration()}},
	}
	// The next pass handles an object that was changed in between.
	_, _ = s.objects.Resource(gadgets).Namespace(stableNamespace).UpdateStatus(ctx, g, metav1.UpdateOptions{})
}
