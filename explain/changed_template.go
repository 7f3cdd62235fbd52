package explain

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// What of the spec of a Pod is told by value. Of all else only that it changed.
var toldByValue = []string{
	"serviceAccountName", "priorityClassName", "runtimeClassName", "schedulerName", "restartPolicy", "hostNetwork", "dnsPolicy",
	"terminationGracePeriodSeconds", "activeDeadlineSeconds",
}

// templateChanges tells how the templates of two revisions differ: images,
// resources, probes and settings of the Pod by value, and of what may hold
// secrets, such as env and arguments, only the names.
func templateChanges(before, now fields) (all []string) {
	for _, list := range containerLists {
		all = append(all, containerChanges(before, now, list.spec, list.noun)...)
	}
	was, is := before.under("spec"), now.under("spec")
	for _, key := range keysOf(was.m, is.m) {
		switch {
		case key == "containers", key == "initContainers", reflect.DeepEqual(was.m[key], is.m[key]):
		case key == "volumes":
			all = append(all, itemChanges(was, is, key, "volume")...)
		case slices.Contains(toldByValue, key):
			all = append(all, fmt.Sprintf("%s %s -> %s", key, shown(was.m[key]), shown(is.m[key])))
		default:
			all = append(all, key+" "+how(was.m[key], is.m[key]))
		}
	}
	return append(all, metadataChanges(before, now)...)
}

// metadataChanges names the labels and annotations that differ, besides the
// label that tells revisions apart.
func metadataChanges(before, now fields) (all []string) {
	for _, list := range [...]struct{ path, noun string }{{"metadata.labels", "label"}, {"metadata.annotations", "annotation"}} {
		was, is := before.under(list.path), now.under(list.path)
		for _, key := range keysOf(was.m, is.m) {
			switch {
			case key == "pod-template-hash", reflect.DeepEqual(was.m[key], is.m[key]):
			case key == "kubectl.kubernetes.io/restartedAt":
				all = append(all, "restarted by kubectl rollout restart")
			default:
				all = append(all, list.noun+" "+key+" "+how(was.m[key], is.m[key]))
			}
		}
	}
	return all
}

// containerChanges tells how the containers of a list differ, each in front of
// its changes if there are several.
func containerChanges(before, now fields, list, noun string) (all []string) {
	alone := noun == "container" && len(byName(now, list)) == 1
	return eachByName(before, now, list, noun, func(name string, was, is fields) (all []string) {
		prefix := noun + " " + name + ": "
		if alone {
			prefix = ""
		}
		for _, change := range oneContainer(was, is) {
			all = append(all, prefix+change)
		}
		return all
	})
}

// oneContainer tells how a container differs from its former self.
func oneContainer(was, is fields) (all []string) {
	for _, key := range containerKeys(was.m, is.m) {
		a, b := was.m[key], is.m[key]
		switch {
		case key == "name", reflect.DeepEqual(a, b):
		case key == "image":
			all = append(all, "image "+imageChange(shown(a), shown(b)))
		case key == "env":
			all = append(all, itemChanges(was, is, key, "env")...)
		case key == "resources":
			all = append(all, resourceChanges(was.under(key), is.under(key))...)
		case key == "volumeMounts":
			all = append(all, itemChanges(was, is, key, "mount of")...)
		case strings.HasSuffix(key, "Probe"):
			all = append(all, probeChange(key, was, is))
		case key == "imagePullPolicy", key == "restartPolicy", key == "workingDir":
			all = append(all, fmt.Sprintf("%s %s -> %s", key, shown(a), shown(b)))
		default:
			all = append(all, key+" "+how(a, b))
		}
	}
	return all
}

// probeChange tells how a probe is set by now. A change that this does not show is
// only said to be one.
func probeChange(key string, was, is fields) string {
	if old, now := probeSet(was.under(key)), probeSet(is.under(key)); old != now {
		return key + " " + old + " -> " + now
	}
	return key + " " + how(was.m[key], is.m[key])
}

// containerKeys are the fields of both, image and env first.
func containerKeys(was, is map[string]any) []string {
	keys := slices.DeleteFunc(keysOf(was, is), func(key string) bool { return key == "image" || key == "env" })
	return append([]string{"image", "env"}, keys...)
}

// imageChange names the new image by its tag only where the rest is the same.
func imageChange(was, is string) string {
	repo, tag := was, is
	if at := strings.LastIndexAny(is, ":@"); at > strings.LastIndexByte(is, '/') && strings.HasPrefix(repo, is[:at+1]) {
		tag = is[at+1:]
	}
	return was + " -> " + tag
}

// resourceChanges tells which requests and limits differ, by value.
func resourceChanges(was, is fields) (all []string) {
	for _, list := range [...]string{"requests", "limits"} {
		a, b := was.under(list), is.under(list)
		for _, key := range keysOf(a.m, b.m) {
			if !reflect.DeepEqual(a.m[key], b.m[key]) {
				all = append(all, fmt.Sprintf("%s.%s %s -> %s", list, key, shown(a.m[key]), shown(b.m[key])))
			}
		}
	}
	if len(all) == 0 {
		all = append(all, "resources changed")
	}
	return all
}

// itemChanges names the items of a list that differ.
func itemChanges(was, is fields, list, noun string) (all []string) {
	all = eachByName(was, is, list, noun, func(name string, was, is fields) []string {
		if reflect.DeepEqual(was.m, is.m) {
			return nil
		}
		return []string{noun + " " + name + " changed"}
	})
	if len(all) == 0 {
		all = append(all, list+" changed")
	}
	return all
}

// eachByName tells which items of a list have come and gone, and of each of the
// others how it differs.
func eachByName(before, now fields, list, noun string, differs func(name string, was, is fields) []string) (all []string) {
	was, is := byName(before, list), byName(now, list)
	for _, name := range keysOf(was, is) {
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

func how(was, is any) string {
	switch {
	case was == nil:
		return "added"
	case is == nil:
		return "removed"
	}
	return "changed"
}

func byName(f fields, list string) map[string]fields {
	all := map[string]fields{}
	for item := range f.each(list) {
		all[nameOf(item.m)] = item
	}
	return all
}

// keysOf returns the keys of two maps, in order.
func keysOf[V any](a, b map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}
