package openstackshop

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"

	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/clusterapi/rack"
)

// RunRack runs the bootstrap provider and the control plane provider.
func (w *Shop) RunRack() {
	w.T.Helper()
	config := w.Cluster.Config()
	config.UserAgent = "rack-provider"
	mgr, err := managers.New(config, v1beta1.AddToScheme, w.Namespace)
	if err == nil {
		err = w.setupRack(mgr)
	}
	if err != nil {
		w.T.Fatal(err)
	}
	managers.Run(w.T, "the rack", mgr)
}

func (w *Shop) setupRack(mgr ctrl.Manager) error {
	kubeconfig, err := os.ReadFile(w.Cluster.Kubeconfig())
	if err != nil {
		return err
	}
	return rack.Setup(mgr, kubeconfig)
}

var nodes = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}

// JoinNodes creates the Node of each server, like its kubelet, until stop. Core looks for a Node
// only when it or the Machine changes, so joinNodes writes both until core has found it.
func (w *Shop) JoinNodes() (stop func()) {
	ctx, cancel := context.WithCancel(w.T.Context())
	var group sync.WaitGroup
	group.Go(func() {
		for ctx.Err() == nil {
			if err := w.heartbeat(ctx); err != nil && ctx.Err() == nil {
				w.T.Errorf("Nodes: %v", err)
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	})
	w.T.Cleanup(func() {
		list, err := w.Dynamic.Resource(nodes).List(context.Background(), metav1.ListOptions{LabelSelector: "fixture=" + w.Namespace})
		if err != nil {
			return
		}
		for _, node := range list.Items {
			_ = w.Dynamic.Resource(nodes).Delete(context.Background(), node.GetName(), metav1.DeleteOptions{}) // it may be gone
		}
	})
	return func() {
		cancel()
		group.Wait()
	}
}

// heartbeat writes the Nodes that core has not found yet, and their Machines.
func (w *Shop) heartbeat(ctx context.Context) error {
	list, err := w.Client(Machines).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range list.Items {
		m := &list.Items[i]
		id, _ := managers.Field(m, "spec", "providerID").(string)
		if id == "" || managers.Field(m, "status", "nodeRef") != nil || m.GetDeletionTimestamp() != nil {
			continue
		}
		node := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Node", "spec": map[string]any{"providerID": id}}}
		node.SetName(w.Namespace + "-" + m.GetName())
		node.SetLabels(map[string]string{"fixture": w.Namespace})
		_, err := w.Dynamic.Resource(nodes).Create(ctx, node, metav1.CreateOptions{FieldManager: "kubelet"})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
		patch := fmt.Appendf(nil, `{"metadata": {"annotations": {"heartbeat": %q}}}`, time.Now().Format(time.RFC3339))
		if _, err = w.Client(Machines).Patch(ctx, m.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "kubelet"}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}
