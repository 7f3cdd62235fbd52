package podspec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/show"
)

// The fields of a Pod spec whose values are shown. For all others, only the fact that
// they changed is shown.
var shownFields = []string{
	"serviceAccountName", "priorityClassName", "runtimeClassName", "schedulerName", "restartPolicy", "hostNetwork", "dnsPolicy",
	"terminationGracePeriodSeconds", "activeDeadlineSeconds",
}

// Changes returns the differences between two templates. It shows the values of images,
// resources, probes and settings of the Pod. For fields that may hold secrets, such as
// env and arguments, it shows only names.
func Changes(before, now fields.Section) (all []string) {
	for _, list := range ContainerLists {
		all = append(all, containerChanges(before, now, list.Spec, list.Noun)...)
	}
	was, is := before.Under("spec"), now.Under("spec")
	for _, key := range fields.Keys(was.Map, is.Map) {
		switch {
		case key == "containers", key == "initContainers", reflect.DeepEqual(was.Map[key], is.Map[key]):
		case key == "volumes":
			all = append(all, itemChanges(was, is, key, "volume")...)
		case slices.Contains(shownFields, key):
			all = append(all, fmt.Sprintf("%s %s -> %s", key, show.Value(was.Map[key]), show.Value(is.Map[key])))
		default:
			all = append(all, key+" "+kindOfChange(was.Map[key], is.Map[key]))
		}
	}
	return append(all, metadataChanges(before, now)...)
}

// metadataChanges returns the labels and annotations that differ, except the label of a
// revision.
func metadataChanges(former, now fields.Section) (all []string) {
	for _, list := range [...]struct{ path, noun string }{{"metadata.labels", "label"}, {"metadata.annotations", "annotation"}} {
		was, is := former.Under(list.path), now.Under(list.path)
		for _, key := range fields.Keys(was.Map, is.Map) {
			switch {
			case key == "pod-template-hash", reflect.DeepEqual(was.Map[key], is.Map[key]):
			case key == "kubectl.kubernetes.io/restartedAt":
				all = append(all, "restarted by kubectl rollout restart")
			default:
				all = append(all, list.noun+" "+key+" "+kindOfChange(was.Map[key], is.Map[key]))
			}
		}
	}
	return all
}

// containerChanges returns the differences of the containers in a list, with their names
// if there are several.
func containerChanges(before, now fields.Section, list, noun string) (all []string) {
	alone := noun == "container" && len(byName(now, list)) == 1
	return eachByName(before, now, list, noun, func(name string, was, is fields.Section) (all []string) {
		prefix := noun + " " + name + ": "
		if alone {
			prefix = ""
		}
		for _, change := range containerDifferences(was, is) {
			all = append(all, prefix+change)
		}
		return all
	})
}

// containerDifferences returns the differences between two versions of a container.
func containerDifferences(was, is fields.Section) (all []string) {
	for _, key := range containerKeys(was.Map, is.Map) {
		a, b := was.Map[key], is.Map[key]
		switch {
		case key == "name", reflect.DeepEqual(a, b):
		case key == "image":
			all = append(all, "image "+imageChange(show.Value(a), show.Value(b)))
		case key == "env":
			all = append(all, itemChanges(was, is, key, "env")...)
		case key == "resources":
			all = append(all, resourceChanges(was.Under(key), is.Under(key))...)
		case key == "volumeMounts":
			all = append(all, itemChanges(was, is, key, "mount of")...)
		case strings.HasSuffix(key, "Probe"):
			all = append(all, probeChange(key, was, is))
		case key == "imagePullPolicy", key == "restartPolicy", key == "workingDir":
			all = append(all, fmt.Sprintf("%s %s -> %s", key, show.Value(a), show.Value(b)))
		default:
			all = append(all, key+" "+kindOfChange(a, b))
		}
	}
	return all
}

// probeChange returns the configuration of a probe before and now. If the difference is
// not visible in that, it returns only that the probe has changed.
func probeChange(key string, was, is fields.Section) string {
	if old, now := Probe(was.Under(key)), Probe(is.Under(key)); old != now {
		return key + " " + old + " -> " + now
	}
	return key + " " + kindOfChange(was.Map[key], is.Map[key])
}

// containerKeys returns the fields of both containers, image and env first.
func containerKeys(was, is map[string]any) []string {
	keys := slices.DeleteFunc(fields.Keys(was, is), func(key string) bool { return key == "image" || key == "env" })
	return append([]string{"image", "env"}, keys...)
}

// imageChange returns both images. If only the tag differs, it returns only the new tag.
func imageChange(was, is string) string {
	repo, tag := was, is
	if at := strings.LastIndexAny(is, ":@"); at > strings.LastIndexByte(is, '/') && strings.HasPrefix(repo, is[:at+1]) {
		tag = is[at+1:]
	}
	return was + " -> " + tag
}

// resourceChanges returns the requests and limits that differ, by value.
func resourceChanges(was, is fields.Section) (all []string) {
	for _, list := range [...]string{"requests", "limits"} {
		a, b := was.Under(list), is.Under(list)
		for _, key := range fields.Keys(a.Map, b.Map) {
			if !reflect.DeepEqual(a.Map[key], b.Map[key]) {
				all = append(all, fmt.Sprintf("%s.%s %s -> %s", list, key, show.Value(a.Map[key]), show.Value(b.Map[key])))
			}
		}
	}
	if len(all) == 0 {
		all = append(all, "resources changed")
	}
	return all
}

// itemChanges returns the names of the items of a list that differ.
func itemChanges(was, is fields.Section, list, noun string) (all []string) {
	all = eachByName(was, is, list, noun, func(name string, was, is fields.Section) []string {
		if reflect.DeepEqual(was.Map, is.Map) {
			return nil
		}
		return []string{noun + " " + name + " changed"}
	})
	if len(all) == 0 {
		all = append(all, list+" changed")
	}
	return all
}

// eachByName returns the names of added and removed items of a list, and the differences
// of the others.
func eachByName(before, now fields.Section, list, noun string, differs func(name string, was, is fields.Section) []string) (all []string) {
	was, is := byName(before, list), byName(now, list)
	for _, name := range fields.Keys(was, is) {
		old, had := was[name]
		item, has := is[name]
		switch {
		case !had:
			all = append(all, noun+" "+name+" added")
		case !has:
			all = append(all, noun+" "+name+" removed")
		default:
			all = append(all, differs(name, old, item)...)
		}
	}
	return all
}

// kindOfChange returns whether a value was added, removed or changed.
func kindOfChange(was, is any) string {
	switch {
	case was == nil:
		return "added"
	case is == nil:
		return "removed"
	}
	return "changed"
}

// byName returns the items of a list by their names.
func byName(f fields.Section, list string) map[string]fields.Section {
	all := map[string]fields.Section{}
	for item := range f.Each(list) {
		all[fields.Name(item.Map)] = item
	}
	return all
}
