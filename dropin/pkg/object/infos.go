package object

import (
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/cli-runtime/pkg/resource"
)

// The annotations of kyaml with the file of an object and its place in the file.
const (
	pathAnnotation        = "internal.config.kubernetes.io/path"
	indexAnnotation       = "internal.config.kubernetes.io/index"
	legacyPathAnnotation  = "config.kubernetes.io/path"
	legacyIndexAnnotation = "config.kubernetes.io/index"
)

// InfosToObjMetas returns the identifiers of the infos.
func InfosToObjMetas(infos []*resource.Info) ([]ObjMetadata, error) {
	ids := make([]ObjMetadata, 0, len(infos))
	for _, info := range infos {
		id, err := InfoToObjMeta(info)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// InfoToObjMeta returns the identifier of info. An info without an object is an error.
func InfoToObjMeta(info *resource.Info) (ObjMetadata, error) {
	if info == nil || info.Object == nil {
		return ObjMetadata{}, errors.New("attempting to transform info, but it is empty")
	}
	return ObjMetadata{
		Namespace: info.Namespace,
		Name:      info.Name,
		GroupKind: info.Object.GetObjectKind().GroupVersionKind().GroupKind(),
	}, nil
}

// InfoToUnstructured returns the object of info. As in cli-utils, it panics if the object has
// another type.
func InfoToUnstructured(info *resource.Info) *unstructured.Unstructured {
	return info.Object.(*unstructured.Unstructured)
}

// UnstructuredToInfo returns a copy of obj, without the annotations of kyaml, as an info. The source
// of the info is the file in these annotations.
func UnstructuredToInfo(obj *unstructured.Unstructured) (*resource.Info, error) {
	obj = obj.DeepCopy()
	source, ok := obj.GetAnnotations()[pathAnnotation]
	if !ok {
		source = "unstructured"
	}
	StripKyamlAnnotations(obj)
	return &resource.Info{Name: obj.GetName(), Namespace: obj.GetNamespace(), Source: source, Object: obj}, nil
}

// InfosToUnstructureds returns the objects of the infos.
func InfosToUnstructureds(infos []*resource.Info) []*unstructured.Unstructured {
	var objs []*unstructured.Unstructured
	for _, info := range infos {
		objs = append(objs, InfoToUnstructured(info))
	}
	return objs
}

// UnstructuredsToInfos calls [UnstructuredToInfo] for each object.
func UnstructuredsToInfos(objs []*unstructured.Unstructured) ([]*resource.Info, error) {
	var infos []*resource.Info
	for _, obj := range objs {
		info, err := UnstructuredToInfo(obj)
		if err != nil {
			return infos, err
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// StripKyamlAnnotations removes the annotations of kyaml with the file of u and its place in the
// file.
func StripKyamlAnnotations(u *unstructured.Unstructured) {
	annotations := u.GetAnnotations()
	for _, name := range []string{pathAnnotation, indexAnnotation, legacyPathAnnotation, legacyIndexAnnotation} {
		delete(annotations, name)
	}
	u.SetAnnotations(annotations)
}
