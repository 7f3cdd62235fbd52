package explain

import "iter"

// A container is one container of a Pod, with its status.
type container struct {
	fields        // of its status
	name   string // in the Pod
	noun   string // what people call it: container, init container, sidecar or ephemeral container
	spec   fields
}

// Where the containers of a Pod stand.
var containerLists = [...]struct{ spec, status, noun string }{
	{"spec.initContainers", "status.initContainerStatuses", "init container"},
	{"spec.containers", "status.containerStatuses", "container"},
}

// containers yields the containers of a Pod that have a status, in the order of
// the status.
func (n *node) containers() iter.Seq[container] {
	return func(yield func(container) bool) {
		for _, list := range containerLists {
			for c := range n.each(list.status) {
				name := c.text("name")
				one := container{c, name, list.noun, n.under(list.spec + "[" + name + "]")}
				if list.noun == "init container" && one.spec.text("restartPolicy") == "Always" {
					one.noun = "sidecar"
				}
				if !yield(one) {
					return
				}
			}
		}
	}
}

// title names a container in a sentence: container "api".
func (c container) title() string { return c.noun + " " + quoted(c.name) }

func quoted(name string) string { return `"` + bounded(name) + `"` }

// workload returns the name of the topmost controller of an object that is
// among the facts, or its own: what containers of the same name have in common.
func (n *node) workload() string {
	for range 5 {
		owner := n.scene.owner(n)
		if owner == nil {
			break
		}
		n = owner
	}
	return n.ID.String()
}
