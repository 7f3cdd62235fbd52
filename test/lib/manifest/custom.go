package manifest

import "strings"

// Definition is a CustomResourceDefinition of a namespaced kind. Its plural is the kind in
// lower case with an s. Versions are texts like that of [V1].
func Definition(group, kind string, versions ...string) string {
	plural := strings.ToLower(kind) + "s"
	return Object("apiextensions.k8s.io/v1", "CustomResourceDefinition", plural+"."+group) + `spec:
  group: ` + group + `
  names: {kind: ` + kind + `, plural: ` + plural + `}
  scope: Namespaced
  versions:
  - ` + strings.Join(versions, "\n  - ") + "\n"
}

// V1 is a version v1 with a status subresource. properties are the schemas of the fields in
// addition to the metadata, such as "status: " + [Promises].
func V1(properties string) string {
	return "{name: v1, served: true, storage: true, subresources: {status: {}}, " +
		"schema: {openAPIV3Schema: {type: object, properties: {" + properties + "}}}}"
}

// Schemas of a status.
const (
	// Plain is a schema without known fields.
	Plain = "{type: object}"
	// Conditional is a schema with conditions.
	Conditional = "{type: object, properties: {" + conditions + "}}"
	// Promises is a schema with conditions and observedGeneration.
	Promises = "{type: object, properties: {observedGeneration: {type: integer}, " + conditions + "}}"

	conditions = "conditions: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}"
)
