// Package controller is the controllers of an infrastructure provider for OpenStack.
//
// Read cluster.go first, then machine.go. Both run steps (steps.go), and report their result with
// one write (report.go, ready.go). The file attempts.go says when a refused request is repeated,
// pass.go changes metadata, pause.go acknowledges pauses, and identity.go opens the cloud. The
// file owner.go finds Clusters and Machines, and conditions.go declares the conditions.
package controller

import (
	"cmp"
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	conditionsctrl "kstatus.dev/author/conditions/ctrl"
	"kstatus.dev/clusterapi/openstack/failure"
	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
)

// watchFilterLabel is the label that selects the instance of a provider for an object.
const watchFilterLabel = "cluster.x-k8s.io/watch-filter"

// provisioningDeadline is how long the cloud may build something before the object reports
// ProvisioningTimeout.
const provisioningDeadline = 30 * time.Minute

// Options are the options of the provider. The zero value is right for a single instance.
type Options struct {
	// WatchFilter, if not empty, ignores objects whose label cluster.x-k8s.io/watch-filter has
	// another value.
	WatchFilter string
	// Observe is the interval at which a healthy object is read from the cloud. Zero means 5
	// minutes.
	Observe time.Duration
	// Grace is how long Ready stays True while the cloud refuses requests because of their number,
	// or is unavailable. Zero means 5 minutes.
	Grace time.Duration
	// Delay returns when to try again after a failure. Nil means failure.Retry.Delay.
	Delay func(r failure.Retry, attempt int, random float64) time.Duration
	// Clock returns the time. Nil means time.Now.
	Clock func() time.Time
}

func (o Options) observe() time.Duration { return cmp.Or(o.Observe, 5*time.Minute) }

// isIgnored reports whether another instance of the provider handles the object.
func (o Options) isIgnored(obj client.Object) bool {
	return o.WatchFilter != "" && obj.GetLabels()[watchFilterLabel] != o.WatchFilter
}

// Setup adds both controllers to a manager. Its scheme needs the kinds of v1beta1.
func Setup(mgr ctrl.Manager, clouds *cloud.Directory, o Options) error {
	b := base{
		Client: mgr.GetClient(), Status: conditionsctrl.NewWriter(mgr.GetClient(), mgr.GetAPIReader()),
		Secrets: mgr.GetAPIReader(), Clouds: clouds, Options: o,
	}
	b.attempts = newAttempts(o)
	clusters := &ClusterReconciler{base: b}
	b.attempts = newAttempts(o)
	machines := &MachineReconciler{base: b}
	err := ctrl.NewControllerManagedBy(mgr).Named("openstackcluster").
		For(&v1beta1.OpenStackCluster{}).
		Watches(newCore("Cluster"), handler.EnqueueRequestsFromMapFunc(infrastructureOf("OpenStackCluster"))).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(clusters.ofSecret), builder.OnlyMetadata).
		WithOptions(controllerOptions).
		Complete(clusters)
	if err != nil {
		return fmt.Errorf("the controller of OpenStackClusters: %w", err)
	}
	err = ctrl.NewControllerManagedBy(mgr).Named("openstackmachine").
		For(&v1beta1.OpenStackMachine{}).
		Watches(newCore("Machine"), handler.EnqueueRequestsFromMapFunc(infrastructureOf("OpenStackMachine"))).
		Watches(newCore("Cluster"), handler.EnqueueRequestsFromMapFunc(machines.ofCluster)).
		Watches(&v1beta1.OpenStackCluster{}, handler.EnqueueRequestsFromMapFunc(machines.ofInfrastructure)).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(machines.ofSecret), builder.OnlyMetadata).
		WithOptions(controllerOptions).
		Complete(machines)
	if err != nil {
		return fmt.Errorf("the controller of OpenStackMachines: %w", err)
	}
	return nil
}

var controllerOptions = controller.Options{MaxConcurrentReconciles: 10}

// infrastructureOf maps a Cluster or a Machine to the provider's object that it
// refers to.
func infrastructureOf(kind string) handler.MapFunc {
	return func(_ context.Context, obj client.Object) []reconcile.Request {
		owner, ok := obj.(*unstructured.Unstructured)
		if !ok {
			return nil
		}
		ref := infrastructureRef(owner)
		if ref["kind"] != kind || ref["apiGroup"] != v1beta1.GroupVersion.Group {
			return nil
		}
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: owner.GetNamespace(), Name: ref["name"]}}}
	}
}

// ofCluster maps a Cluster to its OpenStackMachines, which wait for it and are paused with it.
func (r *MachineReconciler) ofCluster(ctx context.Context, cluster client.Object) []reconcile.Request {
	return r.machines(ctx, func(*v1beta1.OpenStackMachine) bool { return true },
		client.InNamespace(cluster.GetNamespace()), client.MatchingLabels{clusterNameLabel: cluster.GetName()})
}

// ofInfrastructure maps an OpenStackCluster to the OpenStackMachines of its Cluster.
func (r *MachineReconciler) ofInfrastructure(ctx context.Context, infra client.Object) []reconcile.Request {
	name := infra.GetLabels()[clusterNameLabel]
	if name == "" {
		return nil
	}
	return r.machines(ctx, func(*v1beta1.OpenStackMachine) bool { return true },
		client.InNamespace(infra.GetNamespace()), client.MatchingLabels{clusterNameLabel: name})
}

// ofSecret maps a Secret to the OpenStackClusters that have it as their identity.
func (r *ClusterReconciler) ofSecret(ctx context.Context, secret client.Object) (requests []reconcile.Request) {
	list := &v1beta1.OpenStackClusterList{}
	if r.Client.List(ctx, list, client.InNamespace(secret.GetNamespace())) != nil {
		return nil // the cache has stopped, because the manager stops
	}
	for i := range list.Items {
		if list.Items[i].Spec.IdentityRef.Name == secret.GetName() {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}

// ofSecret maps a Secret to the OpenStackMachines that have it as their identity, or whose
// OpenStackClusters have.
func (r *MachineReconciler) ofSecret(ctx context.Context, secret client.Object) []reconcile.Request {
	list := &v1beta1.OpenStackClusterList{}
	if r.Client.List(ctx, list, client.InNamespace(secret.GetNamespace())) != nil {
		return nil // the cache has stopped, because the manager stops
	}
	clusters := map[string]bool{}
	for i := range list.Items {
		if list.Items[i].Spec.IdentityRef.Name == secret.GetName() {
			clusters[list.Items[i].Labels[clusterNameLabel]] = true
		}
	}
	return r.machines(ctx, func(m *v1beta1.OpenStackMachine) bool {
		if own := m.Spec.IdentityRef; own != nil {
			return own.Name == secret.GetName()
		}
		return clusters[m.Labels[clusterNameLabel]]
	}, client.InNamespace(secret.GetNamespace()))
}

// machines returns requests for the OpenStackMachines that match.
func (r *MachineReconciler) machines(ctx context.Context, match func(*v1beta1.OpenStackMachine) bool, in ...client.ListOption) (requests []reconcile.Request) {
	list := &v1beta1.OpenStackMachineList{}
	if r.Client.List(ctx, list, in...) != nil {
		return nil // the cache has stopped, because the manager stops
	}
	for i := range list.Items {
		if match(&list.Items[i]) {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}
