package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	capi "sigs.k8s.io/cluster-api/util/conditions"

	"kstatus.dev/kube/conditions"
)

// agreement counts the states of three parts: one good when True, one bad when True, one that
// may be missing. It compares the summaries of kstatus and Cluster API. It counts the states
// with the same status and, with the reasons of Cluster API's kinds, the same reason.
func agreement() (states, status, reason int, err error) {
	set := conditions.MustSet(
		conditions.Summary(ready, serverUp, degraded, "Scanned").WithReasons("Ready", "NotReady", "ReadyUnknown"),
		conditions.Positive(serverUp).OwnedBy("others"),
		conditions.Negative(degraded).OwnedBy("others"),
		conditions.Positive("Scanned").OwnedBy("others").IgnoreIfMissing(),
	)
	all := []metav1.ConditionStatus{"", metav1.ConditionTrue, metav1.ConditionFalse, metav1.ConditionUnknown}
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				s := &Server{ObjectMeta: metav1.ObjectMeta{Generation: 1}}
				for i, status := range []metav1.ConditionStatus{a, b, c} {
					if status != "" {
						s.Status.Conditions = append(s.Status.Conditions, metav1.Condition{
							Type: []string{serverUp, degraded, "Scanned"}[i], Status: status, Reason: "Given"})
					}
				}
				ours, theirs, err := bothSummaries(set, s)
				if err != nil {
					return 0, 0, 0, err
				}
				states++
				if ours.Status == theirs.Status {
					status++
				}
				if ours.Status == theirs.Status && ours.Reason == theirs.Reason {
					reason++
				}
			}
		}
	}
	return states, status, reason, nil
}

func bothSummaries(set *conditions.Set, s *Server) (ours, theirs metav1.Condition, err error) {
	summary, err := capi.NewSummaryCondition(s, ready,
		capi.ForConditionTypes{serverUp, degraded, "Scanned"},
		capi.IgnoreTypesIfMissing{"Scanned"},
		capi.CustomMergeStrategy{MergeStrategy: capi.DefaultMergeStrategy(
			capi.GetPriorityFunc(capi.GetDefaultMergePriorityFunc(degraded)),
			capi.ComputeReasonFunc(capi.GetDefaultComputeMergeReasonFunc("NotReady", "ReadyUnknown", "Ready")))})
	if err != nil {
		return ours, theirs, err
	}
	list := s.GetConditions()
	pass := set.BeginInMemory(&list, s.Generation)
	return pass.Get(ready), *summary, nil
}
