package provider

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/author/audit"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/lib/cluster"
)

// shop is a Cluster with one Machine, as users write them.
const shop = managers.Shop

// workers are Machines that Cluster API creates from a template.
const workers = managers.Workers

// The core manager of Cluster API accepts all fields of the provider that the contract defines.
func TestCoreManager(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.runProvider(w.Cluster.Config(), nil)
	seen := w.record(clusters, machines, shelfClusters, shelfMachines)

	w.cloud.Fail(1<<30, 503)
	w.Apply(shop + w.kubeconfig("shop"))
	w.WaitUntil(clusters, "shop", "told that the cloud is away", hasCondition("InfrastructureReady=Unknown/CloudUnavailable"))
	w.WaitUntil(machines, "web", "told what it waits for", hasCondition("InfrastructureReady=False/WaitingForClusterInfrastructure"))
	w.cloud.Fail(0, 0)

	shopCluster := w.WaitUntil(clusters, "shop", "provisioned", allOf(provisioned, hasCondition("InfrastructureReady=True/AsExpected")))
	web := w.WaitUntil(machines, "web", "provisioned", allOf(provisioned, hasCondition("InfrastructureReady=True/AsExpected")))
	shelfCluster := w.WaitUntil(shelfClusters, "shop", "ready", hasCondition("Ready=True"))
	shelfMachine := w.WaitUntil(shelfMachines, "web", "ready", hasCondition("Ready=True"))
	checkEqual(t, "the endpoint", field(shopCluster, "spec", "controlPlaneEndpoint"), field(shelfCluster, "spec", "controlPlaneEndpoint"))
	checkEqual(t, "the failure domains", field(shopCluster, "status", "failureDomains"), field(shelfCluster, "status", "failureDomains"))
	checkEqual(t, "the provider ID", field(web, "spec", "providerID"), field(shelfMachine, "spec", "providerID"))
	checkEqual(t, "the addresses", field(web, "status", "addresses"), field(shelfMachine, "status", "addresses"))
	checkEqual(t, "the failure domain", field(web, "status", "failureDomain"), field(shelfMachine, "status", "failureDomain"))
	w.joinNode(web)

	w.Apply(workers)
	w.WaitUntil(deployments, "workers", "given a server", func(obj *unstructured.Unstructured) bool {
		return len(w.resources("servers")) == 2
	})
	w.pause(t)

	w.Remove(clusters, "shop")
	w.WaitForDeletion(clusters, "shop")
	for _, r := range []schema.GroupVersionResource{shelfClusters, shelfMachines, machines} {
		if left := w.Names(r); len(left) > 0 {
			t.Errorf("%s are left when the Cluster is gone: %v", r.Resource, left)
		}
	}
	if left := w.cloud.Resources(); len(left) > 0 {
		t.Errorf("the cloud still has %v", left)
	}
	checkStaysProvisioned(t, seen())
}

// pause pauses the Cluster. All objects of the provider acknowledge it, and do nothing until the
// end of the pause. That includes the machines of the MachineDeployment, whose servers the cloud
// may still build when the pause begins.
func (w *fixture) pause(t *testing.T) {
	w.pauseShop(true)
	for _, r := range []schema.GroupVersionResource{shelfClusters, shelfMachines} {
		for _, name := range w.Names(r) {
			w.awaitAcknowledgement(r, name)
		}
	}
	w.checkIdle(shelfMachines, "web")
	changed := w.Get(shelfMachines, "web")
	w.pauseShop(false)
	w.WaitUntil(shelfMachines, "web", "going on", allOf(hasCondition("Paused=False"), hasCondition("Ready=True"), func(obj *unstructured.Unstructured) bool {
		return field(obj, "status", "observedGeneration") == changed.GetGeneration()
	}))
}

// checkStaysProvisioned checks that an object that was provisioned in one version is so in all
// later ones.
func checkStaysProvisioned(t *testing.T, stream []audit.Write) {
	fields := map[string]string{"Cluster": "infrastructureProvisioned", "Machine": "infrastructureProvisioned", "ShelfCluster": "provisioned", "ShelfMachine": "provisioned"}
	since := map[string]string{}
	for _, write := range stream {
		obj := &unstructured.Unstructured{Object: write.Object}
		name := obj.GetKind() + " " + obj.GetName()
		now := field(obj, "status", "initialization", fields[obj.GetKind()]) == true
		if version, was := since[name]; was && !now {
			t.Errorf("%s was provisioned in version %s and is not in %s", name, version, obj.GetResourceVersion())
		}
		if now {
			since[name] = obj.GetResourceVersion()
		}
	}
	if len(since) != 6 {
		t.Errorf("of %d objects, %v, provisioned was seen; want the Cluster, two Machines, and what is below them", len(since), since)
	}
}

// provisioned reports whether the core manager has accepted the infrastructure as complete.
func provisioned(obj *unstructured.Unstructured) bool {
	return field(obj, "status", "initialization", "infrastructureProvisioned") == true
}

func checkEqual(t *testing.T, what string, have, want any) {
	t.Helper()
	if want == nil || !reflect.DeepEqual(have, want) {
		t.Errorf("core has %s %v, the provider says %v", what, have, want)
	}
}

// kubeconfig creates the Secret by which core reaches the managed cluster: the test cluster
// itself.
func (w *fixture) kubeconfig(name string) string {
	path := filepath.Join(w.T.TempDir(), "kubeconfig")
	err := cluster.WriteKubeconfig(path, w.Cluster.Config(), "default")
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		w.T.Fatal(err)
	}
	return fmt.Sprintf(`
---
apiVersion: v1
kind: Secret
metadata:
  name: %s-kubeconfig
  labels: {cluster.x-k8s.io/cluster-name: %s}
type: cluster.x-k8s.io/secret
stringData:
  value: |
    %s
`, name, name, strings.ReplaceAll(string(data), "\n", "\n    "))
}

// joinNode creates the Node for the server of a Machine, like its kubelet, and waits until core
// has found it. The annotations name the Machine of the Node; otherwise core sets them after the
// Node has joined. The clouds of other tests use the same provider IDs, and core ignores a Node
// that could belong to two Machines.
//
// Like a kubelet, joinNode writes the Node again and again, and the Machine too. Core looks for the
// Node only when it or the Machine changes. When the Node is created, core may not know the
// Machine's provider ID yet, or may not watch Nodes yet.
func (w *fixture) joinNode(machine *unstructured.Unstructured) {
	w.T.Helper()
	w.T.Cleanup(func() {
		nodes := w.Dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "nodes"})
		if err := nodes.Delete(context.Background(), w.Namespace, metav1.DeleteOptions{}); err != nil && !isNotFound(err) {
			w.T.Error(err)
		}
	})
	w.T.Cleanup(func() {
		if w.T.Failed() {
			w.T.Logf("the last lines of core about this test:\n%s", strings.Join(w.coreLog(30), "\n"))
		}
	})
	var written time.Time
	joined := hasCondition("NodeHealthy=True")
	w.WaitUntil(machines, machine.GetName(), "joined by its node", func(obj *unstructured.Unstructured) bool {
		if time.Since(written) > time.Second {
			written = time.Now()
			w.Apply(fmt.Sprintf(`
apiVersion: v1
kind: Node
metadata:
  name: %[1]s
  annotations: {cluster.x-k8s.io/cluster-name: shop, cluster.x-k8s.io/cluster-namespace: %[1]s, heartbeat: %[3]q}
spec: {providerID: %[2]q}
`, w.Namespace, field(machine, "spec", "providerID"), written.Format(time.RFC3339)))
			w.Patch(machines, machine.GetName(), fmt.Sprintf(`{"metadata": {"annotations": {"heartbeat": %q}}}`, written.Format(time.RFC3339)))
		}
		return joined(obj)
	})
}

// coreLog returns the last lines of the log of core that name the namespace of the test.
func (w *fixture) coreLog(most int) []string {
	text, err := os.ReadFile(filepath.Join(w.Cluster.Dir(), string(cluster.ClusterAPI)+".log"))
	if err != nil {
		return []string{err.Error()}
	}
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return !strings.Contains(line, w.Namespace) })
	return lines[max(0, len(lines)-most):]
}

// resources returns the cloud resources of a type.
func (w *fixture) resources(kind string) []string {
	return slices.DeleteFunc(w.cloud.Resources(), func(r string) bool { return !strings.HasPrefix(r, kind+" ") })
}
