package controller

import (
	"context"
	"errors"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/wellknown"
	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
)

// MachineFinalizer keeps a ShelfMachine until its server is deleted.
const MachineFinalizer = "shelfmachine.infrastructure.cluster.x-k8s.io"

// MachineReconciler creates the server of each ShelfMachine, and reports its
// state.
type MachineReconciler struct {
	Client client.Client
	Status conditions.Writer
	// Secrets reads bootstrap data and identities from the API server, so that
	// Secrets need no cache.
	Secrets client.Reader
	Cloud   *cloud.Client
	Options
}

// Reconcile reconciles a ShelfMachine. It first changes the cloud and the spec,
// and then writes the status once.
func (r *MachineReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	obj := &v1beta1.ShelfMachine{}
	if err := r.Client.Get(ctx, req.NamespacedName, obj); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if r.isIgnored(obj) {
		return reconcile.Result{}, nil
	}
	cluster, err := clusterOf(ctx, r.Client, obj)
	if err != nil {
		return reconcile.Result{}, err
	}
	service, identityErr := r.withIdentityOf(ctx, cluster)
	if reason, message := pauseReason(cluster, obj); reason != "" {
		return paused{obj, machineConditions, reason, message, func() (cloud.State, error) {
			s, err := service.Server(ctx, resourceToken(obj))
			return s.State, errors.Join(identityErr, err)
		}}.pause(ctx, r.Client, r.Status, r.Poll)
	}
	if err := endPause(ctx, r.Status, machineConditions, obj); err != nil {
		return reconcile.Result{}, withoutConflict(err)
	}
	if !obj.DeletionTimestamp.IsZero() {
		return r.delete(ctx, service, obj)
	}
	machine, err := ownerOf(ctx, r.Client, obj, "Machine")
	if err != nil {
		return reconcile.Result{}, err
	}
	if obj.Spec.ProviderID == "" {
		want, missing, err := r.request(ctx, obj, cluster, machine)
		if err != nil {
			return reconcile.Result{}, err
		}
		if missing != nil {
			return r.report(ctx, obj, missing.state)
		}
		if identityErr != nil {
			return r.report(ctx, obj, server{err: identityErr}.state)
		}
		if err := ensureFinalizer(ctx, r.Client, obj, MachineFinalizer, true); err != nil {
			return reconcile.Result{}, err
		}
		// With the token, several attempts create only one server.
		s := server{}
		s.Server, s.err = service.EnsureServer(ctx, resourceToken(obj), want)
		return r.record(ctx, obj, s)
	}
	// The server was created before. If it is gone, do not create another one:
	// it would be another Node.
	s := server{err: identityErr}
	if s.err == nil {
		s.Server, s.err = service.Server(ctx, resourceToken(obj))
	}
	if s.err == nil && !maps.Equal(s.Tags, obj.Spec.Tags) {
		s.Server, s.err = service.EnsureServer(ctx, resourceToken(obj), cloud.ServerRequest{Size: obj.Spec.Size, Tags: obj.Spec.Tags})
	}
	return r.record(ctx, obj, s)
}

// record sets the providerID before the status reports the server, and writes
// the status. A move may copy the object when the cloud has finished.
func (r *MachineReconciler) record(ctx context.Context, obj *v1beta1.ShelfMachine, s server) (reconcile.Result, error) {
	err := update(ctx, r.Client, obj, func() {
		if s.err == nil && obj.Spec.ProviderID == "" {
			obj.Spec.ProviderID = "shelf:///" + s.Zone + "/" + s.ID
		}
		if !isInProgress(s.State, s.err) {
			unblockMove(obj)
		}
	})
	if err != nil {
		return reconcile.Result{}, err
	}
	return r.report(ctx, obj, s.state)
}

// missingInput is a dependency of a server that does not exist or is not ready.
type missingInput struct {
	reason, message string
	again           bool // no event will report that it is ready
}

// request returns the request to the cloud, or the missing dependency.
func (r *MachineReconciler) request(ctx context.Context, obj *v1beta1.ShelfMachine, cluster, machine *unstructured.Unstructured) (want cloud.ServerRequest, missing *missingInput, err error) {
	if machine == nil || cluster == nil {
		return want, &missingInput{reason: WaitingForOwner, message: "no Machine of a Cluster owns the object yet"}, nil
	}
	if ready, _, _ := unstructured.NestedBool(cluster.Object, "status", "initialization", "infrastructureProvisioned"); !ready {
		return want, &missingInput{reason: WaitingForCluster, message: "the infrastructure of Cluster " + cluster.GetName() + " is not provisioned"}, nil
	}
	name, _, _ := unstructured.NestedString(machine.Object, "spec", "bootstrap", "dataSecretName")
	if name == "" {
		return want, &missingInput{reason: WaitingForBootstrap, message: "Machine " + machine.GetName() + " has no bootstrap data yet"}, nil
	}
	secret := &corev1.Secret{}
	err = r.Secrets.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: name}, secret)
	if client.IgnoreNotFound(err) != nil {
		return want, nil, fmt.Errorf("reading Secret %s/%s: %w", obj.Namespace, name, err)
	}
	data, there := secret.Data["value"]
	if err != nil || !there {
		return want, &missingInput{reason: WaitingForBootstrap, message: "Secret " + name + " has no bootstrap data", again: true}, nil
	}
	zone, _, _ := unstructured.NestedString(machine.Object, "spec", "failureDomain")
	return cloud.ServerRequest{Size: obj.Spec.Size, Zone: zone, UserData: string(data), Tags: obj.Spec.Tags}, nil, nil
}

// state reports the missing dependency. The state of a server that was never
// requested is Unknown.
func (l *missingInput) state(_ *v1beta1.ShelfMachine, pass *conditions.Pass) (again bool, err error) {
	pass.False(DependenciesReady, l.reason, l.message)
	pass.Unknown(ServerReady, WaitingForDependency, "")
	return l.again, nil
}

// server is the state of a server in the cloud.
type server struct {
	cloud.Server
	err error // the error of the cloud
}

// state sets the conditions and the rest of the status.
func (s server) state(obj *v1beta1.ShelfMachine, pass *conditions.Pass) (again bool, err error) {
	pass.True(DependenciesReady, AllThere, "")
	switch {
	case s.err != nil && cloud.IsNotFound(s.err):
		pass.False(ServerReady, Missing, "the cloud has no server "+obj.Spec.ProviderID)
		return false, nil
	case s.err != nil && cloud.IsInvalid(s.err):
		pass.False(ServerReady, InvalidConfiguration, s.err.Error())
		return false, nil
	case s.err != nil:
		pass.Unknown(ServerReady, CloudUnavailable, s.err.Error())
		return false, s.err
	}
	obj.Status.FailureDomain = s.Zone
	if s.State != cloud.Active {
		pass.False(ServerReady, Building, "server "+s.ID+" is "+string(s.State))
		return true, nil
	}
	pass.True(ServerReady, Running, "server "+s.ID+" is active")
	obj.Status.Addresses = []v1beta1.MachineAddress{{Type: "Hostname", Address: obj.Name}, {Type: "InternalIP", Address: s.Address}}
	pass.MarkInitialized("provisioned")
	return false, nil
}

// delete deletes the server, and then removes the finalizer.
func (r *MachineReconciler) delete(ctx context.Context, service *cloud.Client, obj *v1beta1.ShelfMachine) (reconcile.Result, error) {
	if !controllerutil.ContainsFinalizer(obj, MachineFinalizer) {
		return reconcile.Result{}, nil
	}
	if err := ensureFinalizer(ctx, r.Client, obj, MachineFinalizer, true); err != nil {
		return reconcile.Result{}, err
	}
	err := service.DeleteServer(ctx, resourceToken(obj))
	if cloud.IsNotFound(err) {
		return reconcile.Result{}, releaseFinalizer(ctx, r.Client, obj, MachineFinalizer)
	}
	return r.report(ctx, obj, func(_ *v1beta1.ShelfMachine, pass *conditions.Pass) (bool, error) {
		if err != nil {
			pass.Unknown(ServerReady, CloudUnavailable, err.Error())
			return false, err
		}
		pass.False(ServerReady, wellknown.ReasonDeleting, "the server is being deleted")
		return true, nil
	})
}

// report writes the status once, and returns when to reconcile again.
func (r *MachineReconciler) report(ctx context.Context, obj *v1beta1.ShelfMachine, state func(*v1beta1.ShelfMachine, *conditions.Pass) (bool, error)) (reconcile.Result, error) {
	pass, err := machineConditions.Begin(obj)
	if err != nil {
		return reconcile.Result{}, err
	}
	again, err := state(obj, pass)
	return finish(ctx, r.Status, pass, r.Poll, again, err)
}
