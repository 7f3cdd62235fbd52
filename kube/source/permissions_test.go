package source_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// served is a cluster that receives no requests, since the mapper knows its kinds.
func served() *source.Cluster {
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}, {Group: "apps", Version: "v1"}, {Group: "example.com", Version: "v1alpha1"}})
	for kind, scope := range map[schema.GroupVersionKind]meta.RESTScope{
		{Version: "v1", Kind: "ConfigMap"}:                          meta.RESTScopeNamespace,
		{Version: "v1", Kind: "Secret"}:                             meta.RESTScopeNamespace,
		{Version: "v1", Kind: "Pod"}:                                meta.RESTScopeNamespace,
		{Version: "v1", Kind: "PersistentVolumeClaim"}:              meta.RESTScopeNamespace,
		{Version: "v1", Kind: "Service"}:                            meta.RESTScopeNamespace,
		{Version: "v1", Kind: "Node"}:                               meta.RESTScopeRoot,
		{Group: "apps", Version: "v1", Kind: "Deployment"}:          meta.RESTScopeNamespace,
		{Group: "apps", Version: "v1", Kind: "StatefulSet"}:         meta.RESTScopeNamespace,
		{Group: "example.com", Version: "v1alpha1", Kind: "Widget"}: meta.RESTScopeNamespace,
	} {
		mapper.Add(kind, scope)
	}
	client, err := source.NewClient(&rest.Config{Host: "https://127.0.0.1:1"}, source.Options{Mapper: mapper})
	if err != nil {
		panic(err) // cannot happen: the address is valid
	}
	return &source.Cluster{Client: client, Namespace: "home"}
}

// targets parses targets written as Kind.group/namespace/name. Without a name it is a
// selection.
func targets(texts ...string) (all []observe.Target) {
	for _, text := range texts {
		parts := strings.Split(text, "/")
		kind, group, _ := strings.Cut(parts[0], ".")
		all = append(all, observe.Target{Kind: status.Kind{Group: group, Kind: kind}, Namespace: parts[1], Name: parts[2]})
	}
	return all
}

// targetsInNamespaces returns targets of a kind, one in each of so many namespaces.
func targetsInNamespaces(kind string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("%s/ns%02d/x", kind, i))
	}
	return all
}

func TestPermissions(t *testing.T) {
	const objects, look = " get,list,watch", " list,watch"
	rows := []struct {
		it      string
		targets []string
		want    []string
	}{
		{"names one object", []string{"ConfigMap/shop/a"}, []string{"shop: objects configmaps [a]" + objects}},
		{"names few objects", []string{"ConfigMap/shop/b", "ConfigMap/shop/a", "ConfigMap/shop/b"}, []string{"shop: objects configmaps [a b]" + objects}},
		{"names none of many objects", []string{"ConfigMap/shop/a", "ConfigMap/shop/b", "ConfigMap/shop/c", "ConfigMap/shop/d", "ConfigMap/shop/e", "ConfigMap/shop/f"},
			[]string{"shop: objects configmaps []" + objects}},
		{"names any number of Secrets", []string{"Secret/shop/a", "Secret/shop/b", "Secret/shop/c", "Secret/shop/d", "Secret/shop/e", "Secret/shop/f"},
			[]string{"shop: objects secrets [a b c d e f]" + objects}},
		{"needs all Secrets for a selection", []string{"Secret/shop/a", "Secret/shop/"}, []string{"shop: objects secrets []" + objects}},
		{"uses the default namespace", []string{"ConfigMap//a", "ConfigMap/home/b"}, []string{"home: objects configmaps [a b]" + objects}},
		{"needs the whole kind for a selection", []string{"ConfigMap/shop/a", "ConfigMap/shop/"}, []string{"shop: objects configmaps []" + objects}},
		{"needs the whole cluster for a selection of all namespaces", []string{"ConfigMap//"}, []string{": objects configmaps []" + objects}},
		{"needs the whole cluster for a cluster-scoped kind", []string{"Node//n"}, []string{": objects nodes [n]" + objects}},
		{"needs the whole cluster for very many namespaces", targetsInNamespaces("ConfigMap", 21), []string{": objects configmaps []" + objects}},
		{"needs no wider access to Secrets for many namespaces", targetsInNamespaces("Secret", 21), func() (want []string) {
			for i := range 21 {
				want = append(want, fmt.Sprintf("ns%02d: objects secrets [x]%s", i, objects))
			}
			return want
		}()},
		{"needs the Pods of a workload", []string{"StatefulSet.apps/shop/db"}, []string{"shop: objects statefulsets.apps [db]" + objects, "shop: parts events []" + look, "shop: parts pods []" + look}},
		{"needs the ReplicaSets of a Deployment", []string{"Deployment.apps/shop/web"},
			[]string{"shop: objects deployments.apps [web]" + objects, "shop: parts pods []" + look, "shop: parts replicasets.apps []" + look}},
		{"needs nothing twice", []string{"StatefulSet.apps/shop/db", "Pod/shop/"},
			[]string{"shop: definitions events [] list", "shop: objects pods []" + objects, "shop: objects statefulsets.apps [db]" + objects, "shop: parts events []" + look}},
		{"needs the definition of a custom kind", []string{"Widget.example.com/shop/w"},
			[]string{": definitions customresourcedefinitions.apiextensions.k8s.io [widgets.example.com] get", ": definitions widgets.example.com [] list", "shop: objects widgets.example.com [w]" + objects}},
		{"needs the definition of a custom kind once", []string{"Widget.example.com//"},
			[]string{": definitions customresourcedefinitions.apiextensions.k8s.io [widgets.example.com] get", ": objects widgets.example.com []" + objects}},
		{"needs the events for a Pod", []string{"Pod/shop/p"}, []string{"shop: definitions events [] list", "shop: objects pods [p]" + objects}},
		{"needs the StorageClasses for a claim", []string{"PersistentVolumeClaim/shop/c"},
			[]string{": definitions storageclasses.storage.k8s.io [] list", "shop: objects persistentvolumeclaims [c]" + objects}},
	}
	for _, row := range rows {
		needs, err := served().Permissions(t.Context(), targets(row.targets...)...)
		var have []string
		for _, n := range needs {
			resource := schema.GroupResource{Group: n.Group, Resource: n.Resource}
			have = append(have, fmt.Sprintf("%s: %s %s %v %s", n.Namespace, n.Purpose, resource, n.Names, strings.Join(n.Verbs, ",")))
		}
		if err != nil || !slices.Equal(have, row.want) {
			t.Errorf("it %s: have %v\n%s\nwant\n%s", row.it, err, strings.Join(have, "\n"), strings.Join(row.want, "\n"))
		}
	}
}

// This many Secrets are read one by one.
func TestPermissionsOfManySecrets(t *testing.T) {
	var texts []string
	for i := range 51 {
		texts = append(texts, fmt.Sprintf("Secret/shop/s%02d", i))
	}
	needs, err := served().Permissions(t.Context(), targets(texts...)...)
	if err != nil || len(needs) != 1 || len(needs[0].Names) != len(texts) || !slices.Equal(needs[0].Verbs, []string{"get"}) {
		t.Errorf("have %v, %v, want get of each by its name", needs, err)
	}
}

func TestPermissionsOfServices(t *testing.T) {
	for endpoints, want := range map[bool]int{false: 1, true: 2} {
		c := served()
		c.WaitForEndpoints = endpoints
		needs, err := c.Permissions(t.Context(), targets("Service/shop/web")...)
		if err != nil || len(needs) != want || endpoints && needs[1].Resource != "endpointslices" {
			t.Errorf("endpoints %t: have %v, %v, want %d needs", endpoints, needs, err, want)
		}
	}
}

// The error names the unreadable targets, and the permissions cover the others.
func TestPermissionsOfMisplacedTargets(t *testing.T) {
	c := served()
	c.Namespace = ""
	needs, err := c.Permissions(t.Context(), targets("ConfigMap//a", "Node/shop/n", "Widget.example.com/shop/w")...)
	want := "ConfigMap is namespaced, and no namespace is named\nNode has no namespace, and shop is named"
	if err == nil || err.Error() != want {
		t.Errorf("have %v\nwant %s", err, want)
	}
	if len(needs) != 3 || needs[2].Resource != "widgets" || needs[2].Namespace != "shop" {
		t.Errorf("have %v, want what the widget needs", needs)
	}
}
