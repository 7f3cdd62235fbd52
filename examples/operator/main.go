// Operator runs a Job for each Migration, and reports its progress with conditions.
//
// main.go is the operator, api.go its API, and crd.yaml the definition of the API.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/author/conditions"
	conditionsctrl "kstatus.dev/author/conditions/ctrl"
	"kstatus.dev/author/conditions/wellknown"
	"kstatus.dev/kube/wait"
	"kstatus.dev/status"
)

// The condition JobSucceeded and its reasons. The reasons are API: users may select by them.
const (
	jobSucceeded = "JobSucceeded"

	succeeded = "Succeeded"
	running   = "Running"
	failed    = "Failed"
)

// The conditions of a Migration.
var migrationConditions = conditions.MustSet(
	conditions.Summary(wellknown.TypeReady, jobSucceeded),
	conditions.Positive(jobSucceeded, succeeded, running, failed).WithDoc("The command has ended with 0."),
	conditions.PresentOnlyWhenTrue(wellknown.TypeReconciling),
	conditions.PresentOnlyWhenTrue(wellknown.TypeStalled),
)

func main() {
	flag.Parse() // for -kubeconfig of controller-runtime
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		fmt.Fprintln(os.Stderr, "operator:", err)
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
	err = ctrl.NewControllerManagedBy(mgr).
		For(&Migration{}).
		Owns(&batchv1.Job{}).
		Complete(&reconciler{mgr.GetClient(), conditionsctrl.NewWriter(mgr.GetClient(), mgr.GetAPIReader())})
	if err != nil {
		return err
	}
	return mgr.Start(ctx)
}

type reconciler struct {
	client.Client
	writer conditions.Writer
}

// Reconcile does the work, and then writes the status once.
func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	migration := &Migration{}
	if err := r.Get(ctx, req.NamespacedName, migration); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !migration.DeletionTimestamp.IsZero() {
		return reconcile.Result{}, nil // the garbage collector deletes the Jobs
	}
	pass, err := migrationConditions.Begin(migration)
	if err != nil {
		return reconcile.Result{}, err
	}
	err = r.migrate(ctx, migration, pass)
	pass.Fail(err) // does nothing without an error
	_, commitErr := pass.Commit(ctx, r.writer)
	return reconcile.Result{}, errors.Join(err, commitErr)
}

// migrate creates the Job of the latest spec if it does not exist, and reports its status.
func (r *reconciler) migrate(ctx context.Context, migration *Migration, pass *conditions.Pass) error {
	job := &batchv1.Job{}
	job.Namespace, job.Name = migration.Namespace, fmt.Sprintf("%s-%d", migration.Name, migration.Generation)
	err := r.Get(ctx, client.ObjectKeyFromObject(job), job)
	if apierrors.IsNotFound(err) {
		if err = r.build(migration, job); err == nil {
			err = r.Create(ctx, job)
		}
	}
	if err != nil {
		return err
	}
	result, err := r.compute(job)
	if err != nil {
		return err
	}
	pass.False(wellknown.TypeReconciling, succeeded, "")
	pass.False(wellknown.TypeStalled, succeeded, "")
	switch result.Status {
	case status.CurrentStatus:
		pass.True(jobSucceeded, succeeded, result.Message)
	case status.FailedStatus: // only a new spec can resolve this
		pass.False(jobSucceeded, failed, result.Message)
		pass.True(wellknown.TypeStalled, failed, result.Message)
	default:
		pass.False(jobSucceeded, running, result.Message)
		pass.True(wellknown.TypeReconciling, running, result.Message)
	}
	return nil
}

// build fills in the Job of a Migration.
func (r *reconciler) build(migration *Migration, job *batchv1.Job) error {
	job.Spec.BackoffLimit = new(int32)
	job.Spec.Template.Spec = corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyNever,
		Containers:    []corev1.Container{{Name: "migration", Image: migration.Spec.Image, Command: migration.Spec.Command}},
	}
	return controllerutil.SetControllerReference(migration, job, r.Scheme())
}

// compute returns the status of a typed object.
func (r *reconciler) compute(obj client.Object) (*status.Result, error) {
	fields, err := wait.ObjectOf(obj, r.Scheme())
	if err != nil {
		return nil, err
	}
	return status.Compute(fields)
}
