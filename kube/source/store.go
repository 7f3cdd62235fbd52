package source

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"kstatus.dev/observe"
)

// A store is what a reflector fills. It reports every object that is a target
// and keeps none.
type store struct{ s *stream }

// Add reports an object.
func (st *store) Add(obj any) error {
	t, ok := st.s.target(obj)
	if !ok {
		return nil
	}
	u, err := st.s.object(obj)
	if err != nil {
		return err
	}
	st.s.saw(observe.Sighting{Target: t, Object: u})
	return nil
}

// Update reports an object.
func (st *store) Update(obj any) error { return st.Add(obj) }

// Delete reports that an object is gone.
func (st *store) Delete(obj any) error {
	if t, ok := st.s.target(obj); ok {
		st.s.saw(observe.Sighting{Target: t})
	}
	return nil
}

// Replace reports all targets: those that are listed, and that the others are
// not there, which tells of deletions that nobody has seen as well.
func (st *store) Replace(list []any, _ string) error {
	there := make(map[observe.Target]bool, len(st.s.targets))
	for _, obj := range list {
		if t, ok := st.s.target(obj); ok {
			there[t] = true
			if err := st.Add(obj); err != nil {
				return err
			}
		}
	}
	for _, t := range st.s.targets {
		if !there[t] {
			st.s.saw(observe.Sighting{Target: t})
		}
	}
	st.s.known, st.s.told = true, false
	return nil
}

// Resync does nothing: there is nothing to say that has not been said.
func (st *store) Resync() error { return nil }

// Transformer makes the reflector forget what is not asked for while it
// gathers the first list from a watch.
func (st *store) Transformer() cache.TransformFunc {
	return func(obj any) (any, error) {
		if _, ok := st.s.target(obj); ok {
			return obj, nil
		}
		if m, ok := obj.(metav1.Object); ok {
			return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: m.GetNamespace(), Name: m.GetName()}}, nil
		}
		return obj, nil
	}
}

// target returns which target an object is, if it is one.
func (s *stream) target(obj any) (observe.Target, bool) {
	m, ok := obj.(metav1.Object)
	if !ok {
		return observe.Target{}, false
	}
	t, ok := s.targets[m.GetName()]
	return t, ok
}

// object returns what came from the server as an object to be judged.
func (s *stream) object(obj any) (*unstructured.Unstructured, error) {
	switch obj := obj.(type) {
	case *unstructured.Unstructured:
		trim(obj)
		return obj, nil
	case *metav1.PartialObjectMetadata:
		meta, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&obj.ObjectMeta)
		if err != nil {
			return nil, fmt.Errorf("read the metadata of %s %s: %w", s.kind, obj.Name, err)
		}
		u := &unstructured.Unstructured{Object: map[string]any{"metadata": meta}}
		u.SetGroupVersionKind(s.mapping.GroupVersionKind)
		trim(u)
		return u, nil
	}
	return nil, fmt.Errorf("read %s: want an object, have %T", s.kind, obj)
}

// only removes from a list what nobody asked for.
func (s *stream) only(list runtime.Object) {
	switch list := list.(type) {
	case *unstructured.UnstructuredList:
		list.Items = kept(list.Items, func(u *unstructured.Unstructured) string { return u.GetName() }, s.targets)
	case *metav1.PartialObjectMetadataList:
		list.Items = kept(list.Items, func(m *metav1.PartialObjectMetadata) string { return m.Name }, s.targets)
	}
}

func kept[T any](items []T, name func(*T) string, targets map[string]observe.Target) []T {
	var out []T
	for i := range items {
		if _, ok := targets[name(&items[i])]; ok {
			out = append(out, items[i])
		}
	}
	return out
}
