// Package secretfield recognizes the fields by which objects of Cluster API name Secrets. A move
// follows these fields, and kstatus capi check reports fields that look different.
package secretfield

import "strings"

// IsName reports whether a text in a field of this name is the name of a Secret, such as
// dataSecretName and secretRef.
func IsName(field string) bool {
	lower := strings.ToLower(field)
	return strings.HasSuffix(lower, "secretname") || lower == "secretref"
}

// IsReference reports whether an object with a name but no kind, in a field of this name, names a
// Secret, such as identityRef and credentialsSecret.
func IsReference(field string) bool {
	lower := strings.ToLower(field)
	return strings.Contains(lower, "secret") || strings.Contains(lower, "identity") || strings.Contains(lower, "credential")
}
