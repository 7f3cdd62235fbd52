package explain

import (
	"slices"

	"kstatus.dev/explain/internal/kubectl"
)

// kubectl returns a command about an object, in its cluster and its namespace, or "" if a
// word is not valid.
func (id ID) kubectl(words ...kubectl.Word) string {
	return kubectl.Command(id.Cluster, id.Namespace, words...)
}

// kubectlAll returns a command without a namespace, or for all namespaces, in the cluster
// of an object.
func (id ID) kubectlAll(words ...kubectl.Word) string {
	return kubectl.Command(id.Cluster, "", words...)
}

// slash returns the name of an object for kubectl: deployment/api.
func (id ID) slash() kubectl.Word { return kubectl.Object("", id.Kind, id.Name) }

// typed returns the kind of an object for kubectl: deployment.apps.
func (id ID) typed() kubectl.Word { return kubectl.Type(id.Group, id.Kind) }

// typedSlash returns the name of an object for kubectl, with the full kind:
// deployment.apps/api.
func (id ID) typedSlash() kubectl.Word { return kubectl.Object(id.Group, id.Kind, id.Name) }

// nodeWord returns the name of a node for kubectl: node/worker-1.
func nodeWord(name string) kubectl.Word { return kubectl.Object("", "Node", name) }

// commands removes empty commands.
func commands(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(c string) bool { return c == "" })
}
