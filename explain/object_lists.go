package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/status"
)

// What to look for to explain an object of a kind, besides its parts and what it
// refers to, given what is known by now.
var listsOf = map[status.Kind]func(*node) []List{
	deployment: recreated,
	service:    serviceLists,
	ingress:    ingressLists,
	budget:     budgetLists,

	helmRelease:   releaseLists,
	machineHealth: watchedLists,
}

// wanted returns the lists that would help to explain an object and are not
// among the facts.
func (n *node) wanted() []List {
	of := listsOf[n.ID.GroupKind()]
	if n.ending() {
		of = endingLists
	}
	if of == nil {
		return nil
	}
	return slices.DeleteFunc(of(n), n.scene.listed)
}

// list names the objects of a kind in a namespace that have labels.
func (n *node) list(kind status.Kind, namespace string, labels map[string]string) List {
	return List{Cluster: n.ID.Cluster, Group: kind.Group, Kind: kind.Kind, Namespace: namespace, Selector: selectorOf(labels)}
}

// listed reports whether all objects that a list names are among the facts: it
// has been read, or one that holds them all has.
func (s *scene) listed(l List) bool {
	wider := l
	wider.Selector = ""
	everywhere := wider
	everywhere.Namespace = ""
	return s.lists[l] || s.lists[wider] || s.lists[everywhere]
}

// among returns the known objects that a list names, in order.
func (s *scene) among(l List) (all []*node) {
	for _, n := range s.all {
		if n.Object != nil && n.ID.Cluster == l.Cluster && n.ID.Group == l.Group && n.ID.Kind == l.Kind &&
			(l.Namespace == "" || n.ID.Namespace == l.Namespace) && selects(l.Selector, n.Labels("metadata.labels")) {
			all = append(all, n)
		}
	}
	return all
}

// selectorOf writes labels as a selector, in order.
func selectorOf(labels map[string]string) string {
	var terms []string
	for _, key := range fields.Keys(labels) {
		terms = append(terms, key+"="+labels[key])
	}
	return strings.Join(terms, ",")
}

// selects reports whether labels have all that a selector asks for.
func selects(selector string, labels map[string]string) bool {
	if selector == "" {
		return true
	}
	for term := range strings.SplitSeq(selector, ",") {
		key, value, _ := strings.Cut(term, "=")
		if have, ok := labels[key]; !ok || have != value {
			return false
		}
	}
	return true
}
