// Package object identifies objects of a cluster by group, kind, namespace and name, and has sets
// of them.
package object

import (
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// An identifier as text has four fields: NAMESPACE_NAME_GROUP_KIND. A colon in a name, which
// kinds of RBAC permit, is two separators.
const (
	separator = "_"
	colon     = "__"
)

// NilObjMetadata identifies nothing.
var NilObjMetadata = ObjMetadata{}

// RBACGroupKind has the kinds with names that may contain a colon.
var RBACGroupKind = map[schema.GroupKind]bool{
	{Group: rbacv1.GroupName, Kind: "Role"}:               true,
	{Group: rbacv1.GroupName, Kind: "ClusterRole"}:        true,
	{Group: rbacv1.GroupName, Kind: "RoleBinding"}:        true,
	{Group: rbacv1.GroupName, Kind: "ClusterRoleBinding"}: true,
}

// An ObjMetadata identifies an object, whatever the version of its API.
type ObjMetadata struct {
	Namespace string
	Name      string
	GroupKind schema.GroupKind
}

// ParseObjMetadata parses the text that [ObjMetadata.String] returns. As in fluxcd/cli-utils,
// surplus separators belong to the name.
func ParseObjMetadata(s string) (ObjMetadata, error) {
	namespace, rest, ok := strings.Cut(s, separator)
	if !ok {
		return NilObjMetadata, unparsable(s)
	}
	front, kind, ok := cutLast(rest)
	if !ok {
		return NilObjMetadata, unparsable(rest)
	}
	name, group, ok := cutLast(front)
	if !ok {
		return NilObjMetadata, unparsable(front)
	}
	return ObjMetadata{
		Namespace: namespace,
		Name:      strings.ReplaceAll(name, colon, ":"),
		GroupKind: schema.GroupKind{Group: group, Kind: kind},
	}, nil
}

// ParseObjMetadataStrictly is [ParseObjMetadata] as in sigs.k8s.io/cli-utils: surplus separators
// are an error.
func ParseObjMetadataStrictly(s string) (ObjMetadata, error) {
	id, err := ParseObjMetadata(s)
	if err != nil {
		return NilObjMetadata, err
	}
	if strings.Contains(id.Name, separator) {
		_, rest, _ := strings.Cut(s, separator)
		front, _, _ := cutLast(rest)
		return NilObjMetadata, fmt.Errorf("too many fields within: %s", front)
	}
	return id, nil
}

func cutLast(s string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

// The text is that of cli-utils.
func unparsable(s string) error {
	return fmt.Errorf("unable to parse stored object metadata: %s", s)
}

// Equals reports whether both identify the same object. No identifier equals nil.
func (o *ObjMetadata) Equals(other *ObjMetadata) bool {
	return other != nil && *o == *other
}

// String returns the four fields with underscores between them. It is valid as a key of a
// ConfigMap, if names with a colon are those of RBAC.
func (o ObjMetadata) String() string {
	name := o.Name
	if _, ok := RBACGroupKind[o.GroupKind]; ok {
		name = strings.ReplaceAll(name, ":", colon)
	}
	return strings.Join([]string{o.Namespace, name, o.GroupKind.Group, o.GroupKind.Kind}, separator)
}

// RuntimeToObjMeta returns the identifier of obj.
func RuntimeToObjMeta(obj runtime.Object) (ObjMetadata, error) {
	m, err := meta.Accessor(obj)
	if err != nil {
		return NilObjMetadata, err
	}
	return ObjMetadata{
		Namespace: m.GetNamespace(),
		Name:      m.GetName(),
		GroupKind: obj.GetObjectKind().GroupVersionKind().GroupKind(),
	}, nil
}
