package explain

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"kstatus.dev/status"
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
	case namedKinds[lower].Kind != "":
		r.ID.Group, r.ID.Kind, r.Guessed = namedKinds[lower].Group, namedKinds[lower].Kind, true
	case coreField(lower) != "":
		r.ID.Kind, r.Guessed = coreField(lower), true
	}
	if r.ID.Kind == "" {
		return false
	}
	r.ID.Namespace = scopeOf(r.ID)
	// From outside of any namespace it is not known where it is looked for, and
	// what a provider works with may be in another cluster.
	if at.node.ID.Namespace == "" && !at.has("namespace") || at.node.has("spec.forProvider") {
		r.Guessed = true
	}
	if r.ID.Namespace != "" || r.ID.Group != "" || scopeOf(ID{Kind: r.ID.Kind, Namespace: "any"}) == "" {
		s.found = append(s.found, r)
	}
	return true
}

// named takes a field that holds a name, such as secretName, as a reference.
func (s *search) named(f fields, field, name string) {
	if name == "" || f.node.ID.Namespace == "" || !strings.HasSuffix(field, "Name") || ignoredRef(field) {
		return
	}
	if kind := coreField(strings.ToLower(strings.TrimSuffix(field, "Name")) + "ref"); kind != "" {
		id := ID{f.node.ID.Cluster, "", kind, f.node.ID.Namespace, name}
		s.found = append(s.found, Ref{Path: f.path + field, ID: id, Guessed: true})
	}
}

// What fields that give a name alone refer to, by their name in lower case.
var namedKinds = map[string]status.Kind{
	"scaletargetref":    deployment,
	"pipelineref":       {Group: "tekton.dev", Kind: "Pipeline"},
	"taskref":           {Group: "tekton.dev", Kind: "Task"},
	"authenticationref": {Group: "keda.sh", Kind: "TriggerAuthentication"},
}

// snapshotRefs are the class of a snapshot and the claim that it is made of.
func snapshotRefs(n *node) (all []Ref) {
	if name := n.text("spec.volumeSnapshotClassName"); name != "" {
		class := status.Kind{Group: snapshot.Group, Kind: "VolumeSnapshotClass"}
		all = append(all, Ref{Path: "spec.volumeSnapshotClassName", ID: n.refer(class, "", name)})
	}
	if name := n.text("spec.source.persistentVolumeClaimName"); name != "" {
		all = append(all, Ref{Path: "spec.source.persistentVolumeClaimName", ID: n.refer(claim, n.ID.Namespace, name)})
	}
	if name := n.text("status.boundVolumeSnapshotContentName"); name != "" {
		content := status.Kind{Group: snapshot.Group, Kind: "VolumeSnapshotContent"}
		all = append(all, Ref{Path: "status.boundVolumeSnapshotContentName", ID: n.refer(content, "", name)})
	}
	return all
}

var snapshot = status.Kind{Group: "snapshot.storage.k8s.io", Kind: "VolumeSnapshot"}

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
