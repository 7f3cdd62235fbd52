package status

import "cmp"

// An ID names one object. It has no version, because all versions of an API name the same object.
type ID struct {
	Cluster   string `json:"cluster,omitempty"` // set if there are several clusters
	Kind             // the group and the kind are fields of the ID in JSON
	Namespace string `json:"namespace"` // empty for a cluster-scoped kind
	Name      string `json:"name"`
}

// String returns the ID as Kind/namespace/name, or Kind/name without a namespace. If the
// ID names a cluster, that comes first, with a colon.
func (id ID) String() string {
	text := id.Kind.Kind + "/" + id.Name
	if id.Namespace != "" {
		text = id.Kind.Kind + "/" + id.Namespace + "/" + id.Name
	}
	if id.Cluster != "" {
		text = id.Cluster + ":" + text
	}
	return text
}

// Compare orders IDs by cluster, kind, namespace, name and API group. It returns a negative
// number if id comes before other, 0 if they are equal, and a positive number otherwise.
func (id ID) Compare(other ID) int {
	return cmp.Or(
		cmp.Compare(id.Cluster, other.Cluster),
		cmp.Compare(id.Kind.Kind, other.Kind.Kind),
		cmp.Compare(id.Namespace, other.Namespace),
		cmp.Compare(id.Name, other.Name),
		cmp.Compare(id.Group, other.Group))
}
