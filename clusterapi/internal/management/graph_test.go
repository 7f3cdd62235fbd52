package management_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
)

// parse returns the objects of lines, and a graph of them in a random order.
func parse(t testing.TB, lines string) *management.Graph {
	t.Helper()
	objects, err := clusterapitest.Parse(lines)
	if err != nil {
		t.Fatal(err)
	}
	rand.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
	return management.NewGraph(objects)
}

// uids returns objects as the lines name them, sorted.
func uids(objects []*management.Object) string {
	var names []string
	for _, o := range objects {
		names = append(names, string(o.GetUID()))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func TestOwners(t *testing.T) {
	for _, row := range []struct{ it, objects, of, want string }{
		{"has owners by reference", "Cluster shop/a\nBox shop/b < Cluster shop/a", "Box shop/b", "Cluster shop/a"},
		{"has several owners", "Cluster shop/a\nMachine shop/m\nBox shop/b < Cluster shop/a < Machine shop/m", "Box shop/b", "Cluster shop/a, Machine shop/m"},
		{"does not own itself", "Box shop/b < Box shop/b", "Box shop/b", ""},
		{"counts an owner once", "Cluster shop/a\nBox shop/b < Cluster shop/a < Cluster shop/a cluster.x-k8s.io/cluster-name=a", "Box shop/b", "Cluster shop/a"},
		{"belongs to the Cluster of its label", "Cluster shop/a\nBox shop/b cluster.x-k8s.io/cluster-name=a", "Box shop/b", "Cluster shop/a"},
		{"belongs to no Cluster of another namespace", "Cluster shop/a\nBox web/b cluster.x-k8s.io/cluster-name=a", "Box web/b", ""},
		{"belongs to no Cluster that does not exist", "Box shop/b cluster.x-k8s.io/cluster-name=a", "Box shop/b", ""},
		{"knows the kubeconfig of a Cluster", "Cluster shop/a\nSecret shop/a-kubeconfig", "Secret shop/a-kubeconfig", "Cluster shop/a"},
		{"knows the client for etcd", "Cluster shop/a\nCluster shop/a-apiserver\nSecret shop/a-apiserver-etcd-client", "Secret shop/a-apiserver-etcd-client", "Cluster shop/a"},
		{"knows the certificate authority of etcd", "Cluster shop/a\nSecret shop/a-etcd", "Secret shop/a-etcd", "Cluster shop/a"},
		{"knows the key of service accounts", "Cluster shop/a\nSecret shop/a-sa", "Secret shop/a-sa", "Cluster shop/a"},
		{"ignores a Secret named like another purpose", "Cluster shop/a\nSecret shop/a-cache", "Secret shop/a-cache", ""},
		{"ignores the name of an owned Secret", "Cluster shop/a\nBox shop/b\nSecret shop/a-ca < Box shop/b", "Secret shop/a-ca", "Box shop/b"},
		{"ignores such a name of other kinds", "Cluster shop/a\nConfigMap shop/a-ca", "ConfigMap shop/a-ca", ""},
		{"prefers the label of a Secret to its name", "Cluster shop/a\nCluster shop/b\nSecret shop/a-ca cluster.x-k8s.io/cluster-name=b", "Secret shop/a-ca", "Cluster shop/b"},
		{"knows the binding of a Cluster", "Cluster shop/a\nClusterResourceSetBinding shop/a", "ClusterResourceSetBinding shop/a", "Cluster shop/a"},
		{"ignores the label of Clusters", "Cluster shop/a\nCluster shop/b cluster.x-k8s.io/cluster-name=a", "Cluster shop/b", ""},
		{"ignores the label of classes", "Cluster shop/a\nClusterClass shop/c cluster.x-k8s.io/cluster-name=a", "ClusterClass shop/c", ""},
		{"ignores the label of cluster-scoped objects", "Cluster shop/a\nRealm r cluster.x-k8s.io/cluster-name=a", "Realm r", ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			g := parse(t, row.objects)
			o := g.Owner(types.UID(row.of))
			if have := uids(o.Owners); have != row.want {
				t.Errorf("the owners of %s are %q, want %q", row.of, have, row.want)
			}
			for _, owner := range o.Owners {
				if !slices.Contains(owner.Owned, o) {
					t.Errorf("%s does not have %s among what it owns", owner.GetUID(), row.of)
				}
			}
		})
	}
}

func TestAbsentOwners(t *testing.T) {
	g := parse(t, "Cluster shop/a\nBox shop/b < Cluster shop/a < Deployment shop/d")
	b := g.Owner("Box shop/b")
	if len(b.AbsentOwners) != 1 || b.AbsentOwners[0].Kind != "Deployment" || uids(b.Owners) != "Cluster shop/a" {
		t.Errorf("it has the owners %q and the absent owners %v", uids(b.Owners), b.AbsentOwners)
	}
}

func TestClass(t *testing.T) {
	const classes = "ClusterClass shop/std\nClusterClass base/std\n"
	for _, row := range []struct{ it, cluster, want string }{
		{"is in the namespace of the Cluster", "{spec: {topology: {classRef: {name: std}}}}", "ClusterClass shop/std"},
		{"is in the namespace of the reference", "{spec: {topology: {classRef: {name: std, namespace: base}}}}", "ClusterClass base/std"},
		{"is that of v1beta1", "{spec: {topology: {class: std}}}", "ClusterClass shop/std"},
		{"is in the namespace of v1beta1", "{spec: {topology: {class: std, classNamespace: base}}}", "ClusterClass base/std"},
		{"does not exist", "{spec: {topology: {classRef: {name: other}}}}", ""},
		{"is missing", "{spec: {}}", ""},
		{"has a hostile name", "{spec: {topology: {classRef: {name: [std]}, class: 7}}}", ""},
		{"is no object", "{spec: {topology: std}}", ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			g := parse(t, classes+"Cluster shop/a : "+row.cluster)
			have := ""
			if class := g.Owner("Cluster shop/a").Class; class != nil {
				have = string(class.GetUID())
			}
			if have != row.want {
				t.Errorf("the class is %q, want %q", have, row.want)
			}
		})
	}
}

const family = `
Cluster shop/a
Machine shop/m < Cluster shop/a
Box shop/b < Machine shop/m
Secret shop/s < Box shop/b < Cluster shop/z
Cluster shop/z
Box shop/x < Box shop/y
Box shop/y < Box shop/x
Box shop/below < Box shop/x
`

func TestClusters(t *testing.T) {
	for _, row := range []struct{ it, objects, of, want string }{
		{"descends from a Cluster at any distance", family, "Box shop/b", "Cluster shop/a"},
		{"descends from two Clusters", family, "Secret shop/s", "Cluster shop/a, Cluster shop/z"},
		{"is its own Cluster", family, "Cluster shop/a", "Cluster shop/a"},
		{"is below a cycle", family, "Box shop/below", ""},
		{"is part of a cycle below a Cluster", "Cluster shop/a\nBox shop/x < Box shop/y < Cluster shop/a\nBox shop/y < Box shop/x", "Box shop/y", "Cluster shop/a"},
		{"is below a cycle below two Clusters", "Cluster shop/a\nCluster shop/b\nBox shop/x < Box shop/y < Cluster shop/b\nBox shop/y < Box shop/x < Cluster shop/a\nBox shop/z < Box shop/y", "Box shop/z", "Cluster shop/a, Cluster shop/b"},
		{"is above a Cluster", "Box shop/b\nCluster shop/a < Box shop/b", "Box shop/b", ""},
		{"does not count the Cluster of its Cluster", "Cluster shop/a\nBox shop/b < Cluster shop/a\nCluster shop/c < Box shop/b\nBox shop/d < Cluster shop/c", "Box shop/d", "Cluster shop/c"},
		{"owns the Cluster that owns it", "Cluster shop/a < Box shop/b\nBox shop/b < Cluster shop/a", "Box shop/b", "Cluster shop/a"},
		{"has owners with the same Cluster", "Cluster shop/a\nBox shop/x < Cluster shop/a\nBox shop/y < Cluster shop/a\nBox shop/z < Box shop/x < Box shop/y", "Box shop/z", "Cluster shop/a"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := uids(parse(t, row.objects).Owner(types.UID(row.of)).Clusters); have != row.want {
				t.Errorf("the Clusters of %s are %q, want %q", row.of, have, row.want)
			}
		})
	}
}

// nearest returns what Clusters must be, by a search from one object.
func nearest(of *management.Object) []*management.Object {
	var found []*management.Object
	seen := map[*management.Object]bool{of: true}
	for todo := []*management.Object{of}; len(todo) > 0; todo = todo[1:] {
		if todo[0].Kind.GroupKind() == management.Cluster {
			found = append(found, todo[0])
			continue
		}
		for _, owner := range todo[0].Owners {
			if !seen[owner] {
				seen[owner] = true
				todo = append(todo, owner)
			}
		}
	}
	slices.SortFunc(found, management.CompareObjects)
	return found
}

// The search for Clusters visits each owner once, also in a long chain.
func TestClustersAreFoundOnce(t *testing.T) {
	for _, n := range []int{100, 2000} {
		lines := "Cluster shop/a\nBox shop/0 < Cluster shop/a\n"
		for i := range n {
			lines += fmt.Sprintf("Box shop/%d < Box shop/%d\n", i+1, i)
		}
		if have, want := parse(t, lines).Visits(), n+1; have != want {
			t.Errorf("the search in a chain of %d objects took %d visits, want %d", n, have, want)
		}
	}
}

// The order of lists and of references does not matter.
func TestGraphIsSorted(t *testing.T) {
	want := ""
	for range 20 {
		var lines []string
		for _, o := range parse(t, family).Objects {
			lines = append(lines, fmt.Sprintf("%s: %s", o.ID(), uids(o.Owners)))
		}
		have := strings.Join(lines, "\n")
		if want == "" {
			want = have
		}
		if have != want {
			t.Fatalf("the graph of the same objects is\n%s\nand\n%s", want, have)
		}
	}
}

func TestSameObjectTwice(t *testing.T) {
	if g := parse(t, "Cluster shop/a\nCluster shop/a\nBox shop/b < Cluster shop/a"); len(g.Objects) != 2 {
		t.Errorf("the graph has %s", uids(g.Objects))
	}
}
