package wait

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// identify returns which object of a cluster obj is, and which version of it.
func (r Resolver) identify(obj runtime.Object) (observe.Target, observe.Floor, error) {
	if v := reflect.ValueOf(obj); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return observe.Target{}, observe.Floor{}, errors.New("identify an object: it is nil")
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return observe.Target{}, observe.Floor{}, fmt.Errorf("identify a %T: it has no metadata of an object; of a list, give the items", obj)
	}
	t := observe.Target{Namespace: m.GetNamespace(), Name: m.GetName()}
	kind, err := r.kindOf(obj)
	if err != nil {
		return t, observe.Floor{}, fmt.Errorf("identify %T %q: %w", obj, t.Name, err)
	}
	t.Kind = status.Kind{Group: kind.Group, Kind: kind.Kind}
	if t.Name == "" {
		return t, observe.Floor{}, fmt.Errorf("identify %s: metadata.name: want a name, have none; the object that the API server returned has one", kind.Kind)
	}
	return t, observe.Floor{UID: string(m.GetUID()), Generation: m.GetGeneration(), ResourceVersion: m.GetResourceVersion()}, nil
}

// kindOf returns the kind of an object. Typed clients leave it empty in what
// they return; then the Scheme knows it by the type.
func (r Resolver) kindOf(obj runtime.Object) (schema.GroupVersionKind, error) {
	kind := obj.GetObjectKind().GroupVersionKind()
	switch _, bare := obj.(runtime.Unstructured); {
	case kind.Kind != "":
		return kind, nil
	case bare:
		return kind, errors.New("kind: want a string, have none")
	case r.Scheme == nil:
		return kind, errors.New("apiVersion and kind are not set, and the Resolver has no Scheme that knows its type; " +
			"set Resolver.Scheme, for built-in kinds to Scheme of k8s.io/client-go/kubernetes/scheme")
	}
	kinds, _, err := r.Scheme.ObjectKinds(obj)
	if err != nil {
		return kind, fmt.Errorf("apiVersion and kind are not set, and Resolver.Scheme does not tell them: %w", err)
	}
	return kinds[0], nil
}

// unknown returns the result for what could not be looked at.
func unknown(t observe.Target, reason string, err error) Result {
	r := Result{Target: t, Result: status.Result{Status: status.UnknownStatus, Reason: reason, Confidence: status.Explicit}, Err: err}
	if err != nil {
		r.Result.Message = err.Error()
	}
	return r
}

// members returns, sorted, what was not asked for by name but is of a selection.
func members(seen map[observe.Target]Result, asked map[observe.Target]bool) (of []Result) {
	for _, t := range slices.SortedFunc(maps.Keys(seen), observe.Target.Compare) {
		if !asked[t] {
			of = append(of, seen[t])
		}
	}
	return of
}
