package source

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// A partStore is what the reflector of a strand fills.
type partStore struct {
	s      *strand
	listed bool
}

// Add takes note of a part.
func (st *partStore) Add(obj any) error {
	switch obj := obj.(type) {
	case *unstructured.Unstructured:
		if st.s.kind == endpointSlice {
			st.s.family.sawSlice(obj, false)
			return nil
		}
		st.s.family.sawPod(obj)
	case *metav1.PartialObjectMetadata:
		if st.s.kind == replicaSetKind {
			st.s.family.sawSet(obj, false)
		}
	}
	return nil
}

// Update takes note of a part.
func (st *partStore) Update(obj any) error { return st.Add(obj) }

// Delete takes note that a part is gone.
func (st *partStore) Delete(obj any) error {
	switch obj := obj.(type) {
	case *unstructured.Unstructured:
		if st.s.kind == endpointSlice {
			st.s.family.sawSlice(obj, true)
			return nil
		}
		st.s.family.lostPod(obj.GetName())
	case *metav1.PartialObjectMetadata:
		st.s.family.sawSet(obj, true)
	}
	return nil
}

// Replace takes note of all parts: those that are listed, and that there are no others.
func (st *partStore) Replace(list []any, _ string) error {
	there := make(map[string]bool, len(list))
	for _, obj := range list {
		_, stub := obj.(*metav1.PartialObjectMetadata)
		if m, ok := obj.(metav1.Object); ok && stub == (st.s.kind == replicaSetKind) {
			there[m.GetName()] = true
			_ = st.Add(obj) // it never fails
		}
	}
	st.s.family.only(st.s.kind, there)
	st.s.unbar()
	st.listed = true
	return nil
}

// Resync does nothing: there is nothing to say that has not been said.
func (st *partStore) Resync() error { return nil }

// Transformer makes the reflector forget what does not matter while it gathers
// the first list from a watch.
func (st *partStore) Transformer() cache.TransformFunc {
	foreign := &metav1.PartialObjectMetadata{}
	return func(obj any) (any, error) {
		switch obj := obj.(type) {
		case *unstructured.Unstructured:
			switch {
			case st.s.kind == endpointSlice:
				return obj, nil
			case !st.s.family.ours(obj):
				return foreign, nil
			case !st.s.family.matters(obj):
				return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: obj.GetNamespace(), Name: obj.GetName()}}, nil
			}
			trim(obj)
		case *metav1.PartialObjectMetadata:
			if !st.s.family.ours(obj) {
				return foreign, nil
			}
			obj.ManagedFields = nil
		}
		return obj, nil
	}
}

// trim removes from a list what does not matter.
func (st *partStore) trim(list runtime.Object) {
	f := st.s.family
	switch list := list.(type) {
	case *unstructured.UnstructuredList:
		list.Items = slices.DeleteFunc(list.Items, func(u unstructured.Unstructured) bool { return st.s.kind == podKind && !f.matters(&u) })
	case *metav1.PartialObjectMetadataList:
		list.Items = slices.DeleteFunc(list.Items, func(m metav1.PartialObjectMetadata) bool { return !f.ours(&m) })
	}
}
