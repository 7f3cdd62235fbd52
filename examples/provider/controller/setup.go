// Package controller is an infrastructure provider for Cluster API, as small as
// the contract allows. Read cluster.go first, then machine.go. Both share the
// steps in pass.go. The file owner.go finds the Cluster and its pause, and
// conditions.go declares the conditions.
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

	conditionsctrl "kstatus.dev/author/conditions/ctrl"
	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
)

// watchFilterLabel is the label that selects the instance of a provider for an object.
const watchFilterLabel = "cluster.x-k8s.io/watch-filter"

// Options are the options of the provider. The zero value is right for a single
// instance.
type Options struct {
	// WatchFilter, if not empty, ignores objects whose label
	// cluster.x-k8s.io/watch-filter has another value.
	WatchFilter string
	// Poll is the interval of requests to the cloud during slow operations;
	// zero means 5 seconds.
	Poll time.Duration
}

// Setup adds both controllers to a manager. Its scheme needs the kinds of v1beta1.
func Setup(mgr ctrl.Manager, c *cloud.Client, o Options) error {
	writer := conditionsctrl.NewWriter(mgr.GetClient(), mgr.GetAPIReader())
	clusters := &ClusterReconciler{Client: mgr.GetClient(), Status: writer, Secrets: mgr.GetAPIReader(), Cloud: c, Options: o}
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
		Watches(newCore("Cluster"), handler.EnqueueRequestsFromMapFunc(machines.machinesOfCluster)).
		WithOptions(controllerOptions).
		Complete(machines)
	if err != nil {
		return fmt.Errorf("the controller of ShelfMachines: %w", err)
	}
	return nil
}

var controllerOptions = controller.Options{MaxConcurrentReconciles: 10}

// isIgnored reports whether another instance of the provider handles the object.
func (o Options) isIgnored(obj client.Object) bool {
	return o.WatchFilter != "" && obj.GetLabels()[watchFilterLabel] != o.WatchFilter
}

// infrastructureOf maps a Cluster or a Machine to the provider's object that it
// refers to.
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

// machinesOfCluster maps a Cluster to its ShelfMachines, which wait for it and are
// paused with it.
func (r *MachineReconciler) machinesOfCluster(ctx context.Context, cluster client.Object) []reconcile.Request {
	list := &v1beta1.ShelfMachineList{}
	err := r.Client.List(ctx, list, client.InNamespace(cluster.GetNamespace()), client.MatchingLabels{clusterNameLabel: cluster.GetName()})
	if err != nil {
		return nil // the cache has stopped, because the manager stops
	}
	var requests []reconcile.Request
	for i := range list.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
	}
	return requests
}
