package provider

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var get = metav1.GetOptions{}

var isNotFound, isConflict = errors.IsNotFound, errors.IsConflict

// text formats an object without irrelevant fields.
func text(obj *unstructured.Unstructured) string {
	if obj == nil {
		return "not there"
	}
	obj = obj.DeepCopy()
	obj.SetManagedFields(nil)
	data, err := json.Marshal(obj)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// field returns a value of an object, nil if it is missing.
func field(obj *unstructured.Unstructured, path ...string) any {
	v, _, _ := unstructured.NestedFieldNoCopy(obj.Object, path...)
	return v
}
