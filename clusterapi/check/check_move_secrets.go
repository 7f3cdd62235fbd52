package check

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/secretfield"
)

var moveSecrets = &check{
	ID: "C-PK-6", Name: "move-secrets", Severity: severity.Warning,
	Doc: `fields that name a Secret have a form that a move follows

A Secret with credentials belongs to no Cluster, so a move finds it only by the field
that names it. kstatus capi move follows objects with a kind and a name. It also follows
objects with a name in fields about a secret, an identity or credentials, and texts in
fields whose name ends with secretName. The check reports other fields whose description
says that they name a Secret. A move leaves such a Secret behind, and then the provider
cannot reach its cloud.`,
	Roles: rolesWithStatus,
	Kind: func(p *pass, k kind) {
		k.eachField(k.version.Schema.Property("spec"), "spec", "spec", 0, func(path string, s lint.Schema) {
			p.report(k, s.Path, path+" names a Secret, but a move does not follow it", "use an object with kind and name, or a name that ends with secretName", nil)
		})
	},
}

// maxSecretDepth limits how deep fields are searched, like the search in objects.
const maxSecretDepth = 12

// eachField calls found for each field at or below a schema that names a Secret in a form that a
// move does not follow. name is the name of the field.
func (k kind) eachField(s lint.Schema, path, name string, depth int, found func(path string, s lint.Schema)) {
	if !s.Exists() || depth > maxSecretDepth {
		return
	}
	switch s.Type() {
	case "string":
		if !secretfield.IsName(name) && holdsSecretName.MatchString(name) && namesSecret(s) {
			found(path, s)
		}
		return
	case "array":
		items := s.Items()
		if _, told := items.Node["description"]; !told && items.Exists() {
			items.Node = with(items.Node, "description", s.Node["description"])
		}
		k.eachField(items, path+"[]", name, depth+1, found)
		return
	}
	properties := decoded.Map(s.Node, "properties")
	if properties["name"] != nil && (properties["kind"] != nil || secretfield.IsReference(name)) {
		return // a move follows it
	}
	if properties["name"] != nil && namesSecret(s) {
		found(path, s)
		return
	}
	for _, below := range slices.Sorted(maps.Keys(properties)) {
		k.eachField(s.Property(below), path+"."+below, below, depth+1, found)
	}
}

// with returns a copy of a schema's node with another value.
func with(node map[string]any, name string, value any) map[string]any {
	node = maps.Clone(node)
	node[name] = value
	return node
}

// holdsSecretName matches the names of fields that can hold the name of a Secret. A field with the
// key, the namespace or a part of a Secret does not.
var holdsSecretName = regexp.MustCompile(`(?i)(secret|credential).*(name|ref)s?$|(secret|credential)s?$`)

// secretName matches a sentence about the name of a Secret.
var secretName = regexp.MustCompile(`(?i)\b(names?|refer(s|ence)?s?)\b[^.]*\bsecrets?\b|\bsecrets?\b[^.]*\bnames?\b`)

// namesSecret reports whether the description of a field says that it names a Secret.
func namesSecret(s lint.Schema) bool {
	return secretName.MatchString(strings.ReplaceAll(decoded.Text(s.Node, "description"), "\n", " "))
}
