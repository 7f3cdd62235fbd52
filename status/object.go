package status

// An Object is anything that can show its fields as decoded JSON.
// *unstructured.Unstructured from k8s.io/apimachinery is one.
type Object interface {
	UnstructuredContent() map[string]any
}

// Map is a decoded JSON or YAML document used as an [Object].
type Map map[string]any

// UnstructuredContent returns m itself.
func (m Map) UnstructuredContent() map[string]any { return m }

// Render turns a value that can decode itself into a map, such as a kyaml
// RNode, into an [Object].
func Render(v interface {
	Map() (map[string]any, error)
}) (Object, error) {
	m, err := v.Map()
	if err != nil {
		return nil, err
	}
	return Map(m), nil
}

// A Kind is an API group and kind. The version does not matter to a verdict:
// rules look at the fields that are there.
type Kind struct{ Group, Kind string }

// String returns the kind as kubectl writes it: "Deployment.apps", or "Pod" for the core group.
func (k Kind) String() string {
	if k.Group == "" {
		return k.Kind
	}
	return k.Kind + "." + k.Group
}
