package status

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"kstatus.dev/internal/decoded"
)

// An ObjWithConditions is the part of an object that has its conditions.
type ObjWithConditions struct {
	Status ConditionStatus `json:"status" yaml:"status"`
}

// A ConditionStatus is the part of a status that has the conditions.
type ConditionStatus struct {
	Conditions []BasicCondition `json:"conditions" yaml:"conditions"`
}

// A BasicCondition is a condition of any type.
type BasicCondition struct {
	Type    string                 `json:"type" yaml:"type"`
	Status  corev1.ConditionStatus `json:"status" yaml:"status"`
	Reason  string                 `json:"reason,omitempty" yaml:"reason"`
	Message string                 `json:"message,omitempty" yaml:"message"`
}

// GetObjectWithConditions returns the conditions of an object. The error names a field of the
// wrong type.
func GetObjectWithConditions(in map[string]interface{}) (*ObjWithConditions, error) {
	out := &ObjWithConditions{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(in, out); err != nil {
		return nil, err
	}
	return out, nil
}

// GetStringField returns the string at a path such as .status.phase, and defaultValue if the path
// has none.
func GetStringField(obj map[string]interface{}, fieldPath string, defaultValue string) string {
	if s, ok := at(obj, fieldPath).(string); ok {
		return s
	}
	return defaultValue
}

// GetIntField returns the integer at a path such as .spec.replicas, and defaultValue if the path
// has none.
func GetIntField(obj map[string]interface{}, fieldPath string, defaultValue int) int {
	switch n := at(obj, fieldPath).(type) {
	case int:
		return n
	case int32:
		return int(n)
	case int64:
		return int(n)
	}
	return defaultValue
}

// at returns the value at a path, with or without a leading dot; nil if it is missing.
func at(obj map[string]interface{}, path string) any {
	return decoded.AtPath(obj, strings.TrimPrefix(path, "."))
}
