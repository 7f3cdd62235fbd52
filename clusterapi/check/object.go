package check

import (
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// A providerObject is an object of a kind with a role.
type providerObject struct {
	index    int
	raw      map[string]any
	role     roles.Role
	contract Contract
	status.ID
}

// An objectGraph holds all objects of a run, and their references.
type objectGraph struct {
	objects  []map[string]any
	provided []providerObject  // objects of kinds with a role
	index    map[status.ID]int // indices into objects
	known    map[status.Kind]kind
	defined  map[status.Kind]bool // all definitions, also of kinds without a role
	ids      map[[3]string]int    // the first machine by group, kind and provider ID
	users    map[status.ID]int    // the Cluster, Machine or MachinePool that refers to a provider's object
}

const coreGroup = "cluster.x-k8s.io"

var secretKind = status.Kind{Kind: "Secret"}

func groupOf(apiVersion string) string {
	group, _, there := strings.Cut(apiVersion, "/")
	if !there {
		return ""
	}
	return group
}

func idOf(o map[string]any) status.ID {
	kind := status.Kind{Group: groupOf(decoded.Text(o, "apiVersion")), Kind: decoded.Text(o, "kind")}
	return status.ID{Kind: kind, Namespace: decoded.Text(o, "metadata", "namespace"), Name: decoded.Text(o, "metadata", "name")}
}

// target resolves a reference in a core object, in the namespace of that
// object. v1beta1 writes an apiVersion, v1beta2 an apiGroup.
func target(from map[string]any, names ...string) (status.ID, bool) {
	r := decoded.Map(from, names...)
	group := decoded.Text(r, "apiGroup")
	if group == "" {
		group = groupOf(decoded.Text(r, "apiVersion"))
	}
	kind := status.Kind{Group: group, Kind: decoded.Text(r, "kind")}
	id := status.ID{Kind: kind, Namespace: decoded.Text(from, "metadata", "namespace"), Name: decoded.Text(r, "name")}
	return id, kind.Kind != "" && id.Name != ""
}

// references lists the fields by which core's kinds refer to objects of
// providers.
var references = []struct {
	kind  string
	names []string
}{
	{"Cluster", []string{"spec", "infrastructureRef"}},
	{"Cluster", []string{"spec", "controlPlaneRef"}},
	{"Machine", []string{"spec", "infrastructureRef"}},
	{"Machine", []string{"spec", "bootstrap", "configRef"}},
	{"MachinePool", []string{"spec", "template", "spec", "infrastructureRef"}},
	{"MachinePool", []string{"spec", "template", "spec", "bootstrap", "configRef"}},
}

type graphKey struct{ options *Options }

// graphOf returns the objects of a run. All checks of the run share the graph.
func (o *Options) graphOf(p *lint.Pass) *objectGraph {
	return lint.Memo(p, graphKey{o}, func() *objectGraph { return o.buildGraph(p) })
}

func (o *Options) buildGraph(p *lint.Pass) *objectGraph {
	g := &objectGraph{objects: p.Bundle.Objects, index: map[status.ID]int{}, known: map[status.Kind]kind{}, defined: map[status.Kind]bool{}, ids: map[[3]string]int{}, users: map[status.ID]int{}}
	for _, k := range o.kinds(p) {
		g.known[status.Kind{Group: k.Group, Kind: k.Kind}] = k
	}
	for _, crd := range p.CRDs() {
		g.defined[status.Kind{Group: crd.Group, Kind: crd.Kind}] = true
	}
	for i, raw := range p.Bundle.Objects {
		id := idOf(raw)
		g.index[id] = i
		if id.Group == coreGroup {
			for _, reference := range references {
				if t, ok := target(raw, reference.names...); ok && reference.kind == id.Kind.Kind {
					g.users[t] = i
				}
			}
			continue
		}
		if found, ok := o.providerObjectOf(g, i, id); ok {
			g.provided = append(g.provided, found)
			key := found.idKey()
			if _, seen := g.ids[key]; !seen && found.role == roles.InfraMachine {
				g.ids[key] = len(g.provided) - 1
			}
		}
	}
	return g
}

// providerObjectOf determines the role of an object by its definition, or by
// its names if it has none.
func (o Options) providerObjectOf(g *objectGraph, i int, id status.ID) (providerObject, bool) {
	raw := g.objects[i]
	found := providerObject{index: i, raw: raw, ID: id, contract: ContractV1Beta2}
	if k, defined := g.known[id.Kind]; defined {
		found.role, found.contract = k.role, k.contract
		return found, true
	}
	role, set := o.Roles[id.Kind.Kind]
	if !set {
		role = roles.Of(id.Group, id.Kind.Kind, nil)
	}
	found.role = role
	if o.Contract != "" {
		found.contract = o.Contract
	}
	return found, role != roles.None
}

// runOnObjects calls the check for each object that matches its roles.
func (c *check) runOnObjects(p *lint.Pass, o *Options) {
	q := &pass{Pass: p, options: o, graph: o.graphOf(p)}
	for _, one := range q.graph.provided {
		if c.appliesTo(one.role, one.contract) {
			c.Object(q, one)
		}
	}
}

// reportObject adds a finding about a field of an object.
func (p *pass) reportObject(o providerObject, names, message, suggestion string) {
	p.ForObject(o.index).Report(lint.Finding{Path: path(names), Message: message, Suggestion: suggestion})
}

// initialized reports whether the object reports, in the field that core reads,
// that it is provisioned or initialized.
func (o providerObject) initialized() bool {
	return decoded.AtPath(o.raw, initializedField(o.role, o.contract)) == true
}

// deleting reports whether the object has a deletionTimestamp.
func (o providerObject) deleting() bool {
	return decoded.Text(o.raw, "metadata", "deletionTimestamp") != ""
}

// statusWritten reports whether the status has any field.
func (o providerObject) statusWritten() bool { return len(decoded.Map(o.raw, "status")) > 0 }

// user returns the Cluster, Machine or MachinePool that refers to the object.
func (g *objectGraph) user(o providerObject) (map[string]any, bool) {
	i, ok := g.users[o.ID]
	if !ok {
		return nil, false
	}
	return g.objects[i], true
}

func (o providerObject) idKey() [3]string {
	return [3]string{o.Group, o.Kind.Kind, decoded.Text(o.raw, "spec", "providerID")}
}

// find returns an object by its name.
func (g *objectGraph) find(id status.ID) (map[string]any, bool) {
	i, ok := g.index[id]
	if !ok {
		return nil, false
	}
	return g.objects[i], true
}

// cluster returns the Cluster that the object belongs to.
func (g *objectGraph) cluster(o providerObject) (map[string]any, bool) {
	name := decoded.Text(o.raw, "metadata", "labels", "cluster.x-k8s.io/cluster-name")
	if user, ok := g.user(o); ok {
		if decoded.Text(user, "kind") == "Cluster" {
			return user, true
		}
		name = decoded.Text(user, "spec", "clusterName")
	}
	return g.find(status.ID{Kind: status.Kind{Group: coreGroup, Kind: "Cluster"}, Namespace: o.Namespace, Name: name})
}
