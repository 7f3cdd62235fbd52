package conditions

import (
	"encoding/json"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// ServerSideApply commits by server-side apply, so that managedFields names the
// owner of each condition. A commit that removes a field is a merge patch,
// because apply only removes fields that the same owner has applied.
type ServerSideApply struct {
	// FieldOwner is the field manager of this controller. It is required.
	FieldOwner string
	// Fields are the other fields of the status that this controller owns.
	// Conditions, observedGeneration and initialization are always included.
	Fields []string
}

// apply returns the request that applies all fields of this controller. ok is
// false if the commit has to remove something.
func (p *Pass) apply(base *snapshot, t *target, changes map[string]any) (patch Patch, ok bool, err error) {
	a := p.set.options.ServerSideApply
	if removes(changes) || p.needsRemoval(base, t) {
		return Patch{}, false, nil
	}
	kind := p.kind()
	if kind.Kind == "" {
		return Patch{}, false, fmt.Errorf("%s: apply of the status: the object has no kind: set Options.Kind", p.describe())
	}
	fields := append([]string{"conditions", "observedGeneration", "initialization"}, a.Fields...)
	for _, key := range sortedKeys(changes) {
		if !slices.Contains(fields, key) {
			return Patch{}, false, fmt.Errorf("%s: apply of the status: status.%s was changed, but is not in ServerSideApply.Fields", p.describe(), key)
		}
	}
	ours := slices.DeleteFunc(slices.Clone(t.entries), func(e entry) bool {
		d, known := p.set.Lookup(e.Type)
		return !known || !d.isOurs()
	})
	own, err := statusWith(base.object, ours)
	if err != nil {
		return Patch{}, false, err
	}
	status := map[string]any{"conditions": own["conditions"]}
	if own["conditions"] == nil {
		return Patch{}, false, &MissingError{Object: p.describe(), Field: "status.conditions", Remedy: "commit by merge patch, without Options.ServerSideApply"}
	}
	for _, key := range fields[1:] {
		if v, exists := t.status[key]; exists {
			status[key] = v
		}
	}
	body := map[string]any{
		"apiVersion": kind.GroupVersion().String(), "kind": kind.Kind,
		"metadata": map[string]any{"name": p.obj.GetName(), "uid": string(base.uid), "resourceVersion": base.version},
		"status":   status,
	}
	if ns := p.obj.GetNamespace(); ns != "" {
		body["metadata"].(map[string]any)["namespace"] = ns
	}
	data, err := json.Marshal(body)
	return Patch{Type: types.ApplyPatchType, Data: data, FieldOwner: a.FieldOwner, Force: true}, true, err
}

// needsRemoval reports whether the commit removes a stored condition.
func (p *Pass) needsRemoval(base *snapshot, t *target) bool {
	return len(base.duplicated) > 0 || slices.ContainsFunc(base.entries, func(e entry) bool {
		_, kept := find(t.entries, e.Type)
		return !kept
	})
}

// kind returns the kind from the object or from the options. It may be empty.
func (p *Pass) kind() schema.GroupVersionKind {
	if k := p.set.options.Kind; !k.Empty() {
		return k
	}
	return p.obj.GetObjectKind().GroupVersionKind()
}
