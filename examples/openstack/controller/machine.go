package controller

import (
	"context"
	"fmt"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"kstatus.dev/author/conditions"
	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
)

// MachineFinalizer keeps an OpenStackMachine until its server and its ports are deleted.
const MachineFinalizer = "openstackmachine.infrastructure.openstack.kstatus.dev"

// MachineReconciler creates the server of each OpenStackMachine, and reports its state.
type MachineReconciler struct{ base }

// Reconcile reconciles an OpenStackMachine. It first changes the cloud and the spec, and then
// writes the status once.
func (r *MachineReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	obj := &v1beta1.OpenStackMachine{}
	if err := r.Client.Get(ctx, req.NamespacedName, obj); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if r.isIgnored(obj) {
		return reconcile.Result{}, nil
	}
	p := &machinePass{base: &r.base, obj: obj, status: obj.Status.DeepCopy()}
	if err := p.read(ctx); err != nil {
		return reconcile.Result{}, err
	}
	p.report = report{
		object: obj, set: machineConditions, details: machineDetails, apply: p.apply,
		provisioned: isTrue(obj.Status.Initialization.Provisioned), input: input{generation: obj.Generation, credentials: p.id.version(), cluster: p.dependency()},
	}
	if reason, message := pauseReason(p.cluster, obj); reason != "" {
		return r.pause(ctx, p.report, reason, message, p.settled)
	}
	if err := r.endPause(ctx, p.report); err != nil {
		return reconcile.Result{}, withoutConflict(err)
	}
	switch {
	case !obj.DeletionTimestamp.IsZero():
		return p.delete(ctx)
	case p.machine == nil || p.cluster == nil || p.infra == nil:
		return r.waitFor(ctx, p.report, InstanceReady, WaitingForOwner, "no Machine of a Cluster with an OpenStackCluster owns the object yet")
	}
	if obj.Spec.ProviderID == "" {
		if reason, message, err := p.readInputs(ctx); err != nil || reason != "" {
			if err != nil {
				return reconcile.Result{}, err
			}
			return r.waitFor(ctx, p.report, InstanceReady, reason, message)
		}
	}
	if wait := r.tooEarly(p.report); wait > 0 {
		return r.repeat(ctx, p.report, wait)
	}
	return p.reconcile(ctx)
}

// A machinePass is one pass over an OpenStackMachine.
type machinePass struct {
	*base
	report
	obj     *v1beta1.OpenStackMachine
	status  *v1beta1.OpenStackMachineStatus // what the pass has found
	machine *unstructured.Unstructured      // nil without an owner
	cluster *unstructured.Unstructured      // nil if it does not exist
	infra   *v1beta1.OpenStackCluster       // of the Cluster; nil if it does not exist
	id      identity
	owner   cloud.Owner
	cloud   *cloud.Cloud // after authentication

	data     cloud.UserData
	server   *servers.Server
	complete bool // all steps have succeeded
}

// read reads the objects around the machine.
func (p *machinePass) read(ctx context.Context) (err error) {
	if p.machine, err = ownerOf(ctx, p.Client, p.obj, "Machine"); err != nil {
		return err
	}
	if p.cluster, err = clusterOf(ctx, p.Client, p.obj); err != nil {
		return err
	}
	p.owner = ownerName(p.obj, p.cluster)
	p.owner.Machine = p.obj.Annotations[uidAnnotation]
	if p.infra, err = p.readInfra(ctx); err != nil {
		return err
	}
	ref := v1beta1.IdentityReference{}
	if p.infra != nil {
		p.owner.Tags = p.infra.Spec.Tags
		ref = p.infra.Spec.IdentityRef
	}
	if p.obj.Spec.IdentityRef != nil {
		ref = *p.obj.Spec.IdentityRef
	}
	p.id, err = p.identityOf(ctx, p.obj.Namespace, ref)
	return err
}

// readInfra reads the OpenStackCluster of the Cluster.
func (p *machinePass) readInfra(ctx context.Context) (*v1beta1.OpenStackCluster, error) {
	if p.cluster == nil {
		return nil, nil
	}
	ref := infrastructureRef(p.cluster)
	if ref["kind"] != "OpenStackCluster" || ref["apiGroup"] != v1beta1.GroupVersion.Group {
		return nil, nil
	}
	obj := &v1beta1.OpenStackCluster{}
	err := p.Client.Get(ctx, client.ObjectKey{Namespace: p.obj.Namespace, Name: ref["name"]}, obj)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading OpenStackCluster %s/%s: %w", p.obj.Namespace, ref["name"], err)
	}
	if err != nil {
		return nil, nil
	}
	return obj, nil
}

// dependency is what the steps depend on in the OpenStackCluster.
func (p *machinePass) dependency() string {
	if p.infra == nil {
		return ""
	}
	return fmt.Sprint(p.infra.Generation, isTrue(p.infra.Status.Initialization.Provisioned), p.infra.Status.ProjectID)
}

// readInputs reads what a new server needs from Cluster API. It returns a reason if something is
// missing.
func (p *machinePass) readInputs(ctx context.Context) (reason, message string, err error) {
	if ready, _, _ := unstructured.NestedBool(p.cluster.Object, "status", "initialization", "infrastructureProvisioned"); !ready {
		return WaitingForCluster, "the infrastructure of Cluster " + p.cluster.GetName() + " is not provisioned", nil
	}
	name, _, _ := unstructured.NestedString(p.machine.Object, "spec", "bootstrap", "dataSecretName")
	if name == "" {
		return WaitingForBootstrap, "Machine " + p.machine.GetName() + " has no bootstrap data yet", nil
	}
	secret := &corev1.Secret{}
	err = p.Secrets.Get(ctx, client.ObjectKey{Namespace: p.obj.Namespace, Name: name}, secret)
	if client.IgnoreNotFound(err) != nil {
		return "", "", fmt.Errorf("reading Secret %s/%s: %w", p.obj.Namespace, name, err)
	}
	data, exists := secret.Data["value"]
	if err != nil || !exists {
		return WaitingForBootstrap, "Secret " + name + " has no bootstrap data", nil
	}
	p.data = data
	return "", "", nil
}

// reconcile runs the steps. The finalizer comes before the first change in the cloud, and the
// provider ID is in the spec before the status reports the server. After a failure, the object blocks
// moves until the next success, or until a pause has found that the cloud has finished.
func (p *machinePass) reconcile(ctx context.Context) (reconcile.Result, error) {
	res := result{}.run(ctx, step{AuthenticationSucceeded, p.authenticate})
	if res.failure == nil && p.obj.Spec.ProviderID == "" {
		if err := claim(ctx, p.Client, p.obj, MachineFinalizer); err != nil {
			return reconcile.Result{}, err
		}
		p.owner.Machine = p.obj.Annotations[uidAnnotation]
	}
	res = res.run(ctx, step{InstanceReady, p.ensureServer}, step{IngressReady, p.ensureIngress})
	err := update(ctx, p.Client, p.obj, func() {
		if p.server != nil && p.obj.Spec.ProviderID == "" {
			p.obj.Spec.ProviderID = "openstack://" + p.cloud.Region() + "/" + p.server.ID
		}
		if res.failure == nil {
			unblockMove(p.obj)
		}
	})
	if err != nil {
		return reconcile.Result{}, err
	}
	// The provider ID made a new generation, which this pass knows.
	p.input.generation = p.obj.Generation
	p.complete = res.failure == nil
	return p.finish(ctx, p.report, res)
}

// apply writes what the pass has found into the status.
func (p *machinePass) apply(pass *conditions.Pass) {
	observed := p.obj.Status
	p.obj.Status = *p.status
	p.obj.Status.Conditions, p.obj.Status.Initialization = observed.Conditions, observed.Initialization
	p.obj.Status.ObservedGeneration = observed.ObservedGeneration
	if p.complete {
		pass.MarkInitialized("provisioned")
	}
}

// settled returns nil if the cloud does not work on the server.
func (p *machinePass) settled(ctx context.Context) error {
	if _, _, err := p.authenticate(ctx); err != nil {
		return err
	}
	server, err := p.cloud.FindServer(ctx, p.owner, p.obj.Name)
	if err != nil || server == nil {
		return ifPending(err)
	}
	if server.TaskState == "deleting" {
		return pendingDeletion(server.Name)
	}
	if f := classify.Server(server, false); f != nil {
		return ifPending(f)
	}
	return nil
}

// delete deletes the server and its ports, and then removes the finalizer.
func (p *machinePass) delete(ctx context.Context) (reconcile.Result, error) {
	if !controllerutil.ContainsFinalizer(p.obj, MachineFinalizer) {
		return reconcile.Result{}, nil
	}
	if wait := p.tooEarly(p.report); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	if !isDeletionReported(p.obj) {
		return p.finishDeletion(ctx, p.report, nil, nil)
	}
	if _, _, err := p.authenticate(ctx); err != nil {
		return p.finishDeletion(ctx, p.report, nil, err)
	}
	if err := claim(ctx, p.Client, p.obj, MachineFinalizer); err != nil {
		return reconcile.Result{}, err
	}
	left, err := p.cloud.DeleteMachine(ctx, p.owner, p.obj.Name)
	if err != nil || len(left) > 0 {
		return p.finishDeletion(ctx, p.report, left, err)
	}
	p.attempts.forget(p.obj.UID)
	return reconcile.Result{}, release(ctx, p.Client, p.obj, MachineFinalizer)
}
