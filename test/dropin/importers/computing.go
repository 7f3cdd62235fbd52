package importers

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/cli-utils/pkg/object"
	"sigs.k8s.io/cli-utils/pkg/object/graph"
)

// summarize counts objects by status, as fleet, skaffold and operators do.
func summarize(objs []*unstructured.Unstructured) (map[status.Status]int, error) {
	counts := map[status.Status]int{}
	for _, s := range status.Statuses {
		counts[s] = 0
	}
	for _, u := range objs {
		var result *status.Result
		result, err := status.Compute(u)
		if err != nil {
			return nil, err
		}
		for _, c := range result.Conditions {
			if c.Type == status.ConditionStalled && c.Status == "True" {
				result = &status.Result{Status: status.FailedStatus, Message: c.Message, Conditions: []status.Condition{c}}
			}
		}
		counts[status.FromStringOrDie(result.Status.String())]++
	}
	return counts, nil
}

// sequence sorts objects, as pulumi-kubernetes does.
func sequence(objs object.UnstructuredSet) (ids []string, err error) {
	built, err := graph.DependencyGraph(objs)
	if err != nil {
		return nil, err
	}
	sets, err := built.Sort()
	if err != nil {
		return nil, err
	}
	for _, set := range graph.HydrateSetList(sets, objs) {
		for _, u := range set {
			ids = append(ids, object.UnstructuredToObjMetadata(u).String())
		}
	}
	return ids, nil
}

var _ = []any{summarize, sequence, status.Augment, status.GetIntField, status.GetStringField, status.ConditionReconciling, status.UnknownStatus}
