package move

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// createIn returns an attack that creates an object on a side, instead of the one of its name.
func createIn(r schema.GroupVersionResource, side int, name string, content map[string]any) func(*beside) {
	return func(b *beside) {
		b.t.Helper()
		s := []*site{b.from, b.to}[side]
		_ = b.in(s, r).Delete(context.Background(), name, metav1.DeleteOptions{}) // it may not exist
		o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": r.GroupVersion().String(), "kind": kindOf[r]}}
		for field, value := range content {
			o.Object[field] = value
		}
		o.SetName(name)
		o.SetLabels(map[string]string{"cluster.x-k8s.io/cluster-name": "a"})
		if r == crates {
			cluster := b.get(b.from, clusters, "a")
			o.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: cluster.GetAPIVersion(), Kind: "Cluster", Name: "a", UID: cluster.GetUID()}})
		}
		if _, err := b.in(s, r).Create(context.Background(), o, metav1.CreateOptions{FieldManager: "stranger"}); err != nil {
			b.t.Error(err)
		}
	}
}

// kindOf has the kinds of what strangers create.
var kindOf = map[schema.GroupVersionResource]string{secrets: "Secret", crates: "Crate"}

var second = map[string]any{"data": map[string]any{"tls.key": "c2Vjb25k"}}

// kill9 ends the process of the tool.
func kill9(b *beside) { _ = b.cmd.Process.Kill() } // it runs, since its request is being answered

// situations are those of TestBesideClusterctl.
var situations = []situation{
	{
		it:   "somebody creates a Secret again, with another value, after its copy was made",
		side: 0, method: http.MethodDelete, attack: createIn(secrets, 0, "a-ca", second),
		things: []thing{ca, {secrets, "a-ca", ca.path, "c2Vjb25k"}},
		theirs: result{0, "Deleting objects from the source cluster", "loses secret a-ca"},
		ours:   result{3, "delete one, then resume", ""},
	},
	{
		it:   "somebody changes a Secret after its copy was made",
		side: 0, method: http.MethodDelete, attack: func(b *beside) { b.merge(b.from, secrets, "a-ca", `{"data": {"tls.key": "c2Vjb25k"}}`) },
		things: []thing{{secrets, "a-ca", ca.path, "c2Vjb25k"}},
		theirs: result{0, "Deleting objects from the source cluster", "loses secret a-ca"},
		ours:   result{0, "Moved in", ""},
	},
	{
		it:   "somebody unpauses the Cluster in the source, while originals are deleted",
		side: 0, method: http.MethodDelete, attack: func(b *beside) { b.merge(b.from, clusters, "a", `{"spec": {"paused": false}}`) },
		harms: func(b *beside) []string {
			// The step of the attack may go on: the next one looks.
			if b.find(b.from, clusters, "a") == nil {
				return []string{"deletes the active Cluster"}
			}
			return nil
		},
		theirs: result{0, "Deleting objects from the source cluster", "deletes the active Cluster"},
		ours:   result{3, "stop that writer, then resume", ""},
	},
	{
		it:   "somebody deletes a copy, while originals are deleted",
		side: 0, method: http.MethodDelete, attack: func(b *beside) {
			if err := b.in(b.to, crates).Delete(context.Background(), "c", metav1.DeleteOptions{}); err != nil {
				b.t.Error(err)
			}
		},
		things: []thing{crate},
		theirs: result{0, "Deleting objects from the source cluster", "loses crate c"},
		ours:   result{3, "nothing more is deleted from the source", ""},
	},
	{
		it:   "somebody creates an object below the Cluster, while originals are deleted",
		side: 0, method: http.MethodDelete, attack: createIn(crates, 0, "late", map[string]any{"spec": map[string]any{"size": "late"}}),
		things: []thing{{crates, "late", crate.path, "late"}},
		theirs: result{0, "Deleting objects from the source cluster", "loses crate late"},
		ours:   result{0, "Moved in", ""},
	},
	{
		it:   "the process is killed while it creates copies, and is called again",
		side: 1, method: http.MethodPost, number: 3, attack: kill9, again: true,
		things: []thing{ca, crate}, harms: (*beside).notMoved,
		theirs: result{1, "cannot start operation while the following Clusters are paused", "does not move, and leaves everything paused"},
		ours:   result{0, "Moved in", ""},
	},
	{
		it:   "the process is killed while it deletes originals, and is called again",
		side: 0, method: http.MethodDelete, number: 2, attack: kill9, again: true,
		things: []thing{ca, crate}, harms: (*beside).notMoved,
		theirs: result{1, "cannot start operation while the following Clusters are paused", "does not move, and leaves everything paused"},
		ours:   result{0, "Moved in", ""},
	},
	{
		it: "the target has a Secret of this name, with another value",
		prepare: func(b *beside) {
			b.namespaceIn(b.to)
			createIn(secrets, 1, "a-ca", second)(b)
		},
		things: []thing{ca, {secrets, "a-ca", ca.path, "c2Vjb25k"}},
		theirs: result{0, "Deleting objects from the source cluster", "loses secret a-ca"},
		ours:   result{7, "the target has another object of this name", ""},
	},
	{
		it: "an object names a Secret of another namespace",
		prepare: func(b *beside) {
			vault := b.from.Namespace(b.t)
			b.from.Apply(b.t, vault, "{apiVersion: v1, kind: Secret, metadata: {name: token}, data: {token: Zmlyc3Q=}}")
			b.merge(b.from, crates, "c", `{"spec": {"identityRef": {"kind": "Secret", "name": "token", "namespace": "`+vault+`"}}}`)
		},
		harms: func(b *beside) []string {
			if b.find(b.to, crates, "c") != nil {
				return []string{"moves it without that Secret"}
			}
			return nil
		},
		things: []thing{crate},
		theirs: result{0, "Deleting objects from the source cluster", "moves it without that Secret"},
		ours:   result{7, "foreign-secret", ""},
	},
	{
		it:     "an object has the label for moves, and its definition has no label",
		create: `Stray s < Cluster a : {spec: {size: first}, meta: {labels: {clusterctl.cluster.x-k8s.io/move: ""}}}`,
		things: []thing{{strays, "s", crate.path, "first"}},
		theirs: result{0, "Deleting objects from the source cluster", "loses stray s"},
		ours:   result{0, "Moved in", ""},
	},
	{
		it:     "the target does not keep a field of an object",
		create: "Barrel b < Cluster a : {spec: {size: first, colour: red}}",
		things: []thing{{barrels, "b", []string{"spec", "colour"}, "red"}},
		theirs: result{0, "Deleting objects from the source cluster", "loses barrel b"},
		ours:   result{7, "the target would not keep it as it is: spec.colour is missing", ""},
	},
}

// namespaceIn creates the namespace of the yard in a site.
func (b *beside) namespaceIn(s *site) {
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": b.ns}}}
	if _, err := s.dynamic.Resource(namespaces).Create(b.t.Context(), o, metav1.CreateOptions{}); err != nil {
		b.t.Fatal(err)
	}
}

// notMoved says that the Cluster is not active in the target.
func (b *beside) notMoved() []string {
	if o := b.find(b.to, clusters, "a"); o == nil || field(o, "spec", "paused") == true {
		return []string{"does not move, and leaves everything paused"}
	}
	return nil
}
