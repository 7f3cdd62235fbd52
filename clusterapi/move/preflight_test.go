package move_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/kube/wiretest"
)

// problems plans a move and runs its preflights. It returns the problems, one line each.
func problems(w *world, o move.Options) []string {
	w.Helper()
	lines, err := use(w.Context(), o, func(m *move.Mover) (lines []string, err error) {
		p, err := m.Plan(w.Context())
		if err != nil {
			return nil, err
		}
		all, err := m.Preflight(w.Context(), p)
		for _, problem := range all {
			lines = append(lines, problem.String())
		}
		return lines, err
	})
	if err != nil {
		w.Fatal(err)
	}
	return lines
}

// edited edits an object of a side.
func edited(side int, line string, change func(*unstructured.Unstructured)) func(*world) {
	return func(w *world) { w.edit(w.server(side), line, change) }
}

// forbid forbids requests to a side.
func forbid(side int, m wiretest.Match) func(*world) {
	return func(w *world) { w.server(side).On(wiretest.Rule{Match: m, Reply: wiretest.Forbidden}) }
}

// adding stores objects on a side.
func adding(side int, lines string) func(*world) {
	return func(w *world) { w.put(w.server(side), lines) }
}

// provider returns an entry of the inventory of clusterctl.
func provider(side int, version string) func(*world) {
	return func(w *world) {
		r := wiretest.Resource{Group: "clusterctl.cluster.x-k8s.io", Version: "v1alpha3", Kind: "Provider", Name: "providers"}
		w.server(side).Serve(r)
		u := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "clusterctl.cluster.x-k8s.io/v1alpha3", "kind": "Provider",
			"type": "InfrastructureProvider", "providerName": "box", "version": version,
		}}
		u.SetNamespace("box-system")
		u.SetName("box")
		w.server(side).Put(u)
	}
}

// strays serves a kind in the source that does not belong to Cluster API, with an object.
func strays(w *world) {
	w.from.Serve(wiretest.Resource{Group: "depot.example.com", Version: "v1", Kind: "Stray", Name: "strays"})
	u := w.find(w.from, "Secret shop/a-kubeconfig").DeepCopy()
	u.SetAPIVersion("depot.example.com/v1")
	u.SetKind("Stray")
	u.SetUID("stray")
	w.from.Put(u)
}

// all calls functions.
func all(do ...func(*world)) func(*world) {
	return func(w *world) {
		for _, f := range do {
			f(w)
		}
	}
}

// Preflights find everything that prevents a move, and change nothing.
func TestPreflights(t *testing.T) {
	for _, row := range []struct {
		it      string
		prepare func(*world)
		want    string // in a problem
	}{
		{"finds a Cluster without infrastructure", edited(source, "Cluster shop/a", set(false, "status", "initialization", "infrastructureProvisioned")),
			"error: Cluster.cluster.x-k8s.io shop/a: its infrastructure is not provisioned yet; wait until it is ready [not-ready]"},
		{"finds a Cluster without a control plane", edited(source, "Cluster shop/a", set(false, "status", "initialization", "controlPlaneInitialized")),
			"Cluster.cluster.x-k8s.io shop/a: its control plane is not initialized yet"},
		{"finds a Machine without a Node", edited(source, "Machine shop/web-1-x", set("", "status", "nodeRef", "name")), "Machine.cluster.x-k8s.io shop/web-1-x: it has no Node yet"},
		{"finds a Machine that has failed", edited(source, "Machine shop/web-1-x", func(u *unstructured.Unstructured) {
			u.Object["status"] = map[string]any{"phase": "Failed"}
		}), "warning: Machine.cluster.x-k8s.io shop/web-1-x: it has failed, and has no Node"},
		{"finds a Machine without an identity", edited(source, "Machine shop/web-1-x", func(u *unstructured.Unstructured) {
			set("", "spec", "providerID")(u)
			set(true, "status", "initialization", "infrastructureProvisioned")(u)
		}), "Machine.cluster.x-k8s.io shop/web-1-x: it is provisioned, but spec.providerID is empty"},
		{"finds a Cluster without an endpoint", edited(source, "Cluster shop/a", set("", "spec", "controlPlaneEndpoint", "host")),
			"Cluster.cluster.x-k8s.io shop/a: it is provisioned, but spec.controlPlaneEndpoint.host is empty"},
		{"finds an object that is being deleted", func(w *world) {
			w.watcher.foreign["Box shop/a"] = true
			edited(source, "Box shop/a", func(u *unstructured.Unstructured) { u.SetDeletionTimestamp(&metav1.Time{Time: time.Now()}) })(w)
		}, "Box.infrastructure.cluster.x-k8s.io shop/a: it is being deleted"},
		{"finds an object that blocks the move", edited(source, "Box shop/a", set("", "metadata", "annotations", management.BlockMoveAnnotation)),
			"info: Box.infrastructure.cluster.x-k8s.io shop/a: it has the annotation block-move"},
		{"finds another move in the source", edited(source, "Cluster shop/a", func(u *unstructured.Unstructured) {
			u.SetAnnotations(map[string]string{management.PauseBeforeAnnotation: `{"paused": false, "by": "move other"}`})
		}), "Cluster.cluster.x-k8s.io shop/a: move other has paused it, and is not complete"},
		{"finds another move in the target", adding(target, "Secret shop/a-ca @kstatus.dev/move=other/uid : {data: {key: eg==}}"),
			"Secret shop/a-ca: the target has it as part of move other, which is not complete"},
		{"finds a foreign object", adding(target, "Secret shop/a-ca : {data: {key: eA==}}"), "Secret shop/a-ca: the target has another object of this name: data.key is changed"},
		{"finds a foreign object with an owner", adding(target, "Box shop/unrelated\nSecret shop/a-ca < Box shop/unrelated cluster.x-k8s.io/cluster-name=a : {data: {key: eg==}}"),
			"info: Secret shop/a-ca: the target has it already with the same content, and it belongs to Box unrelated there; it gets the moved owners too"},
		{"finds a field that the target does not keep", func(w *world) {
			w.to.Admit(func(_ wiretest.Request, u *unstructured.Unstructured) error {
				unstructured.RemoveNestedField(u.Object, "spec", "replicas")
				return nil
			})
		}, "MachineDeployment.cluster.x-k8s.io shop/web: the target would not keep it as it is: spec.replicas is missing"},
		{"finds an object that the target rejects", func(w *world) {
			w.to.Admit(func(_ wiretest.Request, u *unstructured.Unstructured) error { return errors.New("no " + u.GetName()) })
		}, `error: Box.infrastructure.cluster.x-k8s.io shop/one: the target rejects it: admission webhook "wiretest" denied the request: no one`},
		{"finds an object that the source does not delete", func(w *world) {
			w.from.Admit(func(_ wiretest.Request, u *unstructured.Unstructured) error { return errors.New("keep " + u.GetName()) })
		}, "warning: Box.infrastructure.cluster.x-k8s.io shop/one: the source rejects its deletion: "},
		{"finds a missing permission in the source", forbid(source, wiretest.Match{Verbs: []string{"delete"}, Resource: "machines"}),
			"the permission to delete machines.cluster.x-k8s.io in namespace shop is missing in the source; kstatus rbac -- capi move prints the roles"},
		{"finds a missing permission in the target", forbid(target, wiretest.Match{Verbs: []string{"create"}, Resource: "namespaces"}), "the permission to create namespaces is missing in the target"},
		{"finds a provider that is missing", provider(source, "v1.2.0"), "provider InfrastructureProvider/box v1.2.0 is not installed in the target; clusterctl init"},
		{"finds a provider that is older", all(provider(source, "v1.10.0"), provider(target, "v1.9.0")),
			"provider InfrastructureProvider/box is v1.9.0 in the target, older than v1.10.0 in the source; clusterctl upgrade apply"},
		{"finds a Secret that is missing", func(w *world) { w.remove("Secret shop/password") }, "spec.secretRef names Secret password, which does not exist"},
		{"finds a Secret that may not be read", all(edited(source, "Login shop/own", set(map[string]any{"name": "p", "namespace": "vault"}, "spec", "secretRef")),
			forbid(source, wiretest.Match{Resource: "secrets", Namespace: "vault"})), "warning: Login.infrastructure.cluster.x-k8s.io shop/own: spec.secretRef names Secret vault/p, which may not be read"},
		{"finds objects of other kinds that it does not move", strays, "Stray.depot.example.com shop/a-kubeconfig: it does not move, but its owner Cluster a does; to move it, run kubectl label crd strays.depot.example.com"},
		{"finds kinds that may not be listed", forbid(source, wiretest.Match{Verbs: []string{"list"}, Resource: "leases"}), "leases.coordination.k8s.io may not be listed, so it is unknown whether moved objects own some, and whether some have the label clusterctl.cluster.x-k8s.io/move [dependents]"},
		{"finds an owner that does not move", edited(source, "Box shop/two", func(u *unstructured.Unstructured) {
			owners := u.GetOwnerReferences()
			owners[0].UID, owners[0].Name = "gone", "gone"
			u.SetOwnerReferences(owners)
		}), "warning: Box.infrastructure.cluster.x-k8s.io shop/two: its owner Box gone does not move, so its copy has no such owner"},
		{"reads only the namespace if others are forbidden", forbid(source, wiretest.Match{Verbs: []string{"list"}, Resource: "boxs", Wide: true}),
			"warning: objects of other namespaces may not be listed, so it is unknown whether they share objects of the move"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			row.prepare(w)
			synctest.Wait()
			before := versions(w)
			have := problems(w, w.options())
			if !slices.ContainsFunc(have, func(p string) bool { return strings.Contains(p, row.want) }) {
				t.Errorf("no problem has %q: %s", row.want, strings.Join(have, "\n"))
			}
			if after := versions(w); !slices.Equal(before, after) {
				t.Errorf("the preflights have changed\n%v to\n%v", before, after)
			}
		})
	}
}

// versions returns the versions of all objects on both sides.
func versions(w *world) (lines []string) {
	for _, s := range []*wiretest.Server{w.from, w.to} {
		for _, u := range s.Objects() {
			lines = append(lines, nameOf(u)+" "+u.GetResourceVersion())
		}
	}
	slices.Sort(lines)
	return lines
}

// A target that does not serve what a kind needs prevents the move.
func TestDefinitionsAreCompared(t *testing.T) {
	for _, row := range []struct {
		it     string
		change func(*world, *unstructured.Unstructured) // of the definition of MachineSets in the target
		want   string
	}{
		{"finds a missing definition", func(w *world, u *unstructured.Unstructured) {
			w.to.Delete(u)
			w.to.Withdraw(wiretest.Resource{Group: management.Group, Version: "v1", Name: "machinesets"})
		}, "error: the target has no definition machinesets.cluster.x-k8s.io; install the same version of the provider in the target"},
		{"finds a version that is not served", func(w *world, u *unstructured.Unstructured) {
			u = u.DeepCopy()
			versions, _, _ := unstructured.NestedSlice(u.Object, "spec", "versions")
			versions[0].(map[string]any)["name"] = "v2"
			_ = unstructured.SetNestedSlice(u.Object, versions, "spec", "versions")
			w.to.Put(u)
		}, "the target does not serve version v1 of machinesets.cluster.x-k8s.io; it serves v2"},
		{"finds another scope", func(w *world, u *unstructured.Unstructured) {
			u = u.DeepCopy()
			_ = unstructured.SetNestedField(u.Object, "Cluster", "spec", "scope")
			w.to.Put(u)
		}, "machinesets.cluster.x-k8s.io has another scope in the target"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet, targetStrangers)
			for _, u := range w.to.Objects() {
				if u.GetName() == "machinesets.cluster.x-k8s.io" {
					row.change(w, u)
				}
			}
			_, err := run(t.Context(), w.options())
			w.mustFail(err, row.want)
			blocked, is := errors.AsType[*move.BlockedError](err)
			if !is || len(blocked.Problems) != 1 {
				t.Errorf("have %#v, want one problem", err)
			}
			if clusterapitest.IsPaused(w.find(w.from, "Cluster shop/a")) {
				t.Error("the source is paused")
			}
		})
	}
}
