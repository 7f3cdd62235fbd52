package controller

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// These are names of the contract of Cluster API. The provider reads Clusters and Machines as
// unstructured objects, so that it does not depend on a release of Cluster API. A manager's
// client reads unstructured objects from the API server and not from a cache. So a reconcile
// never misses an earlier pause.
const (
	coreGroup         = "cluster.x-k8s.io"
	coreVersion       = "v1beta2"
	clusterNameLabel  = "cluster.x-k8s.io/cluster-name"
	pausedAnnotation  = "cluster.x-k8s.io/paused"
	managedAnnotation = "cluster.x-k8s.io/managed-by"
	// The cloud works for the object, so a move must not copy it.
	blockMoveAnnotation = "clusterctl.cluster.x-k8s.io/block-move"
)

// These annotations are evidence for later passes. Moves keep them.
const (
	// uidAnnotation has the UID that the object had when the provider first saw it.
	uidAnnotation = "infrastructure.openstack.kstatus.dev/uid"
	// endpointAnnotation means that all resources of a cluster have existed. It says what provides
	// the endpoint.
	endpointAnnotation = "infrastructure.openstack.kstatus.dev/endpoint"

	fromLoadBalancer = "LoadBalancer"
	fromFloatingIP   = "FloatingIP"
	fromSpec         = "Spec"
)

// newCore returns an empty Cluster or Machine to read into.
func newCore(kind string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Group: coreGroup, Version: coreVersion, Kind: kind})
	return u
}

// ownerOf reads the owner of a kind. It returns nil if the object has none, or
// if the owner is deleted.
func ownerOf(ctx context.Context, c client.Reader, obj client.Object, kind string) (*unstructured.Unstructured, error) {
	for _, ref := range obj.GetOwnerReferences() {
		gv, err := schema.ParseGroupVersion(ref.APIVersion)
		if err != nil || gv.Group != coreGroup || ref.Kind != kind {
			continue
		}
		owner, err := readCore(ctx, c, kind, obj.GetNamespace(), ref.Name)
		if err != nil || owner != nil && owner.GetUID() == ref.UID {
			return owner, err
		}
	}
	return nil, nil
}

// clusterOf reads the Cluster in the label of an object. It returns nil if
// there is none.
func clusterOf(ctx context.Context, c client.Reader, obj client.Object) (*unstructured.Unstructured, error) {
	name := obj.GetLabels()[clusterNameLabel]
	if name == "" {
		return nil, nil
	}
	return readCore(ctx, c, "Cluster", obj.GetNamespace(), name)
}

func readCore(ctx context.Context, c client.Reader, kind, namespace, name string) (*unstructured.Unstructured, error) {
	u := newCore(kind)
	err := c.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, u)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading %s %s/%s: %w", kind, namespace, name, err)
	}
	if err != nil {
		return nil, nil
	}
	return u, nil
}

// pauseReason returns the reason and the message of a pause. They are empty if the
// object is not paused.
func pauseReason(cluster *unstructured.Unstructured, obj client.Object) (reason, message string) {
	if cluster != nil {
		if paused, _, _ := unstructured.NestedBool(cluster.Object, "spec", "paused"); paused {
			return ClusterPaused, "spec.paused of Cluster " + cluster.GetName() + " is true"
		}
	}
	if _, paused := obj.GetAnnotations()[pausedAnnotation]; paused {
		return ObjectPaused, "the object has the annotation " + pausedAnnotation
	}
	return "", ""
}

// externallyManaged reports whether another system manages the infrastructure,
// so that this provider must not change it.
func externallyManaged(obj client.Object) bool {
	_, managed := obj.GetAnnotations()[managedAnnotation]
	return managed
}

// infrastructureRef returns the reference of a Cluster or a Machine to its infrastructure.
func infrastructureRef(owner *unstructured.Unstructured) map[string]string {
	ref, _, _ := unstructured.NestedStringMap(owner.Object, "spec", "infrastructureRef")
	return ref
}
