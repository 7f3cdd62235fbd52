// Package controller is an infrastructure provider for Cluster API, as small as the contract
// allows. Read cluster.go, then machine.go; pass.go has what both do in every pass, owner.go how
// they find the Cluster and whether it is paused, conditions.go what they report.
package controller

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
	conditionsctrl "kstatus.dev/kube/conditions/ctrl"
)

// watchFilterLabel says which instance of a provider an object is for.
const watchFilterLabel = "cluster.x-k8s.io/watch-filter"

// Options say how the provider runs. The zero value is right for one that runs alone.
type Options struct {
	// WatchFilter, if it is not empty, leaves objects alone whose label
	// cluster.x-k8s.io/watch-filter says something else.
	WatchFilter string
	// Poll is how often the cloud is asked about what takes time; zero means 5 seconds.
	Poll time.Duration
}

// Setup adds both controllers to a manager. Its scheme needs the kinds of v1beta1.
func Setup(mgr ctrl.Manager, c *cloud.Client, o Options) error {
	writer := conditionsctrl.NewWriter(mgr.GetClient(), mgr.GetAPIReader())
	clusters := &ClusterReconciler{Client: mgr.GetClient(), Status: writer, Cloud: c, Options: o}
	machines := &MachineReconciler{Client: mgr.GetClient(), Status: writer, Secrets: mgr.GetAPIReader(), Cloud: c, Options: o}
	err := ctrl.NewControllerManagedBy(mgr).Named("shelfcluster").
		For(&v1beta1.ShelfCluster{}).
		Watches(newCore("Cluster"), handler.EnqueueRequestsFromMapFunc(infrastructureOf("ShelfCluster"))).
		WithOptions(controllerOptions).
		Complete(clusters)
	if err != nil {
		return fmt.Errorf("the controller of ShelfClusters: %w", err)
	}
	err = ctrl.NewControllerManagedBy(mgr).Named("shelfmachine").
		For(&v1beta1.ShelfMachine{}).
		Watches(newCore("Machine"), handler.EnqueueRequestsFromMapFunc(infrastructureOf("ShelfMachine"))).
		Watches(newCore("Cluster"), handler.EnqueueRequestsFromMapFunc(machines.ofCluster)).
		WithOptions(controllerOptions).
		Complete(machines)
	if err != nil {
		return fmt.Errorf("the controller of ShelfMachines: %w", err)
	}
	return nil
}

var controllerOptions = controller.Options{MaxConcurrentReconciles: 10}

// others says whether an object is for another instance of the provider.
func (o Options) others(obj client.Object) bool {
	return o.WatchFilter != "" && obj.GetLabels()[watchFilterLabel] != o.WatchFilter
}

// infrastructureOf finds the object of a kind of ours that a Cluster or a Machine refers to.
func infrastructureOf(kind string) handler.MapFunc {
	return func(_ context.Context, obj client.Object) []reconcile.Request {
		owner, ok := obj.(*unstructured.Unstructured)
		if !ok {
			return nil
		}
		ref, _, _ := unstructured.NestedStringMap(owner.Object, "spec", "infrastructureRef")
		if ref["kind"] != kind || ref["apiGroup"] != v1beta1.GroupVersion.Group {
			return nil
		}
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: owner.GetNamespace(), Name: ref["name"]}}}
	}
}

// ofCluster finds the ShelfMachines of a Cluster, which wait for it and are paused by it.
func (r *MachineReconciler) ofCluster(ctx context.Context, cluster client.Object) []reconcile.Request {
	list := &v1beta1.ShelfMachineList{}
	err := r.Client.List(ctx, list, client.InNamespace(cluster.GetNamespace()), client.MatchingLabels{clusterNameLabel: cluster.GetName()})
	if err != nil {
		return nil // the cache is gone: the manager is stopping
	}
	var requests []reconcile.Request
	for i := range list.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
	}
	return requests
}
