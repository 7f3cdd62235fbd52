package status

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	engine "kstatus.dev/status"
)

// compatRules are the kinds that have a rule in cli-utils.
var compatRules = engine.CompatProfile().Rules()

// GetLegacyConditionsFn returns the function that computes a status by the rule for the kind of u
// alone. It returns nil if the kind has no rule in cli-utils.
func GetLegacyConditionsFn(u *unstructured.Unstructured) GetConditionsFn {
	kind := u.GroupVersionKind().GroupKind()
	rule, ok := compatRules[engine.Kind{Group: kind.Group, Kind: kind.Kind}]
	if !ok {
		return nil
	}
	e := engine.Evaluator{
		Profile:    engine.CompatRuleProfile(),
		SelectRule: func(engine.Kind, engine.Object, engine.KindRule) engine.KindRule { return rule },
	}
	return func(u *unstructured.Unstructured) (*Result, error) {
		if kind.Kind == "DaemonSet" { // the only kind whose rule reads the generation
			r, _, err := judgeCompat(e, u, readGenerations)
			return r, err
		}
		r, _, err := judgeCompat(e, u)
		return r, err
	}
}
