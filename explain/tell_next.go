package explain

import (
	"slices"

	"kstatus.dev/explain/internal/kubectl"
)

// kubectl returns a command about an object, in its cluster and its namespace; empty if a
// word is not fit for its place.
func (id ID) kubectl(words ...kubectl.Word) string {
	return kubectl.Command(id.Cluster, id.Namespace, words...)
}

// kubectlAll returns a command about no namespace, or all, in the cluster of an object.
func (id ID) kubectlAll(words ...kubectl.Word) string {
	return kubectl.Command(id.Cluster, "", words...)
}

// slash names an object as kubectl takes it: deployment/api.
func (id ID) slash() kubectl.Word { return kubectl.Object("", id.Kind, id.Name) }

// typed names the kind of an object as kubectl takes it: deployment.apps.
func (id ID) typed() kubectl.Word { return kubectl.Type(id.Group, id.Kind) }

// typedSlash names an object by its full kind: deployment.apps/api.
func (id ID) typedSlash() kubectl.Word { return kubectl.Object(id.Group, id.Kind, id.Name) }

// nodeWord names a node as kubectl takes it: node/worker-1.
func nodeWord(name string) kubectl.Word { return kubectl.Object("", "Node", name) }

// commands returns those of the commands that are not empty.
func commands(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(c string) bool { return c == "" })
}
