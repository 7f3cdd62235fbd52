// Package podspec reads Pods, and the templates that Pods are made from.
package podspec

// A ContainerList is one of the lists of containers of a Pod.
type ContainerList struct {
	Spec   string // its path
	Status string // the path of the statuses of its containers
	Noun   string // the word for such a container
}

// ContainerLists are the lists of containers of a Pod, in the order in which the
// containers start.
var ContainerLists = [...]ContainerList{
	{"spec.initContainers", "status.initContainerStatuses", "init container"},
	{"spec.containers", "status.containerStatuses", "container"},
}
