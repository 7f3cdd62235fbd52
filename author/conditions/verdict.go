package conditions

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"kstatus.dev/status"
)

// Verdict returns the status that readers will compute once this pass is
// committed. The zero Evaluator is the default profile of kstatus;
// status.CompatProfile() is the profile of cli-utils. The error says why the
// object cannot be evaluated.
func (p *Pass) Verdict(by status.Evaluator) (*status.Result, error) {
	if p.obj == nil {
		return nil, fmt.Errorf("verdict on a plain list of conditions: want an object")
	}
	changes, err := p.changes()
	if err != nil {
		return nil, err
	}
	t, err := p.target(p.base, changes, maxMessage)
	if err != nil {
		return nil, err
	}
	content, err := contentOf(p.obj)
	if err != nil {
		return nil, err
	}
	if kind := p.kind(); !kind.Empty() {
		content["apiVersion"], content["kind"] = kind.ToAPIVersionAndKind()
	}
	content["status"] = t.status
	return by.Compute(status.Map(content))
}

// contentOf converts a whole object to JSON.
func contentOf(obj Object) (map[string]any, error) {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return plainMap(u.Object), nil
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, fmt.Errorf("%s: as JSON: %w", describe(obj), err)
	}
	return content, nil
}
