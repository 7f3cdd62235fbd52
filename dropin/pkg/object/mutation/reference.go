package mutation

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin/pkg/object"
)

// A ResourceReference refers to an object by its kind and its name. Group has precedence over
// APIVersion; without both, the group is the core group.
type ResourceReference struct {
	Kind       string `json:"kind"`
	APIVersion string `json:"apiVersion,omitempty"`
	Group      string `json:"group,omitempty"`
	Name       string `json:"name,omitempty"`
	Namespace  string `json:"namespace,omitempty"` // empty: that of the object with the annotation
}

// ResourceReferenceFromUnstructured returns a reference to obj.
func ResourceReferenceFromUnstructured(obj *unstructured.Unstructured) ResourceReference {
	return ResourceReference{
		Kind: obj.GetKind(), APIVersion: obj.GetAPIVersion(), Name: obj.GetName(), Namespace: obj.GetNamespace(),
	}
}

// ResourceReferenceFromObjMetadata returns a reference to the object with the identifier.
func ResourceReferenceFromObjMetadata(id object.ObjMetadata) ResourceReference {
	return ResourceReference{
		Kind: id.GroupKind.Kind, Group: id.GroupKind.Group, Name: id.Name, Namespace: id.Namespace,
	}
}

// GroupVersionKind returns the kind, with the version of APIVersion if Group is empty.
func (r ResourceReference) GroupVersionKind() schema.GroupVersionKind {
	if r.Group == "" {
		return schema.FromAPIVersionAndKind(r.APIVersion, r.Kind)
	}
	return schema.GroupVersionKind{Group: r.Group, Kind: r.Kind}
}

// ToUnstructured returns an object that has only its kind, name and namespace.
func (r ResourceReference) ToUnstructured() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(r.GroupVersionKind())
	u.SetName(r.Name)
	u.SetNamespace(r.Namespace)
	return u
}

// ToObjMetadata returns the identifier of the object.
func (r ResourceReference) ToObjMetadata() object.ObjMetadata {
	return object.ObjMetadata{Namespace: r.Namespace, Name: r.Name, GroupKind: r.GroupVersionKind().GroupKind()}
}

// String returns GROUP[/VERSION][/namespaces/NAMESPACE]/KIND/NAME.
func (r ResourceReference) String() string {
	parts := []string{r.Group}
	if r.Group == "" {
		parts[0] = r.APIVersion
	}
	if r.Namespace != "" {
		parts = append(parts, "namespaces", r.Namespace)
	}
	return strings.Join(append(parts, r.Kind, r.Name), "/")
}

// Equal reports whether both refer to the same object, whatever the version. Package cmp calls it.
func (r ResourceReference) Equal(b ResourceReference) bool {
	return r.ToObjMetadata() == b.ToObjMetadata()
}
