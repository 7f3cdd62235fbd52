package move

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// fixtureLabel is on the Nodes of a fixture. Its value is the namespace of the Clusters.
const fixtureLabel = "move.kstatus.dev/fixture"

// class is a ClusterClass with its templates.
const class = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: shop}
spec:
  infrastructure:
    templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: ShelfClusterTemplate, name: shop}
  controlPlane:
    templateRef: {apiVersion: controlplane.cluster.x-k8s.io/v1, kind: RackControlPlaneTemplate, name: shop}
    machineInfrastructure:
      templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: ShelfMachineTemplate, name: shop-control-plane}
  workers:
    machineDeployments:
    - class: web
      bootstrap:
        templateRef: {apiVersion: bootstrap.cluster.x-k8s.io/v1, kind: RackConfigTemplate, name: shop-web}
      infrastructure:
        templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: ShelfMachineTemplate, name: shop-web}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ShelfClusterTemplate
metadata: {name: shop}
spec: {template: {spec: {identityRef: {name: shelf-identity}}}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1
kind: RackControlPlaneTemplate
metadata: {name: shop}
spec: {template: {spec: {}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ShelfMachineTemplate
metadata: {name: shop-control-plane}
spec: {template: {spec: {size: large}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ShelfMachineTemplate
metadata: {name: shop-web}
spec: {template: {spec: {size: small, tags: {pool: web}}}}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1
kind: RackConfigTemplate
metadata: {name: shop-web}
spec: {template: {spec: {}}}
`

// shared are the objects that all Clusters of a namespace use: an identity, and a ConfigMap that
// core creates in each Cluster.
const shared = `
apiVersion: v1
kind: Secret
metadata: {name: shelf-identity}
stringData: {token: ` + cloudToken + `}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: addons}
data:
  addons.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: addon-NAMESPACE, namespace: default}
---
apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata: {name: addons}
spec:
  clusterSelector: {matchLabels: {addons: "yes"}}
  resources: [{kind: ConfigMap, name: addons}]
  strategy: ApplyOnce
`

// topology is a Cluster of the class, with a MachineHealthCheck.
const topology = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: NAME
  labels: {addons: "yes"}
spec:
  topology:
    classRef: {name: shop, namespace: CLASS}
    version: v1.36.3
    controlPlane: {replicas: 1}
    workers:
      machineDeployments: [{class: web, name: web, replicas: WORKERS}]
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {name: NAME}
spec:
  clusterName: NAME
  selector: {matchLabels: {topology.cluster.x-k8s.io/deployment-name: web}}
  checks:
    unhealthyNodeConditions: [{type: Ready, status: "False", timeoutSeconds: 3600}]
`

// createClass creates the ClusterClass.
func (f *fixture) createClass() {
	f.t.Helper()
	f.from.Apply(f.t, f.classNS, class)
}

// createClusters creates Clusters with one control plane Machine and some workers each: shop-0,
// shop-1 and so on. Before that it creates the objects that they share. It returns their names
// when all are available.
func (f *fixture) createClusters(n, workers int) (names []string) {
	f.t.Helper()
	f.from.Apply(f.t, f.ns, strings.ReplaceAll(shared, "NAMESPACE", f.ns))
	fill := strings.NewReplacer("CLASS", f.classNS, "WORKERS", fmt.Sprint(workers))
	for i := range n {
		name := fmt.Sprintf("shop-%d", i)
		names = append(names, name)
		f.from.Apply(f.t, f.ns, strings.ReplaceAll(fill.Replace(topology), "NAME", name))
		f.createAddress(name, i)
	}
	stop := f.joinNodes()
	defer stop()
	f.waitAvailable(f.from, names...)
	f.waitNodes(n * (1 + workers))
	return names
}

// createAddress creates an address claim of a Cluster, with its address. No provider reports on
// them.
func (f *fixture) createAddress(cluster string, number int) {
	f.t.Helper()
	owner, err := f.in(f.from, clusters).Get(f.t.Context(), cluster, metav1.GetOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	pool := map[string]any{"apiGroup": "ipam.cluster.x-k8s.io", "kind": "ShelfPool", "name": "front"}
	claim := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "ipam.cluster.x-k8s.io/v1beta2", "kind": "IPAddressClaim",
		"metadata": map[string]any{"name": cluster, "labels": map[string]any{"cluster.x-k8s.io/cluster-name": cluster}},
		"spec":     map[string]any{"poolRef": pool, "clusterName": cluster},
	}}
	claim.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: owner.GetAPIVersion(), Kind: "Cluster", Name: cluster, UID: owner.GetUID()}})
	if claim, err = f.in(f.from, claims).Create(f.t.Context(), claim, metav1.CreateOptions{}); err != nil {
		f.t.Fatal(err)
	}
	address := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "ipam.cluster.x-k8s.io/v1beta2", "kind": "IPAddress",
		"metadata": map[string]any{"name": cluster},
		"spec": map[string]any{"poolRef": pool, "claimRef": map[string]any{"name": cluster},
			"address": fmt.Sprintf("192.0.2.%d", number+1), "prefix": int64(24), "gateway": "192.0.2.254"},
	}}
	address.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: claim.GetAPIVersion(), Kind: claim.GetKind(), Name: cluster, UID: claim.GetUID()}})
	if _, err := f.in(f.from, addresses).Create(f.t.Context(), address, metav1.CreateOptions{}); err != nil {
		f.t.Fatal(err)
	}
}

// waitAvailable waits until Clusters are available.
func (f *fixture) waitAvailable(s *site, names ...string) {
	f.t.Helper()
	for _, name := range names {
		until(f.t, "Cluster "+name+" on the "+s.name+" is available", func() error {
			o, err := f.in(s, clusters).Get(f.t.Context(), name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			if !strings.HasPrefix(condition(o, "Available"), "True/") || field(o, "status", "observedGeneration") != o.GetGeneration() {
				return fmt.Errorf("status %v", field(o, "status"))
			}
			return nil
		})
	}
}

// waitNodes waits until a number of Machines in the namespace have healthy Nodes.
func (f *fixture) waitNodes(n int) {
	f.t.Helper()
	until(f.t, fmt.Sprintf("%d Machines have Nodes", n), func() error {
		list, err := f.in(f.from, machines).List(f.t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		healthy := 0
		for i := range list.Items {
			if strings.HasPrefix(condition(&list.Items[i], "NodeHealthy"), "True/") {
				healthy++
			}
		}
		if healthy != n {
			return fmt.Errorf("%d of %d Machines have healthy Nodes", healthy, len(list.Items))
		}
		return nil
	})
}

// deleteClusters deletes Clusters and waits until they are gone.
func (f *fixture) deleteClusters(s *site, names ...string) {
	f.t.Helper()
	for _, name := range names {
		if err := f.in(s, clusters).Delete(f.t.Context(), name, metav1.DeleteOptions{}); err != nil {
			f.t.Fatal(err)
		}
	}
	for _, name := range names {
		until(f.t, "Cluster "+name+" is deleted", func() error {
			o, err := f.in(s, clusters).Get(f.t.Context(), name, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				return nil
			}
			if err != nil {
				return err
			}
			return fmt.Errorf("status %v", field(o, "status"))
		})
	}
}

// joinNodes creates the Node of each server on the source, like its kubelet, until stop. Core
// looks for a Node only when it or the Machine changes, so joinNodes writes both until core has
// found it. It does not write to Machines that have their Node.
func (f *fixture) joinNodes() (stop func()) {
	ctx, cancel := context.WithCancel(f.t.Context())
	var group sync.WaitGroup
	group.Go(func() {
		for ctx.Err() == nil {
			if err := f.heartbeat(ctx); err != nil && ctx.Err() == nil {
				f.t.Errorf("Nodes: %v", err)
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	})
	return func() {
		cancel()
		group.Wait()
	}
}

// heartbeat writes the Nodes that core has not found yet, and their Machines.
func (f *fixture) heartbeat(ctx context.Context) error {
	list, err := f.in(f.from, machines).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range list.Items {
		m := &list.Items[i]
		id, _ := field(m, "spec", "providerID").(string)
		if id == "" || field(m, "status", "nodeRef") != nil || m.GetDeletionTimestamp() != nil {
			continue
		}
		err := f.createNode(ctx, m, id)
		if err == nil {
			patch := fmt.Appendf(nil, `{"metadata": {"annotations": {"heartbeat": %q}}}`, time.Now().Format(time.RFC3339))
			_, err = f.in(f.from, machines).Patch(ctx, m.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "kubelet"})
		}
		if err != nil && !apierrors.IsNotFound(err) {
			return errors.Join(fmt.Errorf("Machine %s", m.GetName()), err)
		}
	}
	return nil
}

// createNode creates the Node of a Machine. The annotations name the Machine, because the clouds
// of other tests use the same provider IDs.
func (f *fixture) createNode(ctx context.Context, m *unstructured.Unstructured, providerID string) error {
	node := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Node", "spec": map[string]any{"providerID": providerID},
	}}
	node.SetName(f.ns + "-" + m.GetName())
	node.SetLabels(map[string]string{fixtureLabel: f.ns})
	node.SetAnnotations(map[string]string{
		"cluster.x-k8s.io/cluster-name":      field(m, "spec", "clusterName").(string),
		"cluster.x-k8s.io/cluster-namespace": f.ns,
		"cluster.x-k8s.io/machine":           m.GetName(),
	})
	_, err := f.from.dynamic.Resource(nodes).Create(ctx, node, metav1.CreateOptions{FieldManager: "kubelet"})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
