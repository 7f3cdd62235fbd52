package main

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// lateness is how long the controller of Gadgets takes to look.
const lateness = 2 * time.Second

// control is the controller of Gadgets. It looks at all of them now and then, and first
// says that it works on a generation, then that it is done.
func (s *stage) control(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(lateness):
		}
		list, err := s.objects.Resource(gadgets).Namespace(home).List(ctx, metav1.ListOptions{})
		if err != nil {
			continue // the server is away
		}
		for i := range list.Items {
			s.reconcile(ctx, &list.Items[i])
		}
	}
}

// reconcile brings a Gadget one step forward.
func (s *stage) reconcile(ctx context.Context, g *unstructured.Unstructured) {
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
	// Of one that was changed meanwhile the next look takes care.
	_, _ = s.objects.Resource(gadgets).Namespace(home).UpdateStatus(ctx, g, metav1.UpdateOptions{})
}
