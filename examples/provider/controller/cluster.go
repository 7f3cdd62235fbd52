package controller

import (
	"context"
	"errors"
	"maps"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/wellknown"
	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
)

// ClusterFinalizer keeps a ShelfCluster until its load balancer is deleted.
const ClusterFinalizer = "shelfcluster.infrastructure.cluster.x-k8s.io"

// ClusterReconciler creates the load balancer of each ShelfCluster, and reports
// its state.
type ClusterReconciler struct {
	Client client.Client
	Status conditions.Writer
	// Secrets reads identities from the API server, so that Secrets need no cache.
	Secrets client.Reader
	Cloud   *cloud.Client
	Options
}

// balancer is the state of a load balancer and of the zones in the cloud.
type balancer struct {
	cloud.LoadBalancer
	err      error // the error of the load balancer
	zones    []string
	zonesErr error
}

// Reconcile reconciles a ShelfCluster. It first changes the cloud and the spec,
// and then writes the status once.
func (r *ClusterReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	obj := &v1beta1.ShelfCluster{}
	if err := r.Client.Get(ctx, req.NamespacedName, obj); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if r.isIgnored(obj) || externallyManaged(obj) {
		return reconcile.Result{}, nil
	}
	owner, err := ownerOf(ctx, r.Client, obj, "Cluster")
	if err != nil {
		return reconcile.Result{}, err
	}
	service, identityErr := withIdentity(ctx, r.Cloud, r.Secrets, obj)
	if reason, message := pauseReason(owner, obj); reason != "" {
		return paused{obj, clusterConditions, reason, message, func() (cloud.State, error) {
			b, err := service.LoadBalancer(ctx, resourceToken(obj))
			return b.State, errors.Join(identityErr, err)
		}}.pause(ctx, r.Client, r.Status, r.Poll)
	}
	if err := endPause(ctx, r.Status, clusterConditions, obj); err != nil {
		return reconcile.Result{}, withoutConflict(err)
	}
	if !obj.DeletionTimestamp.IsZero() {
		return r.delete(ctx, service, obj)
	}
	if owner == nil {
		return r.report(ctx, obj, waitForOwner)
	}
	if identityErr != nil {
		return r.report(ctx, obj, balancer{err: identityErr, zonesErr: identityErr}.state)
	}
	if err := ensureFinalizer(ctx, r.Client, obj, ClusterFinalizer, !obj.Spec.ControlPlaneEndpoint.Complete()); err != nil {
		return reconcile.Result{}, err
	}
	found := ensure(ctx, service, obj)
	// The endpoint is set before the status reports it.
	err = update(ctx, r.Client, obj, func() {
		if found.err == nil && found.State == cloud.Active && !obj.Spec.ControlPlaneEndpoint.Complete() {
			obj.Spec.ControlPlaneEndpoint = v1beta1.APIEndpoint{Host: found.Host, Port: found.Port}
		}
		if !isInProgress(found.State, found.err) {
			unblockMove(obj)
		}
	})
	if err != nil {
		return reconcile.Result{}, err
	}
	return r.report(ctx, obj, found.state)
}

// ensure creates or reads the load balancer, and reads the zones.
func ensure(ctx context.Context, service *cloud.Client, obj *v1beta1.ShelfCluster) (b balancer) {
	want := cloud.LoadBalancerRequest{Tags: obj.Spec.Tags}
	if obj.Spec.ControlPlaneEndpoint.Complete() {
		// Do not create a new one: it would have another address than the
		// published endpoint.
		b.LoadBalancer, b.err = service.LoadBalancer(ctx, resourceToken(obj))
	} else {
		b.LoadBalancer, b.err = service.EnsureLoadBalancer(ctx, resourceToken(obj), want)
	}
	if b.err == nil && !maps.Equal(b.Tags, want.Tags) {
		b.LoadBalancer, b.err = service.EnsureLoadBalancer(ctx, resourceToken(obj), want)
	}
	b.zones, b.zonesErr = service.Zones(ctx)
	return b
}

// state sets the conditions and the rest of the status.
func (b balancer) state(obj *v1beta1.ShelfCluster, pass *conditions.Pass) (again bool, err error) {
	switch {
	case b.err != nil && cloud.IsNotFound(b.err):
		pass.False(LoadBalancerReady, Missing, "the cloud has no load balancer for the endpoint of the control plane")
	case b.err != nil && cloud.IsInvalid(b.err):
		pass.False(LoadBalancerReady, InvalidConfiguration, b.err.Error())
	case b.err != nil:
		pass.Unknown(LoadBalancerReady, CloudUnavailable, b.err.Error())
		err = b.err
	case b.State != cloud.Active:
		pass.False(LoadBalancerReady, Building, "load balancer "+b.ID+" is "+string(b.State))
		again = true
	default:
		pass.True(LoadBalancerReady, Running, "load balancer "+b.ID+" is active")
	}
	if b.zonesErr != nil {
		pass.Unknown(ZonesKnown, CloudUnavailable, b.zonesErr.Error())
		return again, errors.Join(err, b.zonesErr)
	}
	pass.True(ZonesKnown, Read, "")
	obj.Status.FailureDomains = nil
	for _, zone := range b.zones {
		all := true
		obj.Status.FailureDomains = append(obj.Status.FailureDomains, v1beta1.FailureDomain{Name: zone, ControlPlane: &all})
	}
	if b.err == nil && b.State == cloud.Active {
		pass.MarkInitialized("provisioned")
	}
	return again, err
}

// waitForOwner reports that Cluster API has not set the owner of an object yet.
func waitForOwner(_ *v1beta1.ShelfCluster, pass *conditions.Pass) (again bool, err error) {
	pass.Unknown(LoadBalancerReady, WaitingForOwner, "no Cluster owns the object yet")
	pass.Unknown(ZonesKnown, WaitingForOwner, "no Cluster owns the object yet")
	return false, nil
}

// delete deletes the load balancer, and then removes the finalizer.
func (r *ClusterReconciler) delete(ctx context.Context, service *cloud.Client, obj *v1beta1.ShelfCluster) (reconcile.Result, error) {
	if !controllerutil.ContainsFinalizer(obj, ClusterFinalizer) {
		return reconcile.Result{}, nil
	}
	if err := ensureFinalizer(ctx, r.Client, obj, ClusterFinalizer, true); err != nil {
		return reconcile.Result{}, err
	}
	err := service.DeleteLoadBalancer(ctx, resourceToken(obj))
	if cloud.IsNotFound(err) {
		return reconcile.Result{}, releaseFinalizer(ctx, r.Client, obj, ClusterFinalizer)
	}
	return r.report(ctx, obj, func(_ *v1beta1.ShelfCluster, pass *conditions.Pass) (bool, error) {
		if err != nil {
			pass.Unknown(LoadBalancerReady, CloudUnavailable, err.Error())
			return false, err
		}
		pass.False(LoadBalancerReady, wellknown.ReasonDeleting, "the load balancer is being deleted")
		return true, nil
	})
}

// report writes the status once, and returns when to reconcile again.
func (r *ClusterReconciler) report(ctx context.Context, obj *v1beta1.ShelfCluster, state func(*v1beta1.ShelfCluster, *conditions.Pass) (bool, error)) (reconcile.Result, error) {
	pass, err := clusterConditions.Begin(obj)
	if err != nil {
		return reconcile.Result{}, err
	}
	again, err := state(obj, pass)
	return finish(ctx, r.Status, pass, r.Poll, again, err)
}
