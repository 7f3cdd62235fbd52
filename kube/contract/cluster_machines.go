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
)

// clusterMachines is a Cluster with all that belongs to it.
type clusterMachines struct {
	cluster *unstructured.Unstructured
	machine *unstructured.Unstructured // nil without an InfraMachine
	ic      subject
	im      subject // without an object if the provider has none
}

// subjects are the objects of the provider.
func (f *clusterMachines) subjects() []subject {
	if f.machine == nil {
		return []subject{f.ic}
	}
	return []subject{f.ic, f.im}
}

// each plays a step with every object of the provider, up to the first that cannot be.
func (f *clusterMachines) each(step func(subject) error) error {
	for _, subj := range f.subjects() {
		if err := step(subj); err != nil {
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

// newSubject gives an object of the provider its name in the scene. It is not created.
func (s *fixture) newSubject(role string, template *unstructured.Unstructured) subject {
	obj := template.DeepCopy()
	obj.SetName("contract-" + s.scenario.Name)
	obj.SetNamespace(s.env.namespace)
	obj.SetResourceVersion("")
	obj.SetUID("")
	unstructured.RemoveNestedField(obj.Object, "status")
	return subject{obj, role}
}

// createCluster makes a family: everything that users make, and then what the core manager does first. If
// the Cluster is paused, that does nothing: objects are created with their owners, as a move does.
// change, if not nil, is made to the InfraCluster before it is created.
func (s *fixture) createCluster(paused bool, change func(ic *unstructured.Unstructured)) (*clusterMachines, error) {
	f := &clusterMachines{ic: s.newSubject(infraCluster, s.env.provider.InfraCluster)}
	if change != nil {
		change(f.ic.Unstructured)
	}
	spec := map[string]any{"infrastructureRef": reference(f.ic)}
	if paused {
		spec["paused"] = true
	}
	var err error
	if f.cluster, err = s.create(core("Cluster", f.ic.GetName(), spec)); err != nil {
		return nil, err
	}
	if f.ic.Unstructured, err = s.createOwned(f.ic.Unstructured, f.cluster, paused); err != nil {
		return nil, err
	}
	if s.env.provider.InfraMachine == nil {
		return f, nil
	}
	return f, s.createMachine(f, paused)
}

func (s *fixture) createMachine(f *clusterMachines, paused bool) error {
	f.im = s.newSubject(infraMachine, s.env.provider.InfraMachine)
	f.im.SetLabels(with(f.im.GetLabels(), clusterNameLabel, f.cluster.GetName()))
	bootstrap := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "cluster.x-k8s.io/secret",
		"metadata":   map[string]any{"name": f.im.GetName() + "-bootstrap", "labels": map[string]any{clusterNameLabel: f.cluster.GetName()}},
		"stringData": map[string]any{"value": "#cloud-config\n"},
	}}
	if _, err := s.create(bootstrap); err != nil {
		return err
	}
	made, err := s.create(core("Machine", f.im.GetName(), map[string]any{
		"clusterName": f.cluster.GetName(), "version": s.env.provider.Version, "infrastructureRef": reference(f.im),
		"bootstrap": map[string]any{"dataSecretName": bootstrap.GetName()},
	}))
	if err != nil {
		return err
	}
	f.machine = made
	f.im.Unstructured, err = s.createOwned(f.im.Unstructured, f.machine, paused)
	return err
}

// createOwned makes an object that has an owner from the beginning, or gets it once it is there.
func (s *fixture) createOwned(obj, owner *unstructured.Unstructured, born bool) (*unstructured.Unstructured, error) {
	if born {
		setOwner(obj, owner)
		return s.create(obj)
	}
	made, err := s.create(obj)
	if err != nil {
		return nil, err
	}
	return made, s.adopt(made, owner)
}

// core is an object of Cluster API.
func core(kind, name string, spec map[string]any) *unstructured.Unstructured {
	obj := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	obj.SetGroupVersionKind(coreKind.WithKind(kind))
	obj.SetName(name)
	if cluster, ok := spec["clusterName"].(string); ok {
		obj.SetLabels(map[string]string{clusterNameLabel: cluster})
	}
	return obj
}

func reference(subj subject) map[string]any {
	return map[string]any{"apiGroup": subj.GroupVersionKind().Group, "kind": subj.GetKind(), "name": subj.GetName()}
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

// adopt makes an object the owner's, as the core manager does before anything else.
func (s *fixture) adopt(obj, owner *unstructured.Unstructured) error {
	resource, err := s.env.resource(obj.GroupVersionKind())
	if err != nil {
		return err
	}
	for {
		now, err := resource.Get(s.ctx, obj.GetName(), metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("read %s %s: %w", obj.GetKind(), obj.GetName(), err)
		}
		setOwner(now, owner)
		_, err = resource.Update(s.ctx, now, metav1.UpdateOptions{FieldManager: manager})
		if apierrors.IsConflict(err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("make %s %s the owner of %s %s: %w", owner.GetKind(), owner.GetName(), obj.GetKind(), obj.GetName(), err)
		}
		return nil
	}
}

// setOwner gives an object its owner, and the label of its Cluster.
func setOwner(obj, owner *unstructured.Unstructured) {
	refs := obj.GetOwnerReferences()
	if !slices.ContainsFunc(refs, func(r metav1.OwnerReference) bool { return r.UID == owner.GetUID() }) {
		ref := metav1.OwnerReference{APIVersion: owner.GetAPIVersion(), Kind: owner.GetKind(), Name: owner.GetName(), UID: owner.GetUID()}
		if owner.GetKind() == "Machine" { // a Cluster controls only what a topology has made
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

// provision waits until the whole family is provisioned, and does for the Cluster what the core
// manager does when its infrastructure is.
func (s *fixture) provision(f *clusterMachines) error {
	ic, err := s.await("C-IC-1", f.ic, "status.initialization.provisioned", initialized)
	if err != nil {
		return err
	}
	if f.machine == nil {
		return nil
	}
	endpoint, _, _ := unstructured.NestedMap(ic.Object, "spec", "controlPlaneEndpoint")
	data, err := json.Marshal(map[string]any{"spec": map[string]any{"controlPlaneEndpoint": endpoint}})
	if err != nil {
		return err
	}
	if len(endpoint) > 0 {
		if _, err := s.patch(f.cluster, string(data)); err != nil {
			return err
		}
	}
	if _, err := s.patch(f.cluster, `{"status": {"initialization": {"infrastructureProvisioned": true}}}`, "status"); err != nil {
		return err
	}
	_, err = s.await("C-IM-3", f.im, "status.initialization.provisioned", initialized)
	return err
}

// pause pauses a Cluster, or lets it go on.
func (s *fixture) pause(ctx context.Context, cluster *unstructured.Unstructured, paused bool) error {
	resource, err := s.env.resource(cluster.GroupVersionKind())
	if err != nil {
		return err
	}
	patch := fmt.Appendf(nil, `{"spec": {"paused": %t}}`, paused)
	_, err = resource.Patch(ctx, cluster.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: manager})
	return err
}
