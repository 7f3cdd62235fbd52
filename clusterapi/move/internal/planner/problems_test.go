package planner

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/move/plan"
)

func TestProblems(t *testing.T) {
	for _, row := range []struct {
		it      string
		scope   plan.Scope
		objects string
		want    string // a part of the only problem, or empty
	}{
		{"has none", whole, "Cluster shop/a", ""},
		{"is being deleted", whole, "Cluster shop/a : {metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}}", "error: Cluster.cluster.x-k8s.io shop/a: it is being deleted"},
		{"ignores the deletion of what stays", onlyA, "Cluster shop/a\nCluster shop/b : {metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}}", ""},
		{"has an absent owner", whole, "Cluster shop/a\nSecret shop/s < Cluster shop/a < Deployment shop/d", "warning: Secret shop/s: its owner Deployment d does not move"},
		{"names a missing Secret", whole, "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {name: s}}}", "spec.identityRef names Secret s, which does not exist"},
		{"names a missing identity", whole, "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {kind: Login, name: l}}}", "spec.identityRef names Login l, which does not exist"},
		{"names an identity of an unknown kind", whole, "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {kind: Role, name: l}}}", ""},
		{"names a Secret in an unknown namespace", whole, "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {kind: Realm, name: r}}}\nRealm r : {spec: {secretName: s}}",
			"warning: Realm.infrastructure.cluster.x-k8s.io r: spec.secretName names Secret s without its namespace"},
		{"owns what does not move", whole, "Box shop/b clusterctl.cluster.x-k8s.io/move=\nBox shop/c < Box shop/b",
			"error: Box.infrastructure.cluster.x-k8s.io shop/c: it does not move, but its owner Box b does"},
		{"belongs to a Cluster that stays", plan.Scope{Clusters: []string{"b"}}, "Cluster shop/a\nCluster shop/b < Cluster shop/a",
			"warning: Cluster.cluster.x-k8s.io shop/b: its owner Cluster a stays"},
		{"names what belongs to a Cluster that stays", onlyA, "Cluster shop/a : {spec: {hostRef: {kind: Box, name: x}}}\nCluster shop/b\nBox shop/x < Cluster shop/b",
			"warning: Cluster.cluster.x-k8s.io shop/a: spec.hostRef names Box x, which belongs to a Cluster that stays"},
		{"has a controller that is not paused", whole, "Image shop/i clusterctl.cluster.x-k8s.io/move=\nImage shop/j clusterctl.cluster.x-k8s.io/move=",
			"warning: images.gallery.example.com do not report Paused, so their controllers work on in both clusters during the move; stop these controllers if that is a risk [pause]"},
		{"has a controller that reports Paused", whole, "Image shop/i clusterctl.cluster.x-k8s.io/move= : {status: {conditions: [{type: Paused}]}}", ""},
		{"owns a Cluster that does not move", onlyA, "Cluster shop/a\nCluster shop/b < Cluster shop/a", "error: Cluster.cluster.x-k8s.io shop/b: it does not move, but its owner Cluster a does"},
	} {
		t.Run(row.it, func(t *testing.T) {
			problems := planOf(t, row.scope, row.objects).Plan.Problems
			switch {
			case row.want == "" && len(problems) > 0, row.want != "" && len(problems) != 1:
				t.Errorf("the problems are %v", problems)
			case row.want != "" && !strings.Contains(problems[0].String(), row.want):
				t.Errorf("the problem is %q, want %q", problems[0], row.want)
			}
		})
	}
}

// A Secret of another namespace is copied only if it is accepted by its name, unless it is the one
// of a cluster-scoped identity.
func TestForeignSecrets(t *testing.T) {
	const (
		box   = "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: %s}}\n"
		login = "Login vault/l : {spec: {secretRef: {name: s}}}\n"
		tail  = "; remove the reference, or copy the Secret to the target: --accept foreign-secret=vault/s [foreign-secret]"
	)
	inVault := fmt.Sprintf(box, "{name: s, namespace: vault}")
	for _, row := range []struct {
		it      string
		scope   plan.Scope
		objects string
		want    string // the only problem, or empty
	}{
		{"is named by an object of a Cluster", whole, inVault + "Secret vault/s",
			"error: Secret vault/s: Box.infrastructure.cluster.x-k8s.io shop/b names it in spec.identityRef, and its namespace is not moved" + tail},
		{"is named by an object of another namespace", whole, fmt.Sprintf(box, "{kind: Login, name: l, namespace: vault}") + login + "Secret vault/s",
			"error: Secret vault/s: Login.infrastructure.cluster.x-k8s.io vault/l names it in spec.secretRef, and its namespace is not moved" + tail},
		{"belongs to an object of another namespace", whole, fmt.Sprintf(box, "{kind: Login, name: k, namespace: vault}") + "Login vault/k\nSecret vault/s < Login vault/k",
			"error: Secret vault/s: its namespace is not moved" + tail},
		{"is named by the template of a class", whole, "Cluster shop/a" + hasStd + "\nClusterClass base/std\nBoxTemplate base/t < ClusterClass base/std : {spec: {template: {spec: {secretRef: {name: s, namespace: vault}}}}}\nSecret vault/s",
			"error: Secret vault/s: BoxTemplate.infrastructure.cluster.x-k8s.io base/t names it in spec.template.spec.secretRef, and its namespace is not moved" + tail},
		{"is named by an identity too", whole, "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {kind: Realm, name: r}, secretRef: {name: s, namespace: vault}}}\nRealm r : {spec: {secretRef: {name: s, namespace: vault}}}\nSecret vault/s",
			"error: Secret vault/s: Box.infrastructure.cluster.x-k8s.io shop/b names it in spec.secretRef, and its namespace is not moved" + tail},
		{"is named by an identity", whole, fmt.Sprintf(box, "{kind: Realm, name: r}") + "Realm r : {spec: {secretRef: {name: s, namespace: vault}}}\nSecret vault/s", ""},
		{"is named by an object that stays", onlyA, "Cluster shop/a\nCluster shop/b\nBox shop/b < Cluster shop/b : {spec: {secretRef: {name: s, namespace: vault}}}\nSecret vault/s", ""},
		{"is of a namespace that is moved too", plan.Scope{Namespaces: []string{"shop", "vault"}}, inVault + "Secret vault/s", ""},
		{"is of any namespace", all, inVault + "Secret vault/s", ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			problems := planOf(t, row.scope, row.objects).Plan.Problems
			if row.want == "" && len(problems) > 0 || row.want != "" && (len(problems) != 1 || problems[0].String() != row.want || problems[0].Accept != "foreign-secret=vault/s") {
				t.Errorf("the problems are %v, want %q", problems, row.want)
			}
		})
	}
}

func TestDependents(t *testing.T) {
	owned := func(o other) func(*source) {
		return func(s *source) { s.dependents = map[types.UID][]other{"Cluster shop/a": {o}} }
	}
	for _, row := range []struct {
		it    string
		owned other
		want  string
	}{
		{"names the definition and its label", anOther("stray.example.com", "Stray", "strays", "shop", "s"), "kubectl label crd strays.stray.example.com clusterctl.cluster.x-k8s.io="},
		{"cannot label kinds of Kubernetes", anOther("apps", "Deployment", "deployments", "shop", "d"), "Deployment.apps shop/d: it does not move, but its owner Cluster a does; accept"},
		{"cannot label kinds of its groups", anOther("networking.k8s.io", "Ingress", "ingresses", "shop", "i"), "; accept that it stays"},
	} {
		t.Run(row.it, func(t *testing.T) {
			problems := planOf(t, whole, "Cluster shop/a", owned(row.owned)).Plan.Problems
			if len(problems) != 1 || !strings.Contains(problems[0].String(), row.want) || problems[0].Accept != "dependents" {
				t.Errorf("the problems are %v, want %q", problems, row.want)
			}
			if problems := planOf(t, onlyA, "Cluster shop/b", owned(row.owned)).Plan.Problems; len(problems) > 0 {
				t.Errorf("objects of Clusters that stay are problems: %v", problems)
			}
		})
	}
}

func TestRefusedLabels(t *testing.T) {
	for _, row := range []struct {
		it      string
		refused other
		want    string
	}{
		{"is of Kubernetes", anOther("apps", "Deployment", "deployments", "shop", "d"),
			"error: Deployment.apps shop/d: it has the label clusterctl.cluster.x-k8s.io/move, but a move creates only custom resources, Secrets and ConfigMaps; remove the label, and create it in the target yourself; or accept that it stays: --accept move-label [move-label]"},
		{"is cluster-scoped", anOther("gallery.example.com", "Archive", "archives", "", "a"),
			"error: Archive.gallery.example.com a: it has the label clusterctl.cluster.x-k8s.io/move, but it is cluster-scoped, and its definition has no label of Cluster API; to copy it, run kubectl label crd archives.gallery.example.com clusterctl.cluster.x-k8s.io=; or accept that it stays: --accept move-label [move-label]"},
		{"is of Kubernetes and cluster-scoped", anOther("", "Node", "nodes", "", "n"), "error: Node n: it has the label clusterctl.cluster.x-k8s.io/move, but a move creates only custom resources"},
		{"is of the inventory", anOther("clusterctl.cluster.x-k8s.io", "Provider", "providers", "shop", "p"), "but it describes what is installed in this cluster; remove the label; or"},
	} {
		t.Run(row.it, func(t *testing.T) {
			row.refused.label = "clusterctl.cluster.x-k8s.io/move"
			problems := planOf(t, whole, "Cluster shop/a", func(s *source) { s.refused = []other{row.refused} }).Plan.Problems
			if len(problems) != 1 || !strings.Contains(problems[0].String(), row.want) || problems[0].Accept != "move-label" {
				t.Errorf("the problems are %v, want %q", problems, row.want)
			}
		})
	}
}

// anOther returns an object that is not of Cluster API.
func anOther(group, kind, resource, namespace, name string) other {
	r := otherResource{schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}, kind, namespace != ""}
	return other{otherResource: r, namespace: namespace, name: name}
}
