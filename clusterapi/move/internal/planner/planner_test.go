package planner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/move/plan"
)

// planOf computes the plan of objects in a random order.
func planOf(t testing.TB, scope plan.Scope, lines string, change ...func(*source)) *Inventory {
	t.Helper()
	objects, err := clusterapitest.Parse(lines)
	if err != nil {
		t.Fatal(err)
	}
	rand.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
	s := &source{scope: scope, kinds: clusterapitest.Kinds(), objects: objects}
	if s.selector, err = labels.Parse(scope.Selector); err != nil {
		t.Fatal(err)
	}
	for _, c := range change {
		c(s)
	}
	return s.plan()
}

// itemOf returns the UID of the item with a UID, which is its kind and name.
func itemOf(p *plan.Plan, uid string) *plan.Item {
	if n := slices.IndexFunc(p.Items, func(i *plan.Item) bool { return i.UID == uid }); n >= 0 {
		return p.Items[n]
	}
	return nil
}

var (
	whole  = plan.Scope{Namespaces: []string{"shop"}}
	onlyA  = plan.Scope{Namespaces: []string{"shop"}, Clusters: []string{"a"}}
	blue   = plan.Scope{Namespaces: []string{"shop"}, Selector: "team=blue"}
	all    = plan.Scope{}
	hasStd = " : {spec: {topology: {classRef: {name: std, namespace: base}}}}"
	std    = " : {spec: {topology: {classRef: {name: std}}}}"
)

func TestDecisions(t *testing.T) {
	for _, row := range []struct {
		it      string
		scope   plan.Scope
		objects string
		// want has one line for each object: its decision, its kind and name, and a part of the reason.
		want string
	}{
		{"moves a Cluster with all that it owns", whole,
			"Cluster shop/a\nMachine shop/m < Cluster shop/a\nBox shop/b < Machine shop/m\nSecret shop/d < Box shop/b\nSecret shop/a-kubeconfig\nBox shop/l cluster.x-k8s.io/cluster-name=a",
			"Move Cluster shop/a: it is selected\nMove Machine shop/m: belongs to Cluster a\nMove Box shop/b\nMove Secret shop/d\nMove Secret shop/a-kubeconfig\nMove Box shop/l"},
		{"leaves other objects of the namespace", whole,
			"Cluster shop/a\nSecret shop/s\nConfigMap shop/kube-root-ca.crt\nBox shop/b",
			"Move Cluster shop/a\nExclude Secret shop/s: belongs to no selected Cluster\nExclude ConfigMap shop/kube-root-ca.crt\nExclude Box shop/b"},
		{"does not list objects of other namespaces", whole, "Cluster shop/a\nCluster web/b\nBox web/c", "Move Cluster shop/a"},
		{"moves all namespaces", all, "Cluster shop/a\nCluster web/b", "Move Cluster shop/a\nMove Cluster web/b"},
		{"selects by name", onlyA, "Cluster shop/a\nCluster shop/b\nMachine shop/m < Cluster shop/b\nCluster web/a",
			"Move Cluster shop/a\nExclude Cluster shop/b: it is not selected\nExclude Machine shop/m"},
		{"selects by label", blue, "Cluster shop/a team=blue\nCluster shop/b team=red", "Move Cluster shop/a\nExclude Cluster shop/b"},
		{"copies a class of another namespace with its templates", whole,
			"Cluster shop/a" + hasStd + "\nClusterClass base/std\nBoxTemplate base/t < ClusterClass base/std",
			"Move Cluster shop/a\nCopy ClusterClass base/std: another namespace\nCopy BoxTemplate base/t: another namespace"},
		{"moves every class of the namespace", whole, "ClusterClass shop/std\nBoxTemplate shop/t < ClusterClass shop/std",
			"Move ClusterClass shop/std: every ClusterClass\nMove BoxTemplate shop/t: belongs to ClusterClass std"},
		{"copies a class that a Cluster of another namespace needs", whole,
			"Cluster shop/a" + std + "\nClusterClass shop/std\nBoxTemplate shop/t < ClusterClass shop/std\nCluster web/b : {spec: {topology: {classRef: {name: std, namespace: shop}}}}",
			"Move Cluster shop/a\nCopy ClusterClass shop/std: Cluster web/b, which stays\nCopy BoxTemplate shop/t: ClusterClass std, which stays"},
		{"copies a class that a Cluster which stays needs", onlyA,
			"Cluster shop/a" + std + "\nCluster shop/b" + std + "\nClusterClass shop/std\nBoxTemplate shop/t < ClusterClass shop/std",
			"Move Cluster shop/a\nExclude Cluster shop/b\nCopy ClusterClass shop/std: Cluster shop/b, which stays\nCopy BoxTemplate shop/t"},
		{"moves a class that only selected Clusters need", onlyA, "Cluster shop/a" + std + "\nClusterClass shop/std\nClusterClass shop/other\nCluster shop/b",
			"Move Cluster shop/a\nMove ClusterClass shop/std: the class of Cluster a\nExclude ClusterClass shop/other\nExclude Cluster shop/b"},
		{"copies what a Cluster that stays owns too", onlyA, "Cluster shop/a\nCluster shop/b\nSecret shop/s < Cluster shop/a < Cluster shop/b",
			"Move Cluster shop/a\nExclude Cluster shop/b\nCopy Secret shop/s: also belongs to Cluster b"},
		{"moves what has an owner that is unknown", whole, "Cluster shop/a\nSecret shop/s < Cluster shop/a < Deployment shop/d", "Move Cluster shop/a\nMove Secret shop/s: belongs to Cluster a"},
		{"copies another owner of a moved object", onlyA, "Cluster shop/a\nBox shop/b\nSecret shop/s < Cluster shop/a < Box shop/b",
			"Move Cluster shop/a\nCopy Box shop/b: it owns Secret s\nMove Secret shop/s"},
		{"copies the resource set of a binding with its resources", onlyA,
			"Cluster shop/a\nCluster shop/b\nClusterResourceSet shop/r : {spec: {resources: [{kind: ConfigMap, name: c}, {kind: Secret, name: s}]}}\n" +
				"ClusterResourceSetBinding shop/a < ClusterResourceSet shop/r\nClusterResourceSetBinding shop/b < ClusterResourceSet shop/r\nConfigMap shop/c < ClusterResourceSet shop/r\nSecret shop/s",
			"Move Cluster shop/a\nMove ClusterResourceSetBinding shop/a\nCopy ClusterResourceSet shop/r: owns ClusterResourceSetBinding a\nCopy ConfigMap shop/c\nCopy Secret shop/s: names it in spec.resources[]\n" +
				"Exclude Cluster shop/b\nExclude ClusterResourceSetBinding shop/b"},
		{"moves the resource sets of a namespace", whole, "ClusterResourceSet shop/r : {spec: {resources: [{kind: Secret, name: s}]}}\nConfigMap shop/c < ClusterResourceSet shop/r\nSecret shop/s",
			"Move ClusterResourceSet shop/r\nMove ConfigMap shop/c\nCopy Secret shop/s: nothing shows that only moved objects use it"},
		{"moves an object with the label move alone", whole, "Box shop/b clusterctl.cluster.x-k8s.io/move=\nBox shop/c < Box shop/b",
			"Move Box shop/b: it has the label clusterctl.cluster.x-k8s.io/move\nExclude Box shop/c"},
		{"moves a hierarchy by its label", whole, "Box shop/b clusterctl.cluster.x-k8s.io/move-hierarchy=\nBox shop/c < Box shop/b\nBox shop/d < Box shop/c",
			"Move Box shop/b: has the label clusterctl.cluster.x-k8s.io/move-hierarchy\nMove Box shop/c: belongs to Box b\nMove Box shop/d: belongs to Box b"},
		{"moves objects by the label of their definition", whole, "Tenant shop/t\nBox shop/c < Tenant shop/t\nNote shop/n\nBox shop/d < Note shop/n",
			"Move Tenant shop/t\nMove Box shop/c\nMove Note shop/n\nExclude Box shop/d"},
		{"leaves labeled objects if Clusters are selected", onlyA, "Cluster shop/a\nTenant shop/t\nBox shop/b clusterctl.cluster.x-k8s.io/move=",
			"Move Cluster shop/a\nExclude Tenant shop/t: its definition has the label clusterctl.cluster.x-k8s.io/move-hierarchy, but only single Clusters are moved\n" +
				"Exclude Box shop/b: it has the label clusterctl.cluster.x-k8s.io/move, but only single Clusters are moved"},
		{"moves an object of a kind that is not of Cluster API by its label", whole, "Image shop/i clusterctl.cluster.x-k8s.io/move= : {spec: {cloudCredentialsRef: {secretName: cloud}}}\nSecret shop/cloud\nImage shop/j\nImage web/k clusterctl.cluster.x-k8s.io/move=",
			"Move Image shop/i: it has the label clusterctl.cluster.x-k8s.io/move, which clusterctl ignores without the label clusterctl.cluster.x-k8s.io of its definition\n" +
				"Copy Secret shop/cloud: Image i names it in spec.cloudCredentialsRef.secretName\nExclude Image shop/j: it belongs to no selected Cluster"},
		{"moves an object of a definition with the label move only", whole, "Album shop/a\nImage shop/i < Album shop/a", "Move Album shop/a: its definition has the label clusterctl.cluster.x-k8s.io/move\nExclude Image shop/i"},
		{"moves the hierarchy of an object that is not of Cluster API", whole, "Image shop/i clusterctl.cluster.x-k8s.io/move-hierarchy=\nImage shop/j < Image shop/i",
			"Move Image shop/i: it has the label clusterctl.cluster.x-k8s.io/move-hierarchy, which clusterctl ignores\nMove Image shop/j: it belongs to Image i"},
		{"copies a cluster-scoped identity that is named", onlyA, "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {kind: Realm, name: r}}}\nRealm r\nRealm other",
			"Move Cluster shop/a\nMove Box shop/b\nCopy Realm r: it is cluster-scoped\nExclude Realm other"},
		{"copies a cluster-scoped object with a label", whole, "Realm r clusterctl.cluster.x-k8s.io/move=", "Copy Realm r: it is cluster-scoped"},
		{"copies a Secret that is named only", whole, "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {name: s}}}\nSecret shop/s",
			"Move Cluster shop/a\nMove Box shop/b\nCopy Secret shop/s: Box b names it in spec.identityRef"},
		{"copies a Secret of another namespace", all, "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {name: s, namespace: base}}}\nSecret base/s",
			"Move Cluster shop/a\nMove Box shop/b\nCopy Secret base/s"},
		{"follows an identity to its Secret", whole, "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {kind: Login, name: l}}}\nLogin shop/l : {spec: {secretRef: {name: s}}}\nSecret shop/s",
			"Move Cluster shop/a\nMove Box shop/b\nMove Login shop/l: names it in spec.identityRef\nCopy Secret shop/s: Login l names it"},
		{"copies an identity that objects of other Clusters name", onlyA,
			"Cluster shop/a\nCluster shop/b\nBox shop/x < Cluster shop/a : {spec: {identityRef: {kind: Login, name: l}}}\nBox shop/y < Cluster shop/b : {spec: {identityRef: {kind: Login, name: l}}}\nLogin shop/l",
			"Move Cluster shop/a\nMove Box shop/x\nExclude Cluster shop/b\nExclude Box shop/y\nCopy Login shop/l: Box shop/y, which stays"},
		{"copies an identity that the template of a shared class names", onlyA,
			"Cluster shop/a" + std + "\nCluster shop/b" + std + "\nClusterClass shop/std\nBoxTemplate shop/t < ClusterClass shop/std : {spec: {template: {spec: {identityRef: {kind: Login, name: l}}}}}\nLogin shop/l",
			"Move Cluster shop/a\nExclude Cluster shop/b\nCopy ClusterClass shop/std\nCopy BoxTemplate shop/t\nCopy Login shop/l: BoxTemplate shop/t, which stays"},
		{"copies a Secret of a moved Cluster that an object which stays names", onlyA,
			"Cluster shop/a\nCluster shop/b\nSecret shop/s < Cluster shop/a\nBox shop/y < Cluster shop/b : {spec: {secretRef: {name: s}}}",
			"Move Cluster shop/a\nCopy Secret shop/s: Box shop/y, which stays\nExclude Cluster shop/b\nExclude Box shop/y"},
		{"never copies a Machine that an object which stays names", onlyA,
			"Cluster shop/a\nMachine shop/m < Cluster shop/a\nNote shop/n : {spec: {machineRef: {kind: Machine, name: m}}}",
			"Move Cluster shop/a\nMove Machine shop/m\nExclude Note shop/n"},
		{"moves addresses with their claims and a pool of the namespace", whole,
			"Cluster shop/a\nIPAddressClaim shop/c cluster.x-k8s.io/cluster-name=a : {spec: {poolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: p}}}\nIPAddress shop/i < IPAddressClaim shop/c\nPool shop/p",
			"Move Cluster shop/a\nMove IPAddressClaim shop/c\nMove IPAddress shop/i\nMove Pool shop/p: names it in spec.poolRef"},
		{"copies a pool that other claims need", onlyA,
			"Cluster shop/a\nIPAddressClaim shop/c cluster.x-k8s.io/cluster-name=a : {spec: {poolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: p}}}\n" +
				"IPAddressClaim shop/d : {spec: {poolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: p}}}\nPool shop/p",
			"Move Cluster shop/a\nMove IPAddressClaim shop/c\nCopy Pool shop/p: IPAddressClaim shop/d, which stays\nExclude IPAddressClaim shop/d"},
		{"copies a cluster-scoped pool", whole, "Cluster shop/a\nIPAddressClaim shop/c < Cluster shop/a : {spec: {poolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: GlobalPool, name: g}}}\nGlobalPool g",
			"Move Cluster shop/a\nMove IPAddressClaim shop/c\nCopy GlobalPool g"},
		{"keeps the owner of a moved object that is also above other Clusters", onlyA,
			"Tenant shop/t\nCluster shop/a < Tenant shop/t\nCluster shop/b < Tenant shop/t\nMachine shop/m < Cluster shop/b",
			"Move Cluster shop/a\nCopy Tenant shop/t: it owns Cluster a\nExclude Cluster shop/b\nExclude Machine shop/m"},
		{"stops at another Cluster", onlyA, "Cluster shop/a\nBox shop/host < Cluster shop/a\nCluster shop/inner < Box shop/host\nMachine shop/m < Cluster shop/inner",
			"Move Cluster shop/a\nMove Box shop/host\nExclude Cluster shop/inner\nExclude Machine shop/m"},
		{"does not copy the Machine of a Cluster that stays", plan.Scope{Namespaces: []string{"shop"}, Clusters: []string{"inner"}},
			"Cluster shop/a\nBox shop/host < Cluster shop/a\nCluster shop/inner < Box shop/host\nMachine shop/m < Cluster shop/inner : {spec: {hostRef: {kind: Box, name: host}}}",
			"Exclude Cluster shop/a\nExclude Box shop/host\nMove Cluster shop/inner\nMove Machine shop/m: belongs to Cluster inner"},
		{"copies a Secret of a Cluster that stays", onlyA, "Cluster shop/a : {spec: {secretRef: {name: s}}}\nCluster shop/b\nSecret shop/s < Cluster shop/b",
			"Move Cluster shop/a\nExclude Cluster shop/b\nCopy Secret shop/s"},
		{"moves a cycle", whole, "Cluster shop/a\nBox shop/x < Box shop/y < Cluster shop/a\nBox shop/y < Box shop/x", "Move Cluster shop/a\nMove Box shop/x\nMove Box shop/y"},
	} {
		t.Run(row.it, func(t *testing.T) {
			p := planOf(t, row.scope, row.objects).Plan
			seen := 0
			for line := range strings.Lines(row.want) {
				line, reason, _ := strings.Cut(strings.TrimSpace(line), ": ")
				decision, uid, _ := strings.Cut(line, " ")
				i := itemOf(p, uid)
				if i == nil {
					t.Errorf("%s is not in the plan", uid)
					continue
				}
				seen++
				if string(i.Decision) != decision || !strings.Contains(i.Reason, reason) {
					t.Errorf("%s: %s, because %s; want %s, because %s", uid, i.Decision, i.Reason, decision, reason)
				}
			}
			if seen != len(p.Items) {
				t.Errorf("the plan has %d items, want %d:\n%s", len(p.Items), seen, text(p))
			}
			checkInvariants(t, p)
		})
	}
}

// Without the right to list other namespaces, it is unknown who needs a class.
func TestClassIsCopiedIfOtherNamespacesAreUnknown(t *testing.T) {
	for _, scope := range []plan.Scope{whole, onlyA} {
		p := planOf(t, scope, "Cluster shop/a"+std+"\nClusterClass shop/std", func(s *source) { s.partial = true }).Plan
		if i := itemOf(p, "ClusterClass shop/std"); i.Decision != plan.Copy {
			t.Errorf("%v: the class is %s, because %s", scope, i.Decision, i.Reason)
		}
	}
}

// text returns the items of a plan, one line each.
func text(p *plan.Plan) string {
	var lines []string
	for _, i := range p.Items {
		lines = append(lines, fmt.Sprintf("%d %s %s: %s", i.Step, i.Decision, i.UID, i.Reason))
	}
	return strings.Join(lines, "\n")
}

// checkInvariants checks what is true of every plan.
func checkInvariants(t *testing.T, p *plan.Plan) {
	t.Helper()
	steps := map[string]int{}
	for _, i := range p.Items {
		steps[i.UID] = i.Step
	}
	for _, i := range p.Items {
		if i.Reason == "" || !slices.Contains([]plan.Decision{plan.Move, plan.Copy, plan.Exclude}, i.Decision) {
			t.Errorf("%s has the decision %q, because %q", i.Key(), i.Decision, i.Reason)
		}
		if (i.Step < 0) != (i.Decision == plan.Exclude) || i.Step >= p.Steps {
			t.Errorf("%s is %s in step %d of %d", i.Key(), i.Decision, i.Step, p.Steps)
		}
		for _, owner := range i.Owners {
			if step, known := steps[owner]; !known || step < 0 || step >= i.Step {
				t.Errorf("%s in step %d has the owner %s in step %d", i.Key(), i.Step, owner, step)
			}
		}
		for _, owner := range i.LateOwners {
			if step, known := steps[owner]; !known || step < i.Step {
				t.Errorf("%s in step %d has the late owner %s in step %d", i.Key(), i.Step, owner, step)
			}
		}
		if i.Decision == plan.Move && i.Namespace == "" {
			t.Errorf("%s is cluster-scoped and would be deleted", i.Key())
		}
	}
}

func TestOrder(t *testing.T) {
	for _, row := range []struct{ it, objects, before, after string }{
		{"creates owners first", "Cluster shop/a\nMachine shop/m < Cluster shop/a", "Cluster shop/a", "Machine shop/m"},
		{"creates classes before Clusters", "Cluster shop/a" + std + "\nClusterClass shop/std", "ClusterClass shop/std", "Cluster shop/a"},
		{"creates named Secrets first", "Cluster shop/a\nBox shop/b cluster.x-k8s.io/cluster-name=a : {spec: {identityRef: {name: s}}}\nSecret shop/s", "Secret shop/s", "Box shop/b"},
		{"creates a Secret of a Cluster before it", "Cluster shop/a : {spec: {secretRef: {name: s}}}\nSecret shop/s", "Secret shop/s", "Cluster shop/a"},
		{"creates identities before who names them", "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {kind: Login, name: l}}}\nLogin shop/l : {spec: {secretRef: {name: s}}}\nSecret shop/s",
			"Login shop/l", "Box shop/b"},
		{"creates the Secrets of identities before these", "Cluster shop/a\nBox shop/b < Cluster shop/a : {spec: {identityRef: {kind: Login, name: l}}}\nLogin shop/l : {spec: {secretRef: {name: s}}}\nSecret shop/s",
			"Secret shop/s", "Login shop/l"},
		{"creates a Machine before the Secret that it owns and names", "Cluster shop/a\nMachine shop/m < Cluster shop/a : {spec: {bootstrap: {dataSecretName: d}}}\nSecret shop/d < Machine shop/m", "Machine shop/m", "Secret shop/d"},
		{"begins a cycle with its first object", "Cluster shop/a\nBox shop/x < Box shop/y < Cluster shop/a\nBox shop/y < Box shop/x", "Box shop/x", "Box shop/y"},
		{"creates what is above a cycle first", "Cluster shop/z\nBox shop/x < Box shop/y < Cluster shop/z\nBox shop/y < Box shop/x", "Cluster shop/z", "Box shop/x"},
		{"creates what is below a cycle last", "Cluster shop/z\nBox shop/x < Box shop/y < Cluster shop/z\nBox shop/y < Box shop/x\nBox shop/a < Box shop/y", "Box shop/y", "Box shop/a"},
	} {
		t.Run(row.it, func(t *testing.T) {
			p := planOf(t, whole, row.objects).Plan
			before, after := itemOf(p, row.before), itemOf(p, row.after)
			if before == nil || after == nil || before.Step < 0 || before.Step >= after.Step {
				t.Errorf("%s is not before %s:\n%s", row.before, row.after, text(p))
			}
			checkInvariants(t, p)
		})
	}
	p := planOf(t, whole, "Cluster shop/a\nBox shop/x < Box shop/y < Cluster shop/a\nBox shop/y < Box shop/x").Plan
	if x := itemOf(p, "Box shop/x"); len(x.Owners) != 1 || !slices.Equal(x.LateOwners, []string{"Box shop/y"}) {
		t.Errorf("the first of the cycle has the owners %v and the late owners %v", x.Owners, x.LateOwners)
	}
}

func TestRoots(t *testing.T) {
	for _, row := range []struct {
		it, objects, uid string
		root, wasPaused  bool
	}{
		{"is a Cluster", "Cluster shop/a", "Cluster shop/a", true, false},
		{"was a paused Cluster", "Cluster shop/a : {spec: {paused: true}}", "Cluster shop/a", true, true},
		{"has the annotation of a pause", "Cluster shop/a @cluster.x-k8s.io/paused=", "Cluster shop/a", true, true},
		{"was paused by this move", `Cluster shop/a : {spec: {paused: true}, metadata: {annotations: {kstatus.dev/pause-before: '{"paused":false,"by":"move x"}'}}}`, "Cluster shop/a", true, false},
		{"had been paused before this move", `Cluster shop/a : {spec: {paused: true}, metadata: {annotations: {kstatus.dev/pause-before: '{"paused":true,"by":"move x"}'}}}`, "Cluster shop/a", true, true},
		{"was paused by somebody with our command", `Cluster shop/a : {spec: {paused: true}, metadata: {annotations: {kstatus.dev/pause-before: '{"paused":false,"by":"pause"}'}}}`, "Cluster shop/a", true, true},
		{"has a hostile record", `Cluster shop/a : {spec: {paused: true}, metadata: {annotations: {kstatus.dev/pause-before: '[7'}}}`, "Cluster shop/a", true, true},
		{"is a class", "ClusterClass shop/c", "ClusterClass shop/c", true, false},
		{"is a paused class", "ClusterClass shop/c @cluster.x-k8s.io/paused=", "ClusterClass shop/c", true, true},
		{"belongs to a Cluster", "Cluster shop/a\nBox shop/b < Cluster shop/a", "Box shop/b", false, false},
		{"is a template", "BoxTemplate shop/t clusterctl.cluster.x-k8s.io/move=", "BoxTemplate shop/t", false, false},
		{"is a labeled object", "Box shop/b clusterctl.cluster.x-k8s.io/move=", "Box shop/b", true, false},
		{"is labeled, and its controller does not know the pause", "Image shop/i clusterctl.cluster.x-k8s.io/move=", "Image shop/i", false, false},
		{"is labeled, and its controller reports Paused", "Image shop/i clusterctl.cluster.x-k8s.io/move= : {status: {conditions: [{type: Ready}, {type: Paused}]}}", "Image shop/i", true, false},
		{"is labeled, and has hostile conditions", "Image shop/i clusterctl.cluster.x-k8s.io/move= : {status: {conditions: [7, {type: [Paused]}]}}", "Image shop/i", false, false},
		{"is below a labeled object", "Box shop/b clusterctl.cluster.x-k8s.io/move-hierarchy=\nBox shop/c < Box shop/b", "Box shop/c", false, false},
		{"is a Secret", "Secret shop/s clusterctl.cluster.x-k8s.io/move=", "Secret shop/s", false, false},
		{"is cluster-scoped", "Realm r clusterctl.cluster.x-k8s.io/move=", "Realm r", false, false},
	} {
		t.Run(row.it, func(t *testing.T) {
			i := itemOf(planOf(t, whole, row.objects).Plan, row.uid)
			if i.Root != row.root || i.WasPaused != row.wasPaused {
				t.Errorf("it is a root: %t, and was paused: %t; want %t and %t", i.Root, i.WasPaused, row.root, row.wasPaused)
			}
		})
	}
}

func TestMissingIdentity(t *testing.T) {
	const done = "status: {initialization: {infrastructureProvisioned: true, controlPlaneInitialized: true}}"
	for _, row := range []struct{ it, object, want string }{
		{"has an endpoint", "Cluster shop/a : {spec: {controlPlaneEndpoint: {host: h}}, " + done + "}", ""},
		{"has no endpoint", "Cluster shop/a : {" + done + "}", "spec.controlPlaneEndpoint.host"},
		{"is not provisioned", "Cluster shop/a", ""},
		{"has a providerID", "Machine shop/m : {spec: {providerID: p}, " + done + "}", ""},
		{"has no providerID", "Machine shop/m : {" + done + "}", "spec.providerID"},
		{"has a hostile status", "Machine shop/m : {status: 7, spec: []}", ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			objects, err := clusterapitest.Parse(row.object)
			if err != nil {
				t.Fatal(err)
			}
			if have := MissingIdentity(objects[0]); have != row.want {
				t.Errorf("%q is missing, want %q", have, row.want)
			}
		})
	}
}

const everything = "Cluster shop/a : {spec: {topology: {classRef: {name: std, namespace: base}}, secretRef: {name: s}}}\nCluster shop/b" + " : {spec: {topology: {class: own}}}\n" + `
Machine shop/m < Cluster shop/a : {spec: {bootstrap: {dataSecretName: d}, infrastructureRef: {kind: Box, name: x}}}
Box shop/x < Machine shop/m < Box shop/y : {spec: {identityRef: {kind: Realm, name: r}}}
Box shop/y < Box shop/x
Secret shop/d < Machine shop/m
Secret shop/s
Secret shop/a-ca
Realm r : {spec: {secretRef: {name: s, namespace: shop}}}
ClusterClass base/std
ClusterClass shop/own
BoxTemplate base/t < ClusterClass base/std
Tenant shop/t
Box shop/z < Tenant shop/t < Cluster shop/b
Note shop/n
Box shop/o < Note shop/n < Deployment shop/q
ClusterResourceSet shop/r : {spec: {resources: [{kind: ConfigMap, name: c}]}}
ClusterResourceSetBinding shop/a < ClusterResourceSet shop/r
ConfigMap shop/c
`

// The order in which the server lists objects does not matter.
func TestPlanIsTheSame(t *testing.T) {
	for _, scope := range []plan.Scope{whole, onlyA, all} {
		want := ""
		for range 20 {
			data, err := json.MarshalIndent(planOf(t, scope, everything).Plan, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			if want = cmp.Or(want, string(data)); want != string(data) {
				t.Fatalf("two plans of the same objects:\n%s\n%s", want, data)
			}
		}
	}
}

func FuzzPlan(f *testing.F) {
	f.Add(everything, "shop", "a", "")
	f.Add("Cluster shop/a\nSecret shop/s < Cluster shop/a < Cluster shop/b\nCluster shop/b", "", "", "team=blue")
	f.Add("Box shop/x < Box shop/y\nBox shop/y < Box shop/z\nBox shop/z < Box shop/x < Cluster shop/a\nCluster shop/a < Box shop/z", "shop", "", "")
	f.Fuzz(func(t *testing.T, lines, namespace, cluster, selector string) {
		if _, err := clusterapitest.Parse(lines); err != nil {
			return
		}
		scope := plan.Scope{Selector: selector}
		if _, err := labels.Parse(selector); err != nil {
			return
		}
		if namespace != "" {
			scope.Namespaces = []string{namespace}
		}
		if cluster != "" {
			scope.Clusters = []string{cluster}
		}
		p := planOf(t, scope, lines).Plan
		checkInvariants(t, p)
		if lines := plan.Diff(p, planOf(t, scope, lines).Plan); len(lines) > 0 {
			t.Errorf("two plans of the same objects differ: %v", lines)
		}
	})
}
