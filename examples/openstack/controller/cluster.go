package controller

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/author/conditions"
	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
)

// ClusterFinalizer keeps an OpenStackCluster until its resources are deleted.
const ClusterFinalizer = "openstackcluster.infrastructure.openstack.kstatus.dev"

// ClusterReconciler creates what the machines of each OpenStackCluster share, and reports its
// state.
type ClusterReconciler struct{ base }

// Reconcile reconciles an OpenStackCluster. It first changes the cloud and the spec, and then
// writes the status once.
func (r *ClusterReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	obj := &v1beta1.OpenStackCluster{}
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
	id, err := r.identityOf(ctx, obj.Namespace, obj.Spec.IdentityRef)
	if err != nil {
		return reconcile.Result{}, err
	}
	p := &clusterPass{base: &r.base, obj: obj, id: id, status: obj.Status.DeepCopy()}
	p.report = report{
		object: obj, set: clusterConditions, details: clusterDetails, apply: p.apply,
		provisioned: isTrue(obj.Status.Initialization.Provisioned), input: input{generation: obj.Generation, credentials: id.version()},
	}
	p.owner = ownerName(obj, owner)
	p.owner.Tags = obj.Spec.Tags
	if reason, message := pauseReason(owner, obj); reason != "" {
		return r.pause(ctx, p.report, reason, message, p.settled)
	}
	if err := r.endPause(ctx, p.report); err != nil {
		return reconcile.Result{}, withoutConflict(err)
	}
	switch {
	case !obj.DeletionTimestamp.IsZero():
		return p.delete(ctx)
	case owner == nil:
		return r.waitFor(ctx, p.report, AuthenticationSucceeded, WaitingForOwner, "no Cluster owns the object yet")
	}
	if wait := r.tooEarly(p.report); wait > 0 {
		return r.repeat(ctx, p.report, wait)
	}
	return p.reconcile(ctx)
}

// ownerName returns who the resources of an object belong to. The name of the Cluster identifies
// them, and not a UID, because only the name survives a restore or a move.
func ownerName(obj client.Object, cluster *unstructured.Unstructured) cloud.Owner {
	name := obj.GetLabels()[clusterNameLabel]
	if cluster != nil {
		name = cluster.GetName()
	}
	return cloud.Owner{Namespace: obj.GetNamespace(), Name: name}
}

// A clusterPass is one pass over an OpenStackCluster.
type clusterPass struct {
	*base
	report
	obj    *v1beta1.OpenStackCluster
	status *v1beta1.OpenStackClusterStatus // what the pass has found
	id     identity
	owner  cloud.Owner
	cloud  *cloud.Cloud // after authentication

	network  cloud.Network
	external *cloud.Ref
	endpoint v1beta1.APIEndpoint
	source   string // of the endpoint: a value of endpointAnnotation
	complete bool   // all steps have succeeded
}

// reconcile runs the steps. The finalizer comes before the first change in the cloud, and the
// endpoint is in the spec before the status reports it.
func (p *clusterPass) reconcile(ctx context.Context) (reconcile.Result, error) {
	res := result{}.run(ctx, step{AuthenticationSucceeded, p.authenticate})
	if res.failure == nil {
		if !p.isEstablished() {
			if err := claim(ctx, p.Client, p.obj, ClusterFinalizer); err != nil {
				return reconcile.Result{}, err
			}
		}
		res = res.run(ctx,
			step{NetworkReady, p.ensureNetwork},
			step{RouterReady, p.ensureRouter},
			step{SecurityGroupsReady, p.ensureSecurityGroups},
			step{ZonesKnown, p.readZones},
			step{APIEndpointReady, p.ensureEndpoint},
		)
	}
	err := update(ctx, p.Client, p.obj, func() {
		if res.failure == nil && !p.obj.Spec.ControlPlaneEndpoint.Complete() {
			p.obj.Spec.ControlPlaneEndpoint = p.endpoint
		}
		if res.failure == nil {
			annotate(p.obj, endpointAnnotation, p.source)
			unblockMove(p.obj)
		}
	})
	if err != nil {
		return reconcile.Result{}, err
	}
	p.complete = res.failure == nil
	return p.finish(ctx, p.report, res)
}

// isEstablished reports whether the resources have existed. Then missing resources are reported,
// and never replaced: others would not be those that machines use. After a move the status is
// empty, and the annotation is the evidence.
func (p *clusterPass) isEstablished() bool {
	return p.provisioned || p.obj.Annotations[endpointAnnotation] != ""
}

// apply writes what the pass has found into the status.
func (p *clusterPass) apply(pass *conditions.Pass) {
	observed := p.obj.Status
	p.obj.Status = *p.status
	p.obj.Status.Conditions, p.obj.Status.Initialization = observed.Conditions, observed.Initialization
	p.obj.Status.ObservedGeneration = observed.ObservedGeneration
	if p.complete {
		pass.MarkInitialized("provisioned")
	}
}

// settled returns nil if the cloud does not work on the load balancer.
func (p *clusterPass) settled(ctx context.Context) error {
	if _, _, err := p.authenticate(ctx); err != nil {
		return err
	}
	_, err := p.cloud.FindLoadBalancer(ctx, p.owner)
	return ifPending(err)
}

// delete deletes the resources, and then removes the finalizer.
func (p *clusterPass) delete(ctx context.Context) (reconcile.Result, error) {
	if !controllerutil.ContainsFinalizer(p.obj, ClusterFinalizer) {
		return reconcile.Result{}, nil
	}
	if wait := p.tooEarly(p.report); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	machines, err := p.machines(ctx)
	if err != nil {
		return reconcile.Result{}, err
	}
	if len(machines) > 0 {
		return p.finishDeletion(ctx, p.report, machines, nil)
	}
	if !isDeletionReported(p.obj) {
		return p.finishDeletion(ctx, p.report, nil, nil)
	}
	if _, _, err := p.authenticate(ctx); err != nil {
		return p.finishDeletion(ctx, p.report, nil, err)
	}
	if err := claim(ctx, p.Client, p.obj, ClusterFinalizer); err != nil {
		return reconcile.Result{}, err
	}
	left, err := p.cloud.DeleteCluster(ctx, p.owner)
	if err != nil || len(left) > 0 {
		return p.finishDeletion(ctx, p.report, left, err)
	}
	p.attempts.forget(p.obj.UID)
	return reconcile.Result{}, release(ctx, p.Client, p.obj, ClusterFinalizer)
}

// machines returns the OpenStackMachines of the cluster, as text. They use its network.
func (p *clusterPass) machines(ctx context.Context) (names []string, err error) {
	list := &v1beta1.OpenStackMachineList{}
	err = p.Client.List(ctx, list, client.InNamespace(p.obj.Namespace), client.MatchingLabels{clusterNameLabel: p.owner.Name})
	for i := range list.Items {
		names = append(names, "OpenStackMachine "+list.Items[i].Name)
	}
	slices.Sort(names)
	return names, err
}

func isTrue(b *bool) bool { return b != nil && *b }
