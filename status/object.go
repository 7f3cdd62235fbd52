package status

// An Object returns its fields as decoded JSON. *unstructured.Unstructured from
// k8s.io/apimachinery implements it.
type Object interface {
	UnstructuredContent() map[string]any
}

// Map is a decoded JSON or YAML document used as an [Object]. Libraries such as kyaml
// return one from a method called Map.
type Map map[string]any

// UnstructuredContent returns m itself.
func (m Map) UnstructuredContent() map[string]any { return m }

// A Kind is an API group and kind. It has no version, because rules look at which fields exist.
type Kind struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
}

// String returns the kind as kubectl prints it: "Deployment.apps", or "Pod" for the core group.
func (k Kind) String() string {
	if k.Group == "" {
		return k.Kind
	}
	return k.Kind + "." + k.Group
}
