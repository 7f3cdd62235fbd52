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
	return observe.Target{Kind: status.Kind{Group: kind.Group, Kind: kind.Kind}, Namespace: key.Namespace, Name: key.Name}
}

// TargetOf returns the target for an object, typed or unstructured, and the version of the
// object. A wait for the target that sets [observe.Watcher.MinVersion] to this version does
// not take a status from before for that of the object.
//
// Typed objects often do not say of which kind they are: then the Scheme, which may be nil
// otherwise, must know their type. The error names the object and what is missing.
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
	t.Kind = status.Kind{Group: kind.Group, Kind: kind.Kind}
	if t.Name == "" {
		return t, observe.Version{}, fmt.Errorf("identify %s: metadata.name: want a name, have none; the object that the API server returned has one", kind.Kind)
	}
	return t, observe.Version{UID: string(m.GetUID()), Generation: m.GetGeneration(), ResourceVersion: m.GetResourceVersion()}, nil
}

// ObjectOf returns an object, typed or unstructured, in the form that package status judges.
// A typed object that does not say of which kind it is takes its kind from the Scheme, which
// may be nil otherwise. The result is a copy of a typed object; that of an unstructured one
// shares its content.
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

// kindOf returns the kind of an object. Typed clients leave it empty in what
// they return; then the Scheme knows it by the type.
func kindOf(obj runtime.Object, scheme *runtime.Scheme) (schema.GroupVersionKind, error) {
	kind := obj.GetObjectKind().GroupVersionKind()
	switch _, bare := obj.(runtime.Unstructured); {
	case kind.Kind != "":
		return kind, nil
	case bare:
		return kind, errors.New("kind: want a string, have none")
	case scheme == nil:
		return kind, errors.New("apiVersion and kind are not set, and there is no Scheme that knows the type; " +
			"set one, such as Resolver.Scheme, for built-in kinds to Scheme of k8s.io/client-go/kubernetes/scheme")
	}
	kinds, _, err := scheme.ObjectKinds(obj)
	if err != nil {
		return kind, fmt.Errorf("apiVersion and kind are not set, and the Scheme does not know the type: %w", err)
	}
	return kinds[0], nil
}
