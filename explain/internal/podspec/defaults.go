package podspec

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/fields"
)

// LimitRangeNote is the path of the annotation with the defaults that a LimitRange has set.
const LimitRangeNote = "metadata.annotations[kubernetes.io/limit-ranger]"

// IsLimitRangeDefault reports whether a LimitRange has set the request or the limit of a
// container for a resource, according to the annotation of admission:
//
//	LimitRanger plugin set: cpu, memory request for container app; memory limit for container app
func IsLimitRangeDefault(pod fields.Section, container, resource, bound string) bool {
	_, list, _ := strings.Cut(pod.Text(LimitRangeNote), "set: ")
	for part := range strings.SplitSeq(list, "; ") {
		what, name, ok := strings.Cut(part, " for init container ")
		if !ok {
			what, name, ok = strings.Cut(part, " for container ")
		}
		resources, isBound := strings.CutSuffix(what, " "+bound)
		if ok && isBound && name == container && slices.Contains(strings.Split(resources, ", "), resource) {
			return true
		}
	}
	return false
}
