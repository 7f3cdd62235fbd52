package explain

import (
	"slices"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/status"
)

// missingLists returns the lists that would help to explain an object and are not among
// the facts.
func (o *object) missingLists() []List {
	of := listsOf[o.ID.Kind]
	if o.isDeleting() {
		of = deletionLists
	}
	if of == nil {
		return nil
	}
	return slices.DeleteFunc(of(o), o.index.isListed)
}

// list returns the list of objects of a kind in a namespace with labels.
func (o *object) list(kind status.Kind, namespace string, labels map[string]string) List {
	return List{Cluster: o.ID.Cluster, Group: kind.Group, Kind: kind.Kind, Namespace: namespace, Selector: fields.SelectorOf(labels)}
}

// isListed reports whether the facts have all objects of a list: it was read, or a list
// that includes it.
func (x *index) isListed(l List) bool {
	wider := l
	wider.Selector = ""
	everywhere := wider
	everywhere.Namespace, everywhere.Name = "", ""
	return x.lists[l] || x.lists[wider] || x.lists[everywhere]
}

// addNames indexes an object by its name, its owners and its labels.
func (x *index) addNames(o *object) {
	wide := o.ID
	wide.Group = ""
	x.byName[wide] = append(x.byName[wide], o)
	for ref := range o.Each("metadata.ownerReferences") {
		uid := ref.Text("uid")
		if all := x.owned[uid]; uid != "" && (len(all) == 0 || all[len(all)-1] != o) {
			x.owned[uid] = append(all, o)
		}
	}
	kind := status.ID{Cluster: o.ID.Cluster, Kind: o.ID.Kind}
	x.byLabel[kind] = append(x.byLabel[kind], o)
	kind.Name = o.ID.Name
	x.namesakes[kind] = append(x.namesakes[kind], o)
	for key, value := range o.Labels("metadata.labels") {
		kind.Name = key + "=" + value
		x.byLabel[kind] = append(x.byLabel[kind], o)
	}
}

// objectsIn returns the known objects of a list, in order.
func (x *index) objectsIn(l List) (all []*object) {
	for _, o := range x.byLabel[status.ID{Cluster: l.Cluster, Kind: status.Kind{Group: l.Group, Kind: l.Kind}, Name: fields.FirstTerm(l.Selector)}] {
		if o.Object != nil && (l.Namespace == "" || o.ID.Namespace == l.Namespace) && fields.Selects(l.Selector, o.Labels("metadata.labels")) {
			all = append(all, o)
		}
	}
	return all
}
