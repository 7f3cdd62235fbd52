package explain

import (
	"slices"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/status"
)

// commandFor returns a command of kubectl about an object, in its cluster and its namespace, or
// "" if a word is not valid.
func commandFor(id status.ID, words ...kubectl.Word) string {
	return kubectl.Command(id.Cluster, id.Namespace, words...)
}

// commandForAll returns a command of kubectl without a namespace, or for all namespaces, in the
// cluster of an object.
func commandForAll(id status.ID, words ...kubectl.Word) string {
	return kubectl.Command(id.Cluster, "", words...)
}

// slash returns the name of an object for kubectl: deployment/api.
func slash(id status.ID) kubectl.Word { return kubectl.Object("", id.Kind.Kind, id.Name) }

// typed returns the kind of an object for kubectl: deployment.apps.
func typed(id status.ID) kubectl.Word { return kubectl.Type(id.Group, id.Kind.Kind) }

// typedSlash returns the name of an object for kubectl, with the full kind:
// deployment.apps/api.
func typedSlash(id status.ID) kubectl.Word { return kubectl.Object(id.Group, id.Kind.Kind, id.Name) }

// nodeWord returns the name of a node for kubectl: node/worker-1.
func nodeWord(name string) kubectl.Word { return kubectl.Object("", "Node", name) }

// commands removes empty commands.
func commands(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(c string) bool { return c == "" })
}
