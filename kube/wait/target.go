package wait

import (
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// TargetFor returns the target for the object of a kind by its name. The namespace of key
// is empty for kinds without namespaces.
func TargetFor(kind schema.GroupKind, key types.NamespacedName) observe.Target {
	return observe.Target{Kind: status.Kind(kind), Namespace: key.Namespace, Name: key.Name}
}

// TargetOf returns the target for an object, typed or unstructured, and the version of the
// object. If [observe.Watcher.MinVersion] is set to this version, a wait does not accept an
// older status.
//
// Typed objects often lack their kind; then the Scheme, which may be nil otherwise, must have
// their type. The error names the object and the missing field.
func TargetOf(obj runtime.Object, scheme *runtime.Scheme) (observe.Target, observe.Version, error) {
	if v := reflect.ValueOf(obj); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return observe.Target{}, observe.Version{}, errors.New("identify an object: it is nil")
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return observe.Target{}, observe.Version{}, fmt.Errorf("identify a %T: it has no metadata of an object; of a list, give the items", obj)
	}
	t := observe.Target{Namespace: m.GetNamespace(), Name: m.GetName()}
	kind, err := kindOf(obj, scheme)
	if err != nil {
		return t, observe.Version{}, fmt.Errorf("identify %T %q: %w", obj, t.Name, err)
	}
	t.Kind = status.Kind(kind.GroupKind())
	if t.Name == "" {
		return t, observe.Version{}, fmt.Errorf("identify %s: metadata.name: want a name, have none; the object that the API server returned has one", kind.Kind)
	}
	return t, observe.Version{UID: string(m.GetUID()), Generation: m.GetGeneration(), ResourceVersion: m.GetResourceVersion()}, nil
}

// ObjectOf returns an object, typed or unstructured, in the form for package status. If a typed
// object lacks its kind, the Scheme, which may be nil otherwise, must have its type. The result
// is a copy of a typed object, and shares the content of an unstructured one.
func ObjectOf(obj runtime.Object, scheme *runtime.Scheme) (status.Object, error) {
	if u, ok := obj.(runtime.Unstructured); ok {
		return status.Map(u.UnstructuredContent()), nil
	}
	if _, _, err := TargetOf(obj, scheme); err != nil {
		return nil, err
	}
	kind, err := kindOf(obj, scheme)
	if err != nil {
		return nil, err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, fmt.Errorf("convert %T: %w", obj, err)
	}
	content["apiVersion"], content["kind"] = kind.ToAPIVersionAndKind()
	return status.Map(content), nil
}

// kindOf returns the kind of an object. Typed clients return objects without it; then the Scheme
// has it.
func kindOf(obj runtime.Object, scheme *runtime.Scheme) (schema.GroupVersionKind, error) {
	kind := obj.GetObjectKind().GroupVersionKind()
	switch _, bare := obj.(runtime.Unstructured); {
	case kind.Kind != "":
		return kind, nil
	case bare:
		return kind, errors.New("kind: want a string, have none")
	case scheme == nil:
		return kind, errors.New("apiVersion and kind are not set, and no Scheme knows the type; " +
			"set one, such as Resolver.Scheme, for built-in kinds to scheme.Scheme of k8s.io/client-go/kubernetes/scheme")
	}
	kinds, _, err := scheme.ObjectKinds(obj)
	if err != nil {
		return kind, fmt.Errorf("apiVersion and kind are not set, and the Scheme does not know the type: %w", err)
	}
	return kinds[0], nil
}
