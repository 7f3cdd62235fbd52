package explain

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// How far the fields of an object are searched for references.
const (
	deepestField = 8
	mostFields   = 4000
)

// shapedRefs are the references that the fields of an object look like: in any
// field whose name ends in Ref or Refs what has a kind and a name, and what is
// well known to name a Secret, a ConfigMap or the like. Those of status are made
// by its controller, so they may be missing.
func shapedRefs(n *node) []Ref {
	s := &search{}
	s.look(n.under("spec"), "", 0)
	of := len(s.found)
	s.look(n.under("status"), "", 0)
	for i := of; i < len(s.found); i++ {
		s.found[i].Optional = true
	}
	return s.found
}

// A search collects references from fields, in the order of their names.
type search struct {
	found []Ref
	seen  int // fields
}

func (s *search) look(f fields, key string, depth int) {
	if depth > deepestField {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(f.m)) {
		if s.seen++; s.seen > mostFields || len(s.found) >= 2*mostRefs {
			return
		}
		switch v := f.m[name].(type) {
		case string:
			s.named(f, name, v)
		case map[string]any:
			at := fields{v, f.path + name + ".", f.node}
			if !s.refers(at, name) {
				s.look(at, name, depth+1)
			}
		case []any:
			for i, item := range v {
				m, _ := item.(map[string]any)
				at := fields{m, f.path + name + "[" + strconv.Itoa(i) + "].", f.node}
				if m != nil && !s.refers(at, name) {
					s.look(at, name, depth+1)
				}
			}
		}
	}
}

// The fields that look like references and are none that matters: what the
// object writes to, who it belongs to, and what lives in another cluster.
func ignoredRef(field string) bool {
	field = strings.ToLower(field)
	switch field {
	case "noderef", "ownerref", "ownerrefs", "ownerreferences", "claimref", "compositeref", "compositionrevisionref", "privatekeysecretref":
		return true
	}
	return strings.HasPrefix(field, "write") || strings.HasPrefix(field, "output") || strings.HasPrefix(field, "publish") || strings.HasPrefix(field, "last")
}

// refers takes a field as a reference if it is one.
func (s *search) refers(at fields, field string) bool {
	lower := strings.ToLower(field)
	if ignoredRef(field) {
		return true
	}
	if !strings.HasSuffix(lower, "ref") && !strings.HasSuffix(lower, "refs") && !strings.HasSuffix(lower, "references") && !strings.HasSuffix(lower, "from") {
		return false
	}
	id := ID{Cluster: at.node.ID.Cluster, Kind: at.text("kind"), Name: at.text("name"), Namespace: first(at.text("namespace"), at.node.ID.Namespace)}
	if id.Name == "" {
		return false
	}
	id.Group = first(at.text("apiGroup"), at.text("group"), GroupOf(at.text("apiVersion")))
	r := Ref{Path: at.path + "name", ID: id, Optional: at.is("optional")}
	switch {
	case at.has("apiVersion") || at.has("apiGroup") || at.has("group"):
	case coreKind(id.Kind):
	case id.Kind != "":
		r.ID.Group, r.Guessed = at.node.ID.Group, true
	case coreField(lower) != "":
		r.ID.Kind, r.Guessed = coreField(lower), true
	}
	if r.ID.Kind == "" {
		return false
	}
	r.ID.Namespace = scopeOf(r.ID)
	s.found = append(s.found, r)
	return true
}

// named takes a field that holds a name, such as secretName, as a reference.
func (s *search) named(f fields, field, name string) {
	if name == "" || !strings.HasSuffix(field, "Name") || ignoredRef(field) {
		return
	}
	if kind := coreField(strings.ToLower(strings.TrimSuffix(field, "Name")) + "ref"); kind != "" {
		id := ID{f.node.ID.Cluster, "", kind, f.node.ID.Namespace, name}
		s.found = append(s.found, Ref{Path: f.path + field, ID: id, Guessed: true})
	}
}

// coreKind reports whether a kind without a group is one of the core group.
func coreKind(kind string) bool {
	switch kind {
	case "Secret", "ConfigMap", "Service", "ServiceAccount", "PersistentVolumeClaim", "Namespace", "Node", "Pod":
		return true
	}
	return false
}

// coreField returns the kind that a field of a name in lower case refers to,
// empty if that is not known.
func coreField(field string) string {
	for _, of := range [...]struct{ ends, kind string }{
		{"secretref", "Secret"}, {"secretkeyref", "Secret"}, {"secretrefs", "Secret"},
		{"configmapref", "ConfigMap"}, {"configmapkeyref", "ConfigMap"},
		{"serviceaccountref", "ServiceAccount"},
	} {
		if strings.HasSuffix(field, of.ends) {
			return of.kind
		}
	}
	return ""
}

// scopeOf returns the namespace of what is referred to, empty for the kinds that
// are known to have none.
func scopeOf(id ID) string {
	switch id.Kind {
	case "Namespace", "Node", "ClusterIssuer", "ClusterSecretStore", "ClusterGenerator", "IngressClass", "GatewayClass", "StorageClass", "CustomResourceDefinition", "Composition", "EC2NodeClass":
		return ""
	}
	return id.Namespace
}
