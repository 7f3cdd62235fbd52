package rack

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// controlPlanes reconciles RackControlPlanes: each gets its Machines, and its Cluster gets Secrets.
type controlPlanes struct {
	client.Client
	kubeconfig []byte
}

// Reconcile creates the Machines of a control plane and reports about them.
func (r *controlPlanes) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	o, err := get(ctx, r, controlPlaneKind, req.Namespace, req.Name)
	if o == nil {
		return reconcile.Result{}, err
	}
	cluster, err := get(ctx, r, clusterKind, req.Namespace, o.GetLabels()[clusterNameLabel])
	if err != nil || cluster == nil {
		return reconcile.Result{}, err
	}
	if isPaused(cluster, o) {
		return reconcile.Result{}, writePaused(ctx, r, o)
	}
	machines, err := r.machines(ctx, o, cluster)
	if err != nil {
		return reconcile.Result{}, err
	}
	if o.GetDeletionTimestamp() != nil {
		return reconcile.Result{}, r.delete(ctx, o, machines)
	}
	if field(cluster, "status", "initialization", "infrastructureProvisioned") == true {
		if err := r.create(ctx, o, cluster, machines); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, writeStatus(ctx, r, o, status(o, cluster, machines))
}

// machines returns the Machines that a control plane owns.
func (r *controlPlanes) machines(ctx context.Context, o, cluster *object) (owned []object, err error) {
	list := &unstructuredList{}
	list.SetGroupVersionKind(machineKind.GroupVersion().WithKind("MachineList"))
	err = r.List(ctx, list, client.InNamespace(o.GetNamespace()), client.MatchingLabels{clusterNameLabel: cluster.GetName()})
	for _, m := range list.Items {
		if metav1.IsControlledBy(&m, o) {
			owned = append(owned, m)
		}
	}
	return owned, err
}

// delete deletes the Machines, and then removes the finalizer.
func (r *controlPlanes) delete(ctx context.Context, o *object, machines []object) error {
	for i := range machines {
		if err := client.IgnoreNotFound(r.Delete(ctx, &machines[i])); err != nil {
			return err
		}
	}
	before := o.DeepCopy()
	if len(machines) > 0 || !controllerutil.RemoveFinalizer(o, finalizer) {
		return nil
	}
	return client.IgnoreNotFound(r.Patch(ctx, o, client.MergeFrom(before)))
}

// create creates the objects of a control plane that do not exist.
func (r *controlPlanes) create(ctx context.Context, o, cluster *object, machines []object) error {
	before := o.DeepCopy()
	if controllerutil.AddFinalizer(o, finalizer) {
		if err := r.Patch(ctx, o, client.MergeFrom(before)); err != nil {
			return err
		}
	}
	for purpose, data := range map[string][]byte{"ca": []byte("a certificate"), "kubeconfig": r.kubeconfig} {
		if err := createSecret(ctx, r, o, cluster, cluster.GetName()+"-"+purpose, data); err != nil {
			return err
		}
	}
	replicas, _ := field(o, "spec", "replicas").(int64)
	for i := range replicas {
		name := fmt.Sprintf("%s-%d", o.GetName(), i)
		if slices.ContainsFunc(machines, func(m object) bool { return m.GetName() == name }) {
			continue
		}
		if err := r.createMachine(ctx, o, cluster, name); err != nil {
			return err
		}
	}
	return nil
}

// createMachine creates a Machine with its infrastructure and its bootstrap configuration.
func (r *controlPlanes) createMachine(ctx context.Context, o, cluster *object, name string) error {
	ref := []string{"spec", "machineTemplate", "spec", "infrastructureRef"}
	group := text(o, append(ref, "apiGroup")...)
	mapping, err := r.RESTMapper().RESTMapping(schema.GroupKind{Group: group, Kind: text(o, append(ref, "kind")...)})
	if err != nil {
		return err
	}
	template, err := get(ctx, r, mapping.GroupVersionKind, o.GetNamespace(), text(o, append(ref, "name")...))
	if err != nil || template == nil {
		return fmt.Errorf("template %s of RackControlPlane %s: %w", text(o, append(ref, "name")...), o.GetName(), err)
	}
	kind := template.GroupVersionKind()
	kind.Kind = kind.Kind[:len(kind.Kind)-len("Template")]
	infrastructure, config, machine := empty(kind), empty(configKind), empty(machineKind)
	infrastructure.Object["spec"] = field(template, "spec", "template", "spec")
	machine.Object["spec"] = map[string]any{
		"clusterName": cluster.GetName(), "version": text(o, "spec", "version"),
		"infrastructureRef": map[string]any{"apiGroup": group, "kind": kind.Kind, "name": name},
		"bootstrap":         map[string]any{"configRef": map[string]any{"apiGroup": configKind.Group, "kind": configKind.Kind, "name": name}},
	}
	for _, created := range []*object{infrastructure, config, machine} {
		created.SetName(name)
		created.SetNamespace(o.GetNamespace())
		created.SetLabels(map[string]string{clusterNameLabel: cluster.GetName(), controlPlaneLabel: ""})
		created.SetOwnerReferences([]metav1.OwnerReference{ownedBy(o)})
		if created != machine {
			created.SetOwnerReferences(nil) // core sets the Machine as their owner
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, created)); err != nil {
			return err
		}
	}
	return nil
}

// status returns the status of a control plane. It derives from the Machines only.
func status(o, cluster *object, machines []object) map[string]any {
	count := func(typ string) (n int64) {
		for i := range machines {
			if hasCondition(&machines[i], typ) {
				n++
			}
		}
		return n
	}
	replicas := int64(len(machines))
	s := map[string]any{
		"selector": clusterNameLabel + "=" + cluster.GetName() + "," + controlPlaneLabel,
		"replicas": replicas, "readyReplicas": count("Ready"), "availableReplicas": count("Available"), "upToDateReplicas": replicas,
		"observedGeneration": o.GetGeneration(),
	}
	initialized := slices.ContainsFunc(machines, func(m object) bool {
		return field(&m, "status", "initialization", "infrastructureProvisioned") == true
	})
	if initialized {
		s["initialization"] = map[string]any{"controlPlaneInitialized": true}
		s["versions"] = []any{map[string]any{"version": text(o, "spec", "version"), "replicas": replicas}}
	}
	s["conditions"] = []any{condition(o, "Paused", false, "NotPaused"),
		condition(o, "Available", initialized, map[bool]string{true: "Available", false: "NotInitialized"}[initialized])}
	return s
}

func hasCondition(o *object, typ string) bool {
	list, _ := field(o, "status", "conditions").([]any)
	return slices.ContainsFunc(list, func(item any) bool {
		c, _ := item.(map[string]any)
		return c["type"] == typ && c["status"] == "True"
	})
}

// createSecret creates a Secret of a Cluster. An existing one stays as it is.
func createSecret(ctx context.Context, c client.Client, owner, cluster *object, name string, data []byte) error {
	secret := &corev1.Secret{Type: "cluster.x-k8s.io/secret", Data: map[string][]byte{"value": data}}
	secret.Name, secret.Namespace = name, owner.GetNamespace()
	secret.Labels = map[string]string{clusterNameLabel: cluster.GetName()}
	secret.OwnerReferences = []metav1.OwnerReference{ownedBy(owner)}
	return client.IgnoreAlreadyExists(c.Create(ctx, secret))
}
