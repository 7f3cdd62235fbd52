package podspec

import (
	"slices"
	"strconv"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/show"
)

const nodeAffinity = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"

// AllowsNode reports whether the node selector and the node affinity of a Pod match a node.
func AllowsNode(pod, node fields.Section) bool {
	labels := node.Labels("metadata.labels")
	for key, value := range pod.Labels("spec.nodeSelector") {
		if have, ok := labels[key]; !ok || have != value {
			return false
		}
	}
	return pod.Len(nodeAffinity) == 0 || MatchesTerms(pod, nodeAffinity, node)
}

// MatchesTerms reports whether a node matches one of the node selector terms at a path.
func MatchesTerms(of fields.Section, path string, node fields.Section) bool {
	labels, name := node.Labels("metadata.labels"), map[string]string{"metadata.name": node.Text("metadata.name")}
	for term := range of.Each(path) {
		matches := term.Len("matchExpressions")+term.Len("matchFields") > 0
		for e := range term.Each("matchExpressions") {
			matches = matches && isMatch(e, labels)
		}
		for e := range term.Each("matchFields") {
			matches = matches && isMatch(e, name)
		}
		if matches {
			return true
		}
	}
	return false
}

// Selects reports whether labels match the expressions of a label selector.
func Selects(selector fields.Section, labels map[string]string) bool {
	for e := range selector.Each("matchExpressions") {
		if !isMatch(e, labels) {
			return false
		}
	}
	return true
}

// isMatch reports whether labels match one requirement of a node selector.
func isMatch(requirement fields.Section, labels map[string]string) bool {
	value, has := labels[requirement.Text("key")]
	values := requirement.Texts("values")
	switch requirement.Text("operator") {
	case "In":
		return has && slices.Contains(values, value)
	case "NotIn":
		return !has || !slices.Contains(values, value)
	case "Exists":
		return has
	case "DoesNotExist":
		return !has
	}
	have, err := strconv.ParseInt(value, 10, 64) // Gt or Lt
	if err != nil || len(values) != 1 {
		return false
	}
	limit, err := strconv.ParseInt(values[0], 10, 64)
	return err == nil && (requirement.Text("operator") == "Gt" && have > limit || requirement.Text("operator") == "Lt" && have < limit)
}

// Untolerated returns the taints of a node that keep a Pod from being scheduled.
func Untolerated(pod, node fields.Section) (taints []fields.Section) {
	for taint := range node.Each("spec.taints") {
		if effect := taint.Text("effect"); (effect == "NoSchedule" || effect == "NoExecute") && !tolerates(pod, taint) {
			taints = append(taints, taint)
		}
	}
	return taints
}

// tolerates reports whether a toleration of a Pod matches a taint.
func tolerates(pod, taint fields.Section) bool {
	for t := range pod.Each("spec.tolerations") {
		key, effect := t.Text("key"), t.Text("effect")
		if (effect != "" && effect != taint.Text("effect")) || (key != "" && key != taint.Text("key")) {
			continue
		}
		if t.Text("operator") == "Exists" || key != "" && t.Text("value") == taint.Text("value") {
			return true
		}
	}
	return false
}

// Taint renders a taint: dedicated=batch:NoSchedule.
func Taint(taint fields.Section) string {
	text := taint.Text("key")
	if value := taint.Text("value"); value != "" {
		text += "=" + value
	}
	return show.Line(text + ":" + taint.Text("effect"))
}
