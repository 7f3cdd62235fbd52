// Controller creates a Deployment for each Site, and reports the state of the Deployment in the
// status of the Site.
//
// main.go is the controller, children.go follows what it has made, and site.go is its API.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	ctrlsource "sigs.k8s.io/controller-runtime/pkg/source"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
)

func main() {
	flag.Parse() // for the flag -kubeconfig of controller-runtime
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		fmt.Fprintln(os.Stderr, "controller:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), addToScheme(scheme)); err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	shared, err := source.NewClient(config, source.Options{})
	if err != nil {
		return err
	}
	followed := &children{client: shared, changed: make(chan event.GenericEvent), last: map[types.NamespacedName]observe.Update{}}
	err = ctrl.NewControllerManagedBy(mgr).
		For(&Site{}).
		Owns(&appsv1.Deployment{}).
		WatchesRawSource(ctrlsource.Channel(followed.changed, &handler.EnqueueRequestForObject{})).
		Complete(&reconciler{mgr.GetClient(), followed})
	if err != nil {
		return err
	}
	if err := mgr.Add(followed); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

type reconciler struct {
	client.Client
	children *children
}

// Reconcile creates or updates the Deployment of a Site, and reports its present status.
func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	site := &Site{}
	if err := r.Get(ctx, req.NamespacedName, site); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		return reconcile.Result{}, nil // the garbage collector deletes the Deployment
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: site.Namespace, Name: site.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error { return r.build(site, deployment) })
	if err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, r.report(ctx, site, deployment)
}

// build sets the fields of a Deployment that a Site requests.
func (r *reconciler) build(site *Site, deployment *appsv1.Deployment) error {
	labels := map[string]string{"site": site.Name}
	metav1.SetMetaDataLabel(&deployment.ObjectMeta, managedBy, controllerName)
	deployment.Spec.Replicas = &site.Spec.Replicas
	deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	pod := &deployment.Spec.Template
	pod.Labels = labels
	if len(pod.Spec.Containers) == 0 {
		pod.Spec.Containers = []corev1.Container{{Name: "web"}}
	}
	pod.Spec.Containers[0].Image = site.Spec.Image
	return controllerutil.SetControllerReference(site, deployment, r.Scheme())
}

// report writes the status of a Site if it has changed.
func (r *reconciler) report(ctx context.Context, site *Site, deployment *appsv1.Deployment) error {
	ready := metav1.Condition{
		Type: "Ready", Status: metav1.ConditionFalse, ObservedGeneration: site.Generation,
		Reason: "Progressing", Message: "the Deployment has its new spec",
	}
	if u, ok := r.children.status(deployment); ok {
		ready.Reason, ready.Message = u.Result.Reason, u.Message()
		if u.IsCurrent() {
			ready.Status = metav1.ConditionTrue
		}
	}
	before := site.DeepCopyObject().(*Site)
	site.Status.ObservedGeneration = site.Generation
	meta.SetStatusCondition(&site.Status.Conditions, ready)
	if equality.Semantic.DeepEqual(before.Status, site.Status) {
		return nil
	}
	return r.Status().Patch(ctx, site, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
}
