package explain

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"time"

	"kstatus.dev/explain/internal/kubectl"
	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/podspec"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// A container is one container of a Pod, with its status.
type container struct {
	section        // of its status
	name    string // in the Pod
	noun    string // for people: container, init container or sidecar
	place   string // of an init container, its position and the number of all: " (1/2)"
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

// placesIn returns the position of each name in a list with several items: " (1/2)".
func (o *object) placesIn(list string) map[string]string {
	at, places := 0, map[string]string{}
	for c := range o.Each(list) {
		if at++; o.Len(list) > 1 {
			places[c.Text("name")] = fmt.Sprintf(" (%d/%d)", at, o.Len(list))
		}
	}
	return places
}

// title returns the name of a container for a sentence: container "api", init container
// "a" (1/2).
func (c container) title() string { return c.noun + " " + show.Quoted(c.name) + c.place }

// image returns the image in the spec of the Pod. The status may have another name for
// it.
func (c container) image() string { return cmp.Or(c.spec.Text("image"), c.Text("image")) }

// logs returns the command that prints the log of a container.
func (c container) logs(previous bool) string {
	words := []kubectl.Word{"logs", kubectl.Name(c.pod.ID.Name), "-c", kubectl.Label(c.name)}
	if previous {
		words = append(words, "--previous")
	}
	return commandFor(c.pod.ID, words...)
}

// events returns the events about a container with one of the reasons, the latest first.
// Events without a container count if the Pod has only one.
func (c container) events(reasons ...string) []Event {
	if c.pod.containerEvents == nil {
		c.pod.indexContainerEvents()
	}
	return withReasons(c.pod.containerEvents[c.name], reasons)
}

func (o *object) indexContainerEvents() {
	o.containerEvents = map[string][]Event{}
	only := ""
	if o.Len("spec.containers") == 1 {
		for c := range o.Each("spec.containers") {
			only = c.Text("name")
		}
	}
	for _, e := range o.events {
		name, ok := messages.Between(e.Path, "{", "}")
		if !ok {
			name = only
		}
		o.containerEvents[name] = append(o.containerEvents[name], e)
	}
}

// restarts returns the restart policy of a container.
func (c container) restarts() string {
	policy := cmp.Or(c.spec.Text("restartPolicy"), c.pod.Text("spec.restartPolicy"), "Always")
	if c.noun == "init container" && policy == "Always" {
		return "OnFailure"
	}
	return policy
}

// isStarting reports whether a Pod has a node and none of its containers has started.
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

// workload returns the topmost known controller of an object, or the object itself.
// Containers with the same name have it in common.
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
			return o.refer(status.Kind{Group: groupOf(ref.Text("apiVersion")), Kind: ref.Text("kind")}, o.ID.Namespace, ref.Text("name")).String()
		}
	}
	if o.ID.Kind == pod {
		return o.likeness()
	}
	return o.ID.String()
}

// likeness is the same for Pods without an owner whose containers have the same images and commands. Equal
// failures of them are one cause, as those of Pods of one workload. It is short, since each failure of a
// container has it in its key.
func (o *object) likeness() string {
	if o.like != "" {
		return o.like
	}
	h := sha256.New()
	add := func(texts ...string) { fmt.Fprintf(h, "%q\n", texts) } // a hash returns no error
	add(o.ID.Cluster, o.ID.Namespace)
	for c := range o.containers() {
		add(append([]string{c.name, c.spec.Text("image")}, c.spec.Texts("command")...)...)
	}
	o.like = hex.EncodeToString(h.Sum(nil))
	return o.like
}

// ran returns the duration of a run of a container, if its times are known.
func (s section) ran(path string) (d time.Duration, ok bool) {
	start, end := timeOf(s.Text(path+".startedAt")), timeOf(s.Text(path+".finishedAt"))
	return end.Sub(start), !start.IsZero() && !end.IsZero() && !end.Before(start)
}
