package openstackprovider

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"

	"kstatus.dev/test/rack"
)

// A Cluster of a ClusterClass becomes available, scales, and leaves nothing behind.
func TestClusterOfAClass(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.runProvider(w.c.Config(), nil)
	w.runRack()
	stop := w.joinNodes()
	defer stop()
	start := time.Now()
	w.apply(class + topology + w.cloudSecret("demo", "secret", "demo"))
	w.waitUntil(clusters, "shop", "available", func(obj *unstructured.Unstructured) bool {
		return hasCondition("Available=True")(obj) && field(obj, "status", "workers", "availableReplicas") == int64(3)
	})
	t.Logf("available after %s", time.Since(start).Round(100*time.Millisecond))
	w.checkServers(4)
	w.checkMembers(1)

	w.patch(clusters, "shop", `{"spec": {"topology": {"workers": {"machineDeployments": [{"class": "web", "name": "web", "replicas": 1}]}}}}`)
	w.waitUntil(clusters, "shop", "scaled", func(obj *unstructured.Unstructured) bool {
		return hasCondition("Available=True")(obj) && field(obj, "status", "workers", "replicas") == int64(1)
	})
	w.checkServers(2)

	w.remove(clusters, "shop")
	w.waitForDeletion(clusters, "shop")
	w.checkEmpty()
}

// checkServers checks the number of servers and of their ports.
func (w *fixture) checkServers(n int) {
	w.t.Helper()
	snapshot := w.cloud.Snapshot(w.project)
	ports := slices.DeleteFunc(slices.Clone(snapshot["port"]), func(name string) bool { return !strings.HasPrefix(name, "k8s-"+w.ns+"-shop-shop-") })
	if len(snapshot["server"]) != n || len(ports) != n {
		w.t.Errorf("want %d servers with a port each, have %v", n, snapshot)
	}
}

// checkMembers checks the number of members of the load balancer.
func (w *fixture) checkMembers(n int) {
	w.t.Helper()
	if have := w.cloud.Snapshot(w.project)["member"]; len(have) != n {
		w.t.Errorf("the load balancer has members %v, want %d", have, n)
	}
}

// runRack runs the bootstrap provider and the control plane provider.
func (w *fixture) runRack() {
	w.t.Helper()
	config := w.c.Config()
	config.UserAgent = "rack-provider"
	mgr, err := w.managerWith(config)
	if err == nil {
		err = w.setupRack(mgr)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.run(mgr)
}

func (w *fixture) setupRack(mgr ctrl.Manager) error {
	kubeconfig, err := os.ReadFile(w.c.Kubeconfig())
	if err != nil {
		return err
	}
	return rack.Setup(mgr, kubeconfig)
}

var nodes = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}

// joinNodes creates the Node of each server, like its kubelet, until stop. Core looks for a Node
// only when it or the Machine changes, so joinNodes writes both until core has found it.
func (w *fixture) joinNodes() (stop func()) {
	ctx, cancel := context.WithCancel(w.t.Context())
	var group sync.WaitGroup
	group.Go(func() {
		for ctx.Err() == nil {
			if err := w.heartbeat(ctx); err != nil && ctx.Err() == nil {
				w.t.Errorf("Nodes: %v", err)
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	})
	w.t.Cleanup(func() {
		list, err := w.dynamic.Resource(nodes).List(context.Background(), metav1.ListOptions{LabelSelector: "fixture=" + w.ns})
		if err != nil {
			return
		}
		for _, node := range list.Items {
			_ = w.dynamic.Resource(nodes).Delete(context.Background(), node.GetName(), metav1.DeleteOptions{}) // it may be gone
		}
	})
	return func() {
		cancel()
		group.Wait()
	}
}

// heartbeat writes the Nodes that core has not found yet, and their Machines.
func (w *fixture) heartbeat(ctx context.Context) error {
	list, err := w.client(machines).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range list.Items {
		m := &list.Items[i]
		id, _ := field(m, "spec", "providerID").(string)
		if id == "" || field(m, "status", "nodeRef") != nil || m.GetDeletionTimestamp() != nil {
			continue
		}
		node := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Node", "spec": map[string]any{"providerID": id}}}
		node.SetName(w.ns + "-" + m.GetName())
		node.SetLabels(map[string]string{"fixture": w.ns})
		_, err := w.dynamic.Resource(nodes).Create(ctx, node, metav1.CreateOptions{FieldManager: "kubelet"})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
		patch := fmt.Appendf(nil, `{"metadata": {"annotations": {"heartbeat": %q}}}`, time.Now().Format(time.RFC3339))
		if _, err = w.client(machines).Patch(ctx, m.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "kubelet"}); err != nil && !isNotFound(err) {
			return err
		}
	}
	return nil
}
