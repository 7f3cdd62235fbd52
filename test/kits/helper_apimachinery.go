package main

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// apimachinery is meta.SetStatusCondition and one Update of the status, which is omitted if
// nothing differs from the read object. At the first visit all types are Unknown, as the API
// conventions require and Kubebuilder's samples do. The package leaves the summary,
// observedGeneration and the comparison to its user; this file implements them with care.
func apimachinery(ctx context.Context, c client.Client, s *Server, f facts) (bool, error) {
	before := s.DeepCopy()
	say := func(condition metav1.Condition) {
		condition.ObservedGeneration = s.Generation
		meta.SetStatusCondition(&s.Status.Conditions, condition)
	}
	if isPaused(s) {
		say(metav1.Condition{Type: paused, Status: metav1.ConditionTrue, Reason: "Annotated"})
	} else {
		for _, typ := range []string{ready, serverUp, degraded} {
			if meta.FindStatusCondition(s.Status.Conditions, typ) == nil {
				say(metav1.Condition{Type: typ, Status: metav1.ConditionUnknown, Reason: "Reconciling"})
			}
		}
		for _, found := range f.found {
			say(found)
		}
		say(readyOf(s))
		say(metav1.Condition{Type: paused, Status: metav1.ConditionFalse, Reason: "NotPaused"})
		f.rest(s)
		s.Status.ObservedGeneration = s.Generation
	}
	if equality.Semantic.DeepEqual(before.Status, s.Status) {
		return false, nil
	}
	return false, c.Status().Update(ctx, s)
}
