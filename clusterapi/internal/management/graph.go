package management

import (
	"cmp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

// IDOf returns the ID of an object of a kind.
func IDOf(kind schema.GroupKind, namespace, name string) status.ID {
	return status.ID{Kind: status.Kind(kind), Namespace: namespace, Name: name}
}

// An Object is an object of Cluster API with its relations in a [Graph].
type Object struct {
	Kind *Kind
	*unstructured.Unstructured

	// Owners are the objects of the graph that own this one. An owner reference, the label of a
	// Cluster, or the usual name of a Secret of a Cluster shows them.
	Owners []*Object
	// AbsentOwners are the owner references to objects that are not in the graph.
	AbsentOwners []metav1.OwnerReference
	// Owned are the objects that this one owns.
	Owned []*Object
	// References are its references by name, sorted by path, with their objects if the graph has
	// them.
	References []Reference
	// Class is the ClusterClass of a Cluster, if the graph has it.
	Class *Object
	// Clusters are the nearest Clusters from which the object descends, in the order of the graph. A
	// Cluster is its own, and what owns it does not count.
	Clusters []*Object
	// Index is the place of the object in [Graph.Objects].
	Index int
}

// ID returns the ID of the object.
func (o *Object) ID() status.ID { return IDOf(o.Kind.GroupKind(), o.GetNamespace(), o.GetName()) }

// Title returns the name of the object as KIND NAMESPACE/NAME.
func (o *Object) Title() string {
	if o.GetNamespace() == "" {
		return o.Kind.Kind + " " + o.GetName()
	}
	return o.Kind.Kind + " " + o.GetNamespace() + "/" + o.GetName()
}

// CompareObjects orders objects by namespace, group, kind and name.
func CompareObjects(o, other *Object) int {
	a, b := o.ID(), other.ID()
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Group, b.Group),
		strings.Compare(a.Kind.Kind, b.Kind.Kind), strings.Compare(a.Name, b.Name))
}

// A Graph is a set of objects with the relations between them.
type Graph struct {
	Objects []*Object // in the order of [CompareObjects]

	byUID  map[types.UID]*Object
	byID   map[status.ID]*Object
	byName map[kindName]*Object // the first object with a kind and a name
	visits int                  // how many owners the search for Clusters has followed
}

// A kindName is what a reference without a group says.
type kindName struct {
	kind, namespace, name string
	clusterScoped         bool // then it has no namespace
}

// NewGraph returns a graph of objects. It sets the relations of the objects.
func NewGraph(objects []*Object) *Graph {
	g := &Graph{Objects: slices.Clone(objects), byUID: map[types.UID]*Object{}, byID: map[status.ID]*Object{}, byName: map[kindName]*Object{}}
	slices.SortStableFunc(g.Objects, CompareObjects)
	g.Objects = slices.CompactFunc(g.Objects, func(a, b *Object) bool { return a.ID() == b.ID() })
	for i, o := range g.Objects {
		*o = Object{Kind: o.Kind, Unstructured: o.Unstructured, Index: i}
		g.byUID[o.GetUID()] = o
		g.byID[o.ID()] = o
		if name := nameOf(o); g.byName[name] == nil {
			g.byName[name] = o
		}
	}
	for _, o := range g.Objects {
		g.connect(o)
	}
	g.setClusters()
	return g
}

// nameOf returns what a reference without a group says to name an object.
func nameOf(o *Object) kindName {
	if !o.Kind.Namespaced {
		return kindName{kind: o.Kind.Kind, name: o.GetName(), clusterScoped: true}
	}
	return kindName{kind: o.Kind.Kind, namespace: o.GetNamespace(), name: o.GetName()}
}

// Get returns the object with an ID, and nil if there is none.
func (g *Graph) Get(id status.ID) *Object { return g.byID[id] }

// Owner returns the object with a UID, and nil if there is none.
func (g *Graph) Owner(uid types.UID) *Object { return g.byUID[uid] }

// connect sets the relations of an object to others.
func (g *Graph) connect(o *Object) {
	for _, r := range o.GetOwnerReferences() {
		if owner := g.byUID[r.UID]; owner != nil {
			o.addOwner(owner)
		} else {
			o.AbsentOwners = append(o.AbsentOwners, r)
		}
	}
	if owner := g.clusterByName(o); owner != nil {
		o.addOwner(owner)
	}
	o.References = References(o)
	for i, r := range o.References {
		o.References[i].Object = g.find(r)
	}
	if o.Kind.GroupKind() == Cluster {
		o.Class = g.byID[ClassOf(o.Unstructured)]
	}
}

// addOwner adds an owner, unless it is known or the object itself.
func (o *Object) addOwner(owner *Object) {
	if owner == o || slices.Contains(o.Owners, owner) {
		return
	}
	o.Owners = append(o.Owners, owner)
	owner.Owned = append(owner.Owned, o)
}

// secretPurposes are the ends of the names of the Secrets that Cluster API reads for a Cluster.
var secretPurposes = []string{"-apiserver-etcd-client", "-kubeconfig", "-proxy", "-etcd", "-ca", "-sa"}

// clusterByName returns the Cluster that an object belongs to by its name or label, and nil if
// there is none.
func (g *Graph) clusterByName(o *Object) *Object {
	gk, name := o.Kind.GroupKind(), ""
	cluster := func(name string) *Object { return g.byID[IDOf(Cluster, o.GetNamespace(), name)] }
	switch {
	case gk == Cluster || gk == ClusterClass || !o.Kind.Namespaced:
		return nil
	case gk == resourceSetBinding:
		return cluster(o.GetName())
	case gk == Secret && len(o.GetOwnerReferences()) == 0:
		for _, purpose := range secretPurposes {
			if before, found := strings.CutSuffix(o.GetName(), purpose); found {
				name = before
				break
			}
		}
	}
	if label := o.GetLabels()[ClusterNameLabel]; label != "" {
		name = label
	}
	if name == "" {
		return nil
	}
	return cluster(name)
}

// find returns the object that a reference names. A reference without a group names the first
// object of its kind.
func (g *Graph) find(r Reference) *Object {
	if o := g.byID[r.ID]; o != nil {
		return o
	}
	if r.Group != "" { // the reference may be to a cluster-scoped object
		return g.byID[IDOf(r.GroupKind(), "", r.Name)]
	}
	first := g.byName[kindName{kind: r.Kind.Kind, namespace: r.Namespace, name: r.Name}]
	global := g.byName[kindName{kind: r.Kind.Kind, name: r.Name, clusterScoped: true}]
	if first == nil || global != nil && global.Index < first.Index {
		return global
	}
	return first
}

// ClassOf returns the ID of the ClusterClass of a Cluster, and the zero ID if it has none.
func ClassOf(cluster *unstructured.Unstructured) status.ID {
	topology := decoded.Map(cluster.Object, "spec", "topology")
	// The second names are those of v1beta1.
	name := cmp.Or(decoded.Text(topology, "classRef", "name"), decoded.Text(topology, "class"))
	if name == "" {
		return status.ID{}
	}
	return IDOf(ClusterClass, cmp.Or(decoded.Text(topology, "classRef", "namespace"), decoded.Text(topology, "classNamespace"), cluster.GetNamespace()), name)
}
