package explain

import (
	"cmp"
	"fmt"
	"iter"
	"time"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
)

// A container is one container of a Pod, with its status.
type container struct {
	section        // of its status
	name    string // in the Pod
	noun    string // what people call it: container, init container or sidecar
	place   string // of an init container, which one of how many: " (1/2)"
	spec    section
	pod     *object
}

// containers yields the containers of a Pod that have a status, in the order of
// the status.
func (o *object) containers() iter.Seq[container] {
	return func(yield func(container) bool) {
		for _, list := range podspec.ContainerLists {
			places := o.placesIn(list.Spec)
			for c := range o.Each(list.Status) {
				name := c.Text("name")
				one := container{section: c, name: name, noun: list.Noun, spec: o.Under(list.Spec + "[" + name + "]"), pod: o}
				if list.Noun == "init container" {
					one.place = places[name]
					if one.spec.Text("restartPolicy") == "Always" {
						one.noun, one.place = "sidecar", ""
					}
				}
				if !yield(one) {
					return
				}
			}
		}
	}
}

// placesIn tells of the names in a list of several which one each is: " (1/2)".
func (o *object) placesIn(list string) map[string]string {
	at, places := 0, map[string]string{}
	for c := range o.Each(list) {
		if at++; o.Len(list) > 1 {
			places[c.Text("name")] = fmt.Sprintf(" (%d/%d)", at, o.Len(list))
		}
	}
	return places
}

// title names a container in a sentence: container "api", init container "a" (1/2).
func (c container) title() string { return c.noun + " " + show.Quoted(c.name) + c.place }

// image returns the image that its Pod asks for; the status may name it otherwise.
func (c container) image() string { return cmp.Or(c.spec.Text("image"), c.Text("image")) }

// logs is the command that shows what a container has printed.
func (c container) logs(previous bool) string {
	words := []kubectl.Word{"logs", kubectl.Name(c.pod.ID.Name), "-c", kubectl.Label(c.name)}
	if previous {
		words = append(words, "--previous")
	}
	return c.pod.ID.kubectl(words...)
}

// events returns the events about a container with one of the reasons, the
// latest first. Those that name no container count if the Pod has only one.
func (c container) events(reasons ...string) (all []Event) {
	for _, e := range c.pod.eventsWith(reasons...) {
		name, ok := messages.Between(e.Path, "{", "}")
		if name == c.name || !ok && c.pod.Len("spec.containers") == 1 && c.noun == "container" {
			all = append(all, e)
		}
	}
	return all
}

// restarts tells whether a container is started again when it ends.
func (c container) restarts() string {
	policy := cmp.Or(c.spec.Text("restartPolicy"), c.pod.Text("spec.restartPolicy"), "Always")
	if c.noun == "init container" && policy == "Always" {
		return "OnFailure"
	}
	return policy
}

// isStarting reports whether a Pod has a node and none of its containers has been
// started.
func (o *object) isStarting() bool {
	if o.Text("status.phase") != "Pending" || !o.isScheduled() {
		return false
	}
	for c := range o.containers() {
		if c.Has("state.running") || c.Has("state.terminated") || c.Has("lastState.terminated") {
			return false
		}
	}
	return true
}

// isScheduled reports whether a Pod has a node.
func (o *object) isScheduled() bool {
	return o.Text("spec.nodeName") != "" || o.Text("status.conditions[PodScheduled].status") == "True"
}

// workload returns the name of the topmost controller of an object that is
// known, if only by what it controls, or its own: what containers of the same
// name have in common.
func (o *object) workload() string {
	for range 5 {
		owner := o.index.owner(o)
		if owner == nil {
			break
		}
		o = owner
	}
	for ref := range o.Each("metadata.ownerReferences") {
		if ref.Is("controller") {
			return ID{o.ID.Cluster, groupOf(ref.Text("apiVersion")), ref.Text("kind"), o.ID.Namespace, ref.Text("name")}.String()
		}
	}
	return o.ID.String()
}

// ran returns how long a run of a container took; not ok if that is not told.
func (s section) ran(path string) (d time.Duration, ok bool) {
	start, end := timeOf(s.Text(path+".startedAt")), timeOf(s.Text(path+".finishedAt"))
	return end.Sub(start), !start.IsZero() && !end.IsZero() && !end.Before(start)
}
