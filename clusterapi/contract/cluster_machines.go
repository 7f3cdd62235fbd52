package contract

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/decoded"
)

// clusterMachines is a Cluster with its Machine and the provider's objects.
type clusterMachines struct {
	cluster *unstructured.Unstructured
	machine *unstructured.Unstructured // nil without an InfraMachine.
	ic      subject
	im      subject // its object is nil if the provider has no InfraMachine.
}

// subjects returns the provider's objects.
func (m *clusterMachines) subjects() []subject {
	if m.machine == nil {
		return []subject{m.ic}
	}
	return []subject{m.ic, m.im}
}

// each runs a step on each of the provider's objects, up to the first error.
func (m *clusterMachines) each(step func(subject) error) error {
	for _, s := range m.subjects() {
		if err := step(s); err != nil {
			return err
		}
	}
	return nil
}

const (
	clusterNameLabel  = "cluster.x-k8s.io/cluster-name"
	managedAnnotation = "cluster.x-k8s.io/managed-by"
	dryRunAnnotation  = "topology.cluster.x-k8s.io/dry-run"
	infraCluster      = "InfraCluster"
	infraMachine      = "InfraMachine"
	infraTemplate     = "InfraMachineTemplate"
)

// newSubject sets the name and the namespace of one of the provider's objects.
// It does not create it.
func (f *fixture) newSubject(role string, template *unstructured.Unstructured) subject {
	obj := template.DeepCopy()
	obj.SetName("contract-" + f.scenario.Name)
	obj.SetNamespace(f.env.namespace)
	obj.SetResourceVersion("")
	obj.SetUID("")
	unstructured.RemoveNestedField(obj.Object, "status")
	return subject{obj, role}
}

// createCluster creates a Cluster and its Machine like users, and then acts as
// the core manager. If the Cluster is paused, it creates objects with their
// owners, as a move does. change, if not nil, modifies the InfraCluster before
// its creation.
func (f *fixture) createCluster(paused bool, change func(ic *unstructured.Unstructured)) (*clusterMachines, error) {
	machines := &clusterMachines{ic: f.newSubject(infraCluster, f.env.provider.InfraCluster)}
	if change != nil {
		change(machines.ic.Unstructured)
	}
	spec := map[string]any{"infrastructureRef": reference(machines.ic)}
	if paused {
		spec["paused"] = true
	}
	var err error
	if machines.cluster, err = f.create(core("Cluster", machines.ic.GetName(), spec)); err != nil {
		return nil, err
	}
	if machines.ic.Unstructured, err = f.createOwned(machines.ic.Unstructured, machines.cluster, paused); err != nil {
		return nil, err
	}
	if f.env.provider.InfraMachine == nil {
		return machines, nil
	}
	return machines, f.createMachine(machines, paused)
}

func (f *fixture) createMachine(machines *clusterMachines, paused bool) error {
	machines.im = f.newSubject(infraMachine, f.env.provider.InfraMachine)
	machines.im.SetLabels(with(machines.im.GetLabels(), clusterNameLabel, machines.cluster.GetName()))
	bootstrap := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "cluster.x-k8s.io/secret",
		"metadata":   map[string]any{"name": machines.im.GetName() + "-bootstrap", "labels": map[string]any{clusterNameLabel: machines.cluster.GetName()}},
		"stringData": map[string]any{"value": "#cloud-config\n"},
	}}
	if _, err := f.create(bootstrap); err != nil {
		return err
	}
	created, err := f.create(core("Machine", machines.im.GetName(), map[string]any{
		"clusterName": machines.cluster.GetName(), "version": f.env.provider.KubernetesVersion, "infrastructureRef": reference(machines.im),
		"bootstrap": map[string]any{"dataSecretName": bootstrap.GetName()},
	}))
	if err != nil {
		return err
	}
	machines.machine = created
	machines.im.Unstructured, err = f.createOwned(machines.im.Unstructured, machines.machine, paused)
	return err
}

// createOwned creates an object with an owner. If born is false, it sets the
// owner after the creation.
func (f *fixture) createOwned(obj, owner *unstructured.Unstructured, born bool) (*unstructured.Unstructured, error) {
	if born {
		setOwner(obj, owner)
		return f.create(obj)
	}
	created, err := f.create(obj)
	if err != nil {
		return nil, err
	}
	return created, f.adopt(created, owner)
}

// core returns an object of Cluster API.
func core(kind, name string, spec map[string]any) *unstructured.Unstructured {
	obj := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	obj.SetGroupVersionKind(coreKind.WithKind(kind))
	obj.SetName(name)
	if cluster, ok := spec["clusterName"].(string); ok {
		obj.SetLabels(map[string]string{clusterNameLabel: cluster})
	}
	return obj
}

func reference(s subject) map[string]any {
	return map[string]any{"apiGroup": s.GroupVersionKind().Group, "kind": s.GetKind(), "name": s.GetName()}
}

func with(labels map[string]string, key, value string) map[string]string {
	all := map[string]string{key: value}
	for k, v := range labels {
		if k != key {
			all[k] = v
		}
	}
	return all
}

// adopt sets the owner of an object, which is the core manager's first step.
func (f *fixture) adopt(obj, owner *unstructured.Unstructured) error {
	resource, err := f.env.resource(obj.GroupVersionKind())
	if err != nil {
		return err
	}
	for {
		now, err := resource.Get(f.ctx, obj.GetName(), metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("read %s %s: %w", obj.GetKind(), obj.GetName(), err)
		}
		setOwner(now, owner)
		_, err = resource.Update(f.ctx, now, metav1.UpdateOptions{FieldManager: manager})
		if apierrors.IsConflict(err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("set the owner of %s %s to %s %s: %w", owner.GetKind(), owner.GetName(), obj.GetKind(), obj.GetName(), err)
		}
		return nil
	}
}

// setOwner sets the owner and the cluster label of an object.
func setOwner(obj, owner *unstructured.Unstructured) {
	refs := obj.GetOwnerReferences()
	if !slices.ContainsFunc(refs, func(r metav1.OwnerReference) bool { return r.UID == owner.GetUID() }) {
		ref := metav1.OwnerReference{APIVersion: owner.GetAPIVersion(), Kind: owner.GetKind(), Name: owner.GetName(), UID: owner.GetUID()}
		if owner.GetKind() == "Machine" { // a Cluster controls only what a topology has created
			yes := true
			ref.Controller, ref.BlockOwnerDeletion = &yes, &yes
		}
		obj.SetOwnerReferences(append(refs, ref))
	}
	cluster := owner.GetName()
	if name := owner.GetLabels()[clusterNameLabel]; name != "" {
		cluster = name
	}
	obj.SetLabels(with(obj.GetLabels(), clusterNameLabel, cluster))
}

// provision waits until all objects are provisioned.
func (f *fixture) provision(machines *clusterMachines) error {
	if err := f.provisionCluster(machines); err != nil || machines.machine == nil {
		return err
	}
	_, err := f.await("C-IM-3", machines.im, "status.initialization.provisioned", initialized)
	return err
}

// provisionCluster waits until the InfraCluster is provisioned. It updates the Cluster
// as the core manager does then.
func (f *fixture) provisionCluster(machines *clusterMachines) error {
	ic, err := f.await("C-IC-1", machines.ic, "status.initialization.provisioned", initialized)
	if err != nil {
		return err
	}
	if machines.machine == nil {
		return nil
	}
	endpoint := decoded.Map(ic.Object, "spec", "controlPlaneEndpoint")
	data, err := json.Marshal(map[string]any{"spec": map[string]any{"controlPlaneEndpoint": endpoint}})
	if err != nil {
		return err
	}
	if len(endpoint) > 0 {
		if _, err := f.patch(machines.cluster, string(data)); err != nil {
			return err
		}
	}
	_, err = f.patch(machines.cluster, `{"status": {"initialization": {"infrastructureProvisioned": true}}}`, "status")
	return err
}

// pause pauses or resumes a Cluster.
func (f *fixture) pause(ctx context.Context, cluster *unstructured.Unstructured, paused bool) error {
	resource, err := f.env.resource(cluster.GroupVersionKind())
	if err != nil {
		return err
	}
	patch := fmt.Appendf(nil, `{"spec": {"paused": %t}}`, paused)
	_, err = resource.Patch(ctx, cluster.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: manager})
	return err
}
