package rack

import (
	"context"
	_ "embed"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Definitions are the definitions of the kinds, as one text.
//
//go:embed definitions.yaml
var Definitions string

type unstructuredList = unstructured.UnstructuredList

// Setup adds both controllers to a manager. The kubeconfig is that of every Cluster.
func Setup(mgr ctrl.Manager, kubeconfig []byte) error {
	c := mgr.GetClient()
	for kind, r := range map[schema.GroupVersionKind]reconcile.Reconciler{
		configKind:       &configs{c},
		controlPlaneKind: &controlPlanes{c, kubeconfig},
	} {
		err := ctrl.NewControllerManagedBy(mgr).Named("rack-"+kind.Kind).For(empty(kind)).
			Watches(empty(clusterKind), handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, cluster client.Object) []reconcile.Request {
				return ofCluster(ctx, c, kind, cluster.GetNamespace(), cluster.GetName())
			})).
			Watches(empty(machineKind), handler.EnqueueRequestsFromMapFunc(ownersOf(kind))).
			WithOptions(controller.Options{MaxConcurrentReconciles: 10}).
			Complete(r)
		if err != nil {
			return err
		}
	}
	return nil
}

// ofCluster returns the objects of a kind that belong to a Cluster.
func ofCluster(ctx context.Context, c client.Client, kind schema.GroupVersionKind, namespace, name string) (requests []reconcile.Request) {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
	if c.List(ctx, list, client.InNamespace(namespace), client.MatchingLabels{clusterNameLabel: name}) != nil {
		return nil // the cache has stopped, because the manager stops
	}
	for _, o := range list.Items {
		requests = append(requests, reconcile.Request{NamespacedName: types.NamespacedName{Namespace: o.Namespace, Name: o.Name}})
	}
	return requests
}

// ownersOf returns the owners of an object that have a kind.
func ownersOf(kind schema.GroupVersionKind) handler.MapFunc {
	return func(_ context.Context, o client.Object) (requests []reconcile.Request) {
		for _, ref := range o.GetOwnerReferences() {
			if ref.Kind == kind.Kind {
				requests = append(requests, reconcile.Request{NamespacedName: types.NamespacedName{Namespace: o.GetNamespace(), Name: ref.Name}})
			}
		}
		return requests
	}
}
