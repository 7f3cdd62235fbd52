package move_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
)

// ready is the status of a Cluster that may move.
const ready = "spec: {controlPlaneEndpoint: {host: a.example, port: 6443}}, status: {initialization: {infrastructureProvisioned: true, controlPlaneInitialized: true}}"

// below begins the label of an object with the name of its Cluster.
const below = " cluster.x-k8s.io/cluster-name="

// names returns the names of the objects of Cluster API on a side, sorted.
func (w *world) names(side int) string {
	var names []string
	for _, u := range w.server(side).Objects() {
		if management.Find(clusterapitest.Kinds(), u.GroupVersionKind().GroupKind()) != nil {
			names = append(names, strings.Replace(nameOf(u), " /", " ", 1))
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// owners returns the owners of an object that exist on its side, sorted.
func (w *world) owners(side int, line string) string {
	var owners []string
	for _, r := range w.find(w.server(side), line).GetOwnerReferences() {
		for _, u := range w.server(side).Objects() {
			if u.GetUID() == r.UID {
				owners = append(owners, r.Kind+" "+r.Name)
			}
		}
	}
	slices.Sort(owners)
	return fmt.Sprint(owners)
}

// What is in the source and in the target after moves of the namespace shop.
func TestGraphs(t *testing.T) {
	only := func(names ...string) plan.Scope { return plan.Scope{Namespaces: []string{"shop"}, Clusters: names} }
	for _, row := range []struct {
		it             string
		source, target string
		scopes         []plan.Scope // of one move after the other; empty: the namespace
		from, to       string       // what both sides have in the end
		check          func(*world)
	}{
		{it: "moves the class of a Cluster", source: "Cluster shop/a : {spec: {topology: {classRef: {name: c}}, controlPlaneEndpoint: {host: a}}, status: {initialization: {infrastructureProvisioned: true, controlPlaneInitialized: true}}}\nClusterClass shop/c\nBoxTemplate shop/t < ClusterClass shop/c",
			to: "BoxTemplate shop/t, Cluster shop/a, ClusterClass shop/c"},
		{it: "copies a class of another namespace, and does not pause it",
			source: "Cluster shop/a : {spec: {topology: {classRef: {name: c, namespace: classes}}, controlPlaneEndpoint: {host: a}}, status: {initialization: {infrastructureProvisioned: true, controlPlaneInitialized: true}}}\n" +
				"Cluster shop/b : {spec: {topology: {classRef: {name: c, namespace: classes}}, controlPlaneEndpoint: {host: a}}, status: {initialization: {infrastructureProvisioned: true, controlPlaneInitialized: true}}}\nClusterClass classes/c",
			scopes: []plan.Scope{only("a"), only("b")},
			from:   "ClusterClass classes/c", to: "Cluster shop/a, Cluster shop/b, ClusterClass classes/c",
			check: func(w *world) {
				if have, want := w.find(w.from, "ClusterClass classes/c"), w.watcher.before[source]["ClusterClass classes/c"]; have.GetGeneration() != want.GetGeneration() || len(have.GetAnnotations()) > 0 {
					w.Errorf("the class was written: %v", have.GetAnnotations())
				}
			}},
		{it: "keeps what another Cluster needs, and adds owners", source: "Cluster shop/a : {" + ready + "}\nCluster shop/b team=blue : {" + ready + "}\nSecret shop/s < Cluster shop/a < Cluster shop/b : {data: {t: eA==}}\n" +
			"Realm r : {spec: {secretRef: {name: named, namespace: shop}}}\nSecret shop/named\nBox shop/a < Cluster shop/a" + below + "a : {spec: {identityRef: {kind: Realm, name: r}}}\nBox shop/b < Cluster shop/b" + below + "b : {spec: {identityRef: {kind: Realm, name: r}}}",
			scopes: []plan.Scope{only("a"), {Namespaces: []string{"shop"}, Selector: "team=blue"}},
			from:   "Realm r, Secret shop/named", to: "Box shop/a, Box shop/b, Cluster shop/a, Cluster shop/b, Realm r, Secret shop/named, Secret shop/s",
			check: func(w *world) {
				if have := w.owners(target, "Secret shop/s"); have != "[Cluster a Cluster b]" {
					w.Errorf("the shared Secret has the owners %s", have)
				}
			}},
		{it: "leaves the other Cluster alone", source: "Cluster shop/a : {" + ready + "}\nCluster shop/b : {" + ready + "}\nSecret shop/s < Cluster shop/a < Cluster shop/b\nBox shop/b < Cluster shop/b",
			scopes: []plan.Scope{only("a")}, from: "Box shop/b, Cluster shop/b, Secret shop/s", to: "Cluster shop/a, Secret shop/s",
			check: func(w *world) {
				if from, to := w.owners(source, "Secret shop/s"), w.owners(target, "Secret shop/s"); from != "[Cluster b]" || to != "[Cluster a]" {
					w.Errorf("the shared Secret has the owners %s and %s", from, to)
				}
			}},
		{it: "moves an object with an owner that stays", source: "Cluster shop/a : {" + ready + "}\nSecret shop/s < Cluster shop/a < ConfigMap shop/foreign\nConfigMap shop/foreign",
			from: "ConfigMap shop/foreign", to: "Cluster shop/a, ConfigMap shop/foreign, Secret shop/s"},
		{it: "adopts an equal object", source: "Cluster shop/a : {" + ready + "}\nSecret shop/s < Cluster shop/a : {data: {t: eA==}}", target: "Secret shop/s : {data: {t: eA==}}",
			to: "Cluster shop/a, Secret shop/s",
			check: func(w *world) {
				if have := w.owners(target, "Secret shop/s"); have != "[Cluster a]" {
					w.Errorf("the Secret has the owners %s", have)
				}
			}},
		{it: "adopts an object of a cycle", source: "Cluster shop/a : {" + ready + "}\nBox shop/x < Cluster shop/a < Box shop/y" + below + "a\nBox shop/y < Box shop/x" + below + "a", target: "Box shop/x" + below + "a",
			to: "Box shop/x, Box shop/y, Cluster shop/a",
			check: func(w *world) {
				if have := w.owners(target, "Box shop/x"); have != "[Box y Cluster a]" {
					w.Errorf("the Box has the owners %s", have)
				}
			}},
		{it: "keeps a cluster-scoped object of the target", source: "Cluster shop/a : {" + ready + "}\nRealm r : {spec: {size: small}}\nBox shop/a < Cluster shop/a" + below + "a : {spec: {identityRef: {kind: Realm, name: r}}}", target: "Realm r : {spec: {size: large}}",
			from: "Realm r", to: "Box shop/a, Cluster shop/a, Realm r",
			check: func(w *world) {
				if have := field(w.find(w.to, "Realm r"), "spec", "size"); have != "large" {
					w.Errorf("the Realm of the target has the size %s", have)
				}
			}},
		{it: "moves what has a label, and what that owns", source: "Cluster shop/a : {" + ready + "}\nTenant shop/t\nBox shop/t < Tenant shop/t\nNote shop/n\nBox shop/n\nBox other/z",
			from: "Box other/z, Box shop/n", to: "Box shop/t, Cluster shop/a, Note shop/n, Tenant shop/t"},
		{it: "keeps what was paused before", source: "Cluster shop/a : {" + ready + "}\nCluster shop/b : {spec: {paused: true, controlPlaneEndpoint: {host: a}}, status: {initialization: {infrastructureProvisioned: true, controlPlaneInitialized: true}}}\n" +
			"Cluster shop/c @cluster.x-k8s.io/paused= : {" + ready + "}\nBox shop/x < Cluster shop/a @cluster.x-k8s.io/paused=by-hand",
			to: "Box shop/x, Cluster shop/a, Cluster shop/b, Cluster shop/c",
			check: func(w *world) {
				for line, want := range map[string]string{"Cluster shop/a": " false", "Cluster shop/b": "true true", "Cluster shop/c": " true", "Box shop/x": " true"} {
					u := w.find(w.to, line)
					if have := fmt.Sprint(field(u, "spec", "paused"), " ", clusterapitest.IsPaused(u)); have != want {
						w.Errorf("%s has spec.paused and is paused: %q, want %q", line, have, want)
					}
				}
			}},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, nil, row.source, row.target)
			if len(row.scopes) == 0 {
				row.scopes = []plan.Scope{{Namespaces: []string{"shop"}}}
			}
			for _, scope := range row.scopes {
				w.mustRun(with(w.options(), func(o *move.Options) {
					o.Scope, o.Journal = scope, o.Journal+fmt.Sprint(scope)
				}))
			}
			if have := w.names(source); have != row.from {
				t.Errorf("the source has %s, want %s", have, row.from)
			}
			if have := w.names(target); have != row.to {
				t.Errorf("the target has %s, want %s", have, row.to)
			}
			if row.check != nil && !t.Failed() {
				row.check(w)
			}
			for _, u := range w.to.Objects() {
				for name := range u.GetAnnotations() {
					if name == "kstatus.dev/move" || name == management.PauseBeforeAnnotation || name == management.DeleteForMoveAnnotation {
						t.Errorf("%s still has the annotation %s", nameOf(u), name)
					}
				}
			}
		})
	}
}

// The namespace of the Clusters is created with its labels and annotations.
func TestNamespacesAreCopied(t *testing.T) {
	inBubble(t, "it has the labels", func(t *testing.T) {
		w := newWorld(t, nil, "Cluster shop/a : {"+ready+"}", "")
		ns := clusterapitest.NewNamespace("shop", "")
		ns.SetLabels(map[string]string{"team": "blue"})
		w.from.Put(ns)
		w.mustRun(w.options())
		if have := w.to.Find(ns.GroupVersionKind().GroupKind(), "", "shop"); have == nil || have.GetLabels()["team"] != "blue" {
			t.Errorf("the target has the Namespace %v", have)
		}
	})
}

// Each problem of readiness is accepted by its object, or all by their word.
func TestReadinessIsAccepted(t *testing.T) {
	for _, row := range []struct {
		it     string
		accept []string
		want   string // in the error; empty: the move succeeds
	}{
		{"accepts nothing", nil, "2 problems in the way of the move"},
		{"accepts one", []string{"not-ready=shop/a"}, "Cluster.cluster.x-k8s.io shop/b: its infrastructure is not provisioned yet"},
		{"accepts both", []string{"not-ready=shop/a", "not-ready=shop/b"}, ""},
		{"accepts all", []string{"not-ready"}, ""},
		{"accepts something else", []string{"differences"}, "2 problems"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, nil, "Cluster shop/a\nCluster shop/b", "")
			_, err := run(t.Context(), with(w.options(), func(o *move.Options) { o.Accept = row.accept }))
			if row.want == "" && err != nil {
				t.Fatal(err)
			}
			if row.want != "" {
				w.mustFail(err, row.want)
				if _, is := errors.AsType[*move.BlockedError](err); !is || w.names(target) != "" {
					t.Errorf("have %#v, and the target has %s", err, w.names(target))
				}
			}
		})
	}
}
