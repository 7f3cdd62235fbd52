package move

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/test/lib/cluster"
)

// clusterctl does not ask whether controllers have stopped. Here each object of a real provider and
// of core has reported the pause before the copy begins, and its end at the end. The cloud is
// untouched. Also M-D20, M-14, M-18, M-19, M-25, M-27, M-29 and M-31.
func TestMD12ControllersHaveAcknowledged(t *testing.T) {
	cluster.Long(t)
	f := newFixture(t)
	f.createClass()
	names := f.createClusters(1, 1)
	reporting := []schema.GroupVersionResource{clusters, machines, shelfClusters, shelfMachines,
		resource("cluster.x-k8s.io", "v1beta2", "machinedeployments"), resource("cluster.x-k8s.io", "v1beta2", "machinesets"),
		resource("cluster.x-k8s.io", "v1beta2", "machinehealthchecks")}
	check := func(s *site, status string) {
		for _, r := range reporting {
			list, err := f.in(s, r).List(context.Background(), metav1.ListOptions{})
			if err != nil || len(list.Items) == 0 {
				t.Errorf("the %s has %d %s: %v", s.name, len(list.Items), r.Resource, err)
			}
			for i := range list.Items {
				if have := condition(&list.Items[i], "Paused"); !strings.HasPrefix(have, status+"/") {
					t.Errorf("in the %s, %s %s is Paused=%s, want %s", s.name, r.Resource, list.Items[i].GetName(), have, status)
				}
			}
		}
	}
	before := len(f.cloud.Changes())
	data := map[string]string{}
	list, err := f.in(f.from, machines).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list.Items {
		data[list.Items[i].GetName()], _ = field(&list.Items[i], "spec", "bootstrap", "dataSecretName").(string)
	}
	addressesBefore, claimsBefore := f.names(f.from, addresses), f.names(f.from, claims)
	_, err = f.run(t.Context(), begin(f.options(), move.Creating, func() { check(f.from, "True") }))
	if err != nil {
		t.Fatal(err)
	}
	check(f.to, "False")
	f.checkMoved(f.from, f.to, before, names...)
	if len(data) != 2 {
		t.Errorf("there were %d Machines, want 2", len(data))
	}
	for machine, want := range data {
		o, err := f.in(f.to, machines).Get(t.Context(), machine, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if have := field(o, "spec", "bootstrap", "dataSecretName"); have != want || want == "" {
			t.Errorf("Machine %s has the bootstrap data %v, want %q", machine, have, want)
		}
		if _, err := f.in(f.to, secrets).Get(t.Context(), want, metav1.GetOptions{}); err != nil {
			t.Errorf("the bootstrap data of Machine %s: %v", machine, err)
		}
		if id, _ := field(o, "spec", "providerID").(string); id == "" {
			t.Errorf("Machine %s has no providerID", machine)
		}
	}
	for r, want := range map[schema.GroupVersionResource][]string{addresses: addressesBefore, claims: claimsBefore} {
		if have := f.names(f.to, r); fmt.Sprint(have) != fmt.Sprint(want) || len(want) == 0 {
			t.Errorf("the target has the %s %v, want %v", r.Resource, have, want)
		}
	}
}

// clusterctl creates one object after the other. Here requests are concurrent, and their number is
// bounded. Also M-12.
func TestMD18RequestsAreConcurrent(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	lines := "Cluster a : " + bare
	for i := range 100 {
		lines += fmt.Sprintf("\nCrate c%d < Cluster a", i)
	}
	y.create(lines)
	var now, most atomic.Int64
	o := y.options()
	o.Concurrency = 8
	o.Target.Wrap(func(next http.RoundTripper) http.RoundTripper { return &gauge{next, &now, &most} })
	y.mustRun(o)
	if n := most.Load(); n < 2 || n > 8 {
		t.Errorf("at most %d writes were in flight, want 2 to 8", n)
	}
	if n := len(y.names(y.to, crates)); n != 100 {
		t.Errorf("the target has %d Crates, want 100", n)
	}
}

// A gauge counts writes in flight. Slow answers let them overlap.
type gauge struct {
	next      http.RoundTripper
	now, most *atomic.Int64
}

func (g *gauge) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost && !strings.Contains(r.URL.Path, "selfsubjectaccessreviews") {
		n := g.now.Add(1)
		defer g.now.Add(-1)
		for most := g.most.Load(); n > most && !g.most.CompareAndSwap(most, n); most = g.most.Load() {
		}
		time.Sleep(5 * time.Millisecond) // simulates a slow server, so that requests overlap
	}
	return g.next.RoundTrip(r)
}

// clusterctl drops objects whose owner references form a cycle. Here they are created, and get the
// owners that came later.
func TestMD19CyclesAreMoved(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nCrate x < Cluster a\nCrate y < Crate x\nCrate z < Crate y")
	x, last := y.get(y.from, crates, "x"), y.get(y.from, crates, "y")
	owners := fmt.Sprintf(`{"metadata": {"ownerReferences": [{"apiVersion": "depot.example.com/v1", "kind": "Crate", "name": "y", "uid": %q}, {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "name": "a", "uid": %q}]}}`,
		last.GetUID(), x.GetOwnerReferences()[0].UID)
	y.merge(y.from, crates, "x", owners)
	y.mustRun(y.options())
	y.wantNames(y.from, crates)
	y.wantOwners(y.to, crates, "x", "a", "y")
	y.wantOwners(y.to, crates, "y", "x")
	y.wantOwners(y.to, crates, "z", "y")
}

// clusterctl ends before any controller of the target works. Here a controller that does not report
// is named, and a later run can wait for it. Also M-18 and M-25.
func TestMD20SilentControllersAreNamed(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nTank t < Cluster a")
	y.tend(y.from, 0, "t")
	y.waitTended(y.from, "t")
	o := y.options()
	o.Strict = true
	o.Timeout = 8 * time.Second
	y.mustFail(o, "unpaused in the target, but these objects have not reported yet: Tank/"+y.ns+"/t")
	stop := y.tend(y.to, 0, "t")
	defer stop()
	o.Timeout = patience
	if _, err := y.mover(o).Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	y.wantActive(y.to, clusters, "a")
	y.wantActive(y.to, tanks, "t")
}

// M-5: Clusters and classes that were paused before stay paused.
func TestPausedBefore(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + `
		Cluster b : {spec: {paused: true, infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfCluster, name: none}, controlPlaneEndpoint: {host: b.example, port: 6443}}}
		Cluster c : {meta: {annotations: {cluster.x-k8s.io/paused: ""}}, spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfCluster, name: none}, controlPlaneEndpoint: {host: c.example, port: 6443}}}
		Crate x < Cluster a : {meta: {annotations: {cluster.x-k8s.io/paused: "by hand"}}}`)
	y.mustRun(y.options())
	y.wantActive(y.to, clusters, "a")
	b, c := y.get(y.to, clusters, "b"), y.get(y.to, clusters, "c")
	if paused, _ := field(b, "spec", "paused").(bool); !paused {
		t.Error("Cluster b is no longer paused")
	}
	if _, annotated := c.GetAnnotations()["cluster.x-k8s.io/paused"]; !annotated || field(c, "spec", "paused") != nil {
		t.Errorf("Cluster c has spec.paused %v and the annotations %v", field(c, "spec", "paused"), c.GetAnnotations())
	}
	if y.get(y.to, crates, "x").GetAnnotations()["cluster.x-k8s.io/paused"] != "by hand" {
		t.Error("Crate x is no longer paused")
	}
	for _, o := range []string{"b", "c"} {
		for a := range y.get(y.to, clusters, o).GetAnnotations() {
			if a == "kstatus.dev/pause-before" || a == "kstatus.dev/move" {
				t.Errorf("Cluster %s still has the annotation %s", o, a)
			}
		}
	}
}

// M-7: each problem of readiness is accepted by its object, or all by their word.
func TestReadinessIsAccepted(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nCluster b : " + bare)
	o := y.options()
	o.Accept = []string{"not-ready=" + y.ns + "/a"}
	y.mustFail(o, "Cluster.cluster.x-k8s.io "+y.ns+"/b: its infrastructure is not provisioned yet")
	y.wantNames(y.from, clusters, "a", "b")
	o.Accept = append(o.Accept, "not-ready="+y.ns+"/b")
	y.mustRun(o)
	y.wantNames(y.to, clusters, "a", "b")
}

// M-8: Clusters are moved one after the other; what they share stays until the last one has moved,
// and belongs to both in the target. Also M-17, M-21 and M-28.
func TestSharedObjectsAreCounted(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	depot := "depot-" + y.ns
	y.create("Cluster a : " + bare + "\nCluster b : {meta: {labels: {team: blue}}, spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfCluster, name: none}, controlPlaneEndpoint: {host: b.example, port: 6443}}}\n" +
		"Secret shared < Cluster a < Cluster b : {data: {token: eA==}}\nSecret named : {data: {token: eQ==}}\n" +
		"Depot " + depot + " : {spec: {identityRef: {name: named, namespace: " + y.ns + "}}}\n" +
		"Crate a < Cluster a : {spec: {identityRef: {kind: Depot, name: " + depot + "}}}\nCrate b < Cluster b : {spec: {identityRef: {kind: Depot, name: " + depot + "}}}")
	t.Cleanup(func() {
		for _, s := range []*site{y.from, y.to} {
			_ = y.of(s, depots).Delete(context.Background(), depot, metav1.DeleteOptions{}) // it may not exist
		}
	})
	y.mustRun(y.only("a"))
	y.wantNames(y.from, clusters, "b")
	y.wantNames(y.from, crates, "b")
	y.wantOwners(y.from, secrets, "shared", "b")
	y.wantOwners(y.to, secrets, "shared", "a")
	y.get(y.to, secrets, "named")
	y.get(y.to, depots, depot)
	o := y.options()
	o.Scope.Selector = "team=blue"
	y.mustRun(o)
	y.wantNames(y.from, clusters)
	y.wantNames(y.from, secrets, "named") // without an owner, it may have other users
	y.wantNames(y.to, clusters, "a", "b")
	y.wantOwners(y.to, secrets, "shared", "a", "b")
	y.get(y.from, depots, depot)
}

// M-11: the status of a kind is copied on request.
func TestStatusIsCopied(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nTank t < Cluster a : {spec: {size: small}}")
	y.merge(y.from, tanks, "t", `{"status": {"serial": "4711"}}`, "status")
	o := y.options()
	o.Status = []schema.GroupKind{{Group: "depot.example.com", Kind: "Tank"}}
	y.mustRun(o)
	if serial := field(y.get(y.to, tanks, "t"), "status", "serial"); serial != "4711" {
		t.Errorf("the copy has the serial number %v in its status", serial)
	}
}

// M-15: the deletion goes on although somebody writes to the object all the time.
func TestDeletionToleratesWrites(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : " + bare + "\nCrate c < Cluster a : {meta: {finalizers: [depot.example.com/hold]}}")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	o := begin(y.options(), move.Deleting, func() {
		go func() {
			n := 0
			for ; ctx.Err() == nil; n++ {
				patch := fmt.Appendf(nil, `{"metadata": {"labels": {"n": "%d"}, "finalizers": ["depot.example.com/hold"]}}`, n)
				_, err := y.in(y.from, crates).Patch(context.Background(), "c", types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "writer"})
				if apierrors.IsNotFound(err) || n == 40 {
					break
				}
				time.Sleep(20 * time.Millisecond) // simulates the pace of a writer
			}
			done <- n
		}()
	})
	y.mustRun(o)
	cancel()
	if n := <-done; n == 0 {
		t.Error("nothing was written")
	}
	y.wantNames(y.from, crates)
	c := y.get(y.to, crates, "c")
	if len(c.GetFinalizers()) != 1 {
		t.Errorf("the copy has the finalizers %v", c.GetFinalizers())
	}
}

// M-26: a Machine whose infrastructure exists but that has no providerID does not move.
func TestMissingProviderIDPreventsTheMove(t *testing.T) {
	cluster.Long(t)
	y := newYard(t)
	y.create("Cluster a : {spec: {paused: true, infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfCluster, name: none}, controlPlaneEndpoint: {host: a.example, port: 6443}}}\n" +
		"Machine m < Cluster a : {meta: {labels: {cluster.x-k8s.io/cluster-name: a}}, spec: {clusterName: a, bootstrap: {dataSecretName: d}, infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfMachine, name: m}}}")
	y.merge(y.from, machines, "m", `{"status": {"initialization": {"infrastructureProvisioned": true}}}`, "status")
	y.mustFail(y.options(), "Machine.cluster.x-k8s.io "+y.ns+"/m: it is provisioned, but spec.providerID is empty")
	y.wantNames(y.from, machines, "m")
}
