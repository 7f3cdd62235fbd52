package explain

import (
	"slices"
	"strings"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/status"
)

// What to look for to explain an object of a kind, besides its parts and what it
// refers to, given what is known by now.
var listsOf = map[status.Kind]func(*object) []List{
	deployment: recreated,
	service:    serviceLists,
	ingress:    ingressLists,
	budget:     budgetLists,

	helmRelease:   releaseLists,
	machineHealth: watchedLists,
}

// missingLists returns the lists that would help to explain an object and are not
// among the facts.
func (o *object) missingLists() []List {
	of := listsOf[o.ID.GroupKind()]
	if o.isDeleting() {
		of = deletionLists
	}
	if of == nil {
		return nil
	}
	return slices.DeleteFunc(of(o), o.index.isListed)
}

// list names the objects of a kind in a namespace that have labels.
func (o *object) list(kind status.Kind, namespace string, labels map[string]string) List {
	return List{Cluster: o.ID.Cluster, Group: kind.Group, Kind: kind.Kind, Namespace: namespace, Selector: selectorOf(labels)}
}

// isListed reports whether all objects of a list are among the facts: the list has
// been read, or one that includes it.
func (x *index) isListed(l List) bool {
	wider := l
	wider.Selector = ""
	everywhere := wider
	everywhere.Namespace = ""
	return x.lists[l] || x.lists[wider] || x.lists[everywhere]
}

// objectsIn returns the known objects of a list, in order.
func (x *index) objectsIn(l List) (all []*object) {
	for _, o := range x.all {
		if o.Object != nil && o.ID.Cluster == l.Cluster && o.ID.Group == l.Group && o.ID.Kind == l.Kind &&
			(l.Namespace == "" || o.ID.Namespace == l.Namespace) && selects(l.Selector, o.Labels("metadata.labels")) {
			all = append(all, o)
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
