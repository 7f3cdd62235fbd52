//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/test/clusterapi/managers"
)

// namespace is the namespace of all objects that are moved.
const namespace = "many"

// The kinds of the objects.
var (
	clusters      = managers.Clusters
	machines      = managers.Machines
	shelfClusters = managers.Resource("infrastructure.cluster.x-k8s.io", "v1beta1", "shelfclusters")
	shelfMachines = managers.Resource("infrastructure.cluster.x-k8s.io", "v1beta1", "shelfmachines")
	secrets       = managers.Resource("", "v1", "secrets")
	kinds         = []schema.GroupVersionResource{clusters, machines, shelfClusters, shelfMachines, secrets}
)

// objects returns the number of objects of Clusters with Machines. Each Cluster has its
// infrastructure, and each Machine also a Secret.
func objects(clusters, machines int) int { return clusters * (2 + 3*machines) }

// create creates the objects.
func (s *side) create(ctx context.Context, clusters, machines int) error {
	if err := s.ensureNamespace(ctx); err != nil {
		return err
	}
	return each(clusters, func(n int) error { return s.createCluster(ctx, fmt.Sprintf("c%d", n), machines) })
}

// each calls do for each number below n. Only some calls run at the same time, because the webhooks of
// core answer slowly when all processors are busy.
func each(n int, do func(n int) error) error {
	errs, slots := make([]error, n), make(chan struct{}, 6)
	var group sync.WaitGroup
	for n := range n {
		slots <- struct{}{}
		group.Go(func() {
			errs[n] = do(n)
			<-slots
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

func (s *side) ensureNamespace(ctx context.Context) error {
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace}}}
	_, err := s.client.Resource(managers.Resource("", "v1", "namespaces")).Create(ctx, o, metav1.CreateOptions{})
	return err
}

// owner returns the reference to an owner.
func owner(o *unstructured.Unstructured) []any {
	return []any{map[string]any{"apiVersion": o.GetAPIVersion(), "kind": o.GetKind(), "name": o.GetName(), "uid": string(o.GetUID())}}
}

// createCluster creates a Cluster with its Machines.
func (s *side) createCluster(ctx context.Context, name string, count int) error {
	cluster, err := s.in(clusters).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"controlPlaneEndpoint": map[string]any{"host": "192.0.2.1", "port": int64(6443)},
			"infrastructureRef":    map[string]any{"apiGroup": shelfClusters.Group, "kind": "ShelfCluster", "name": name},
		},
	}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, err = s.in(shelfClusters).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": shelfClusters.GroupVersion().String(), "kind": "ShelfCluster",
		"metadata": map[string]any{"name": name, "labels": map[string]any{"cluster.x-k8s.io/cluster-name": name}, "ownerReferences": owner(cluster)}, "spec": map[string]any{},
	}}, metav1.CreateOptions{})
	for i := range count {
		if err == nil {
			err = s.createMachine(ctx, cluster, fmt.Sprintf("%s-%d", name, i))
		}
	}
	return err
}

// createMachine creates a Machine with its infrastructure and its Secret.
func (s *side) createMachine(ctx context.Context, cluster *unstructured.Unstructured, id string) error {
	labels := map[string]any{"cluster.x-k8s.io/cluster-name": cluster.GetName()}
	machine, err := s.in(machines).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
		"metadata": map[string]any{"name": id, "labels": labels, "ownerReferences": owner(cluster)},
		"spec": map[string]any{
			"clusterName": cluster.GetName(), "version": "v1.36.3", "bootstrap": map[string]any{"dataSecretName": id}, "providerID": "shelf://" + id,
			"infrastructureRef": map[string]any{"apiGroup": shelfMachines.Group, "kind": "ShelfMachine", "name": id},
		},
	}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, err = s.in(shelfMachines).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": shelfMachines.GroupVersion().String(), "kind": "ShelfMachine",
		"metadata": map[string]any{"name": id, "labels": labels, "ownerReferences": owner(machine)},
		"spec":     map[string]any{"size": "small", "providerID": "shelf://" + id},
	}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, err = s.in(secrets).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "cluster.x-k8s.io/secret",
		"metadata": map[string]any{"name": id, "labels": labels, "ownerReferences": owner(machine)},
		"data":     map[string]any{"value": "I2Nsb3VkLWNvbmZpZwo="},
	}}, metav1.CreateOptions{})
	return err
}

// settle writes what the programs that are missing here would have reported, and waits until core
// knows all objects. clusterctl moves only Clusters that are complete.
func (s *side) settle(ctx context.Context, count, machinesEach int) error {
	now := time.Now().UTC().Format(time.RFC3339)
	complete := fmt.Appendf(nil, `{"status": {"initialization": {"infrastructureProvisioned": true, "controlPlaneInitialized": true},
		"conditions": [{"type": "ControlPlaneInitialized", "status": "True", "reason": "Initialized", "message": "", "lastTransitionTime": %q}]}}`, now)
	err := each(count, func(n int) error {
		name := fmt.Sprintf("c%d", n)
		_, err := s.in(clusters).Patch(ctx, name, types.MergePatchType, complete, metav1.PatchOptions{}, "status")
		for i := 0; i < machinesEach && err == nil; i++ {
			id := fmt.Sprintf("%s-%d", name, i)
			_, err = s.in(machines).Patch(ctx, id, types.MergePatchType, fmt.Appendf(nil, `{"status": {"nodeRef": {"name": %q}}}`, id), metav1.PatchOptions{}, "status")
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.waitReported(ctx)
}

// waitReported waits until all controllers have reported the end of the pause.
func (s *side) waitReported(ctx context.Context) error {
	for deadline := time.Now().Add(10 * time.Minute); ; {
		err := s.isReported(ctx)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(2 * time.Second): // a list of everything is not cheap
		}
	}
}

// isReported returns an error unless all controllers have reported the end of the pause.
func (s *side) isReported(ctx context.Context) error {
	for _, r := range kinds[:4] {
		list, err := s.in(r).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			if o := &list.Items[i]; !hasCondition(o, "Paused", "False") {
				return fmt.Errorf("%s %s does not report Paused=False", o.GetKind(), o.GetName())
			}
		}
	}
	return nil
}

// count returns an error unless the side has a number of the objects.
func (s *side) count(ctx context.Context, want int) error {
	have := 0
	for _, r := range kinds {
		list, err := s.in(r).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		have += len(list.Items)
	}
	if have != want {
		return fmt.Errorf("a side has %d objects, want %d", have, want)
	}
	return nil
}

// in returns the client of a kind in the namespace.
func (s *side) in(r schema.GroupVersionResource) dynamic.ResourceInterface {
	return s.client.Resource(r).Namespace(namespace)
}

// hasCondition reports whether an object has a condition with a status.
func hasCondition(o *unstructured.Unstructured, typ, status string) bool {
	all, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, item := range all {
		if c, _ := item.(map[string]any); c["type"] == typ {
			return c["status"] == status
		}
	}
	return false
}
