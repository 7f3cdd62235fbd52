package controller

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// What the contract of Cluster API names. The provider reads Clusters and Machines as they are
// on the wire, so that it does not depend on the release of Cluster API that it runs beside; and,
// as the client of a manager does with what is unstructured, from the API server rather than from
// a cache, so that a pass never misses a pause that came before it.
const (
	coreGroup         = "cluster.x-k8s.io"
	coreVersion       = "v1beta2"
	clusterNameLabel  = "cluster.x-k8s.io/cluster-name"
	pausedAnnotation  = "cluster.x-k8s.io/paused"
	managedAnnotation = "cluster.x-k8s.io/managed-by"
)

// newCore is an empty Cluster or Machine, to be read.
func newCore(kind string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Group: coreGroup, Version: coreVersion, Kind: kind})
	return u
}

// ownerOf reads the owner of a kind that an object names, and nil while there is none. An owner
// that is gone is none: its object is then deleted as well, or was made for another one.
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

// clusterOf reads the Cluster that an object belongs to by its label, and nil if there is none.
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

// pausedBy says why an object is paused: a reason and a message, or nothing.
func pausedBy(cluster *unstructured.Unstructured, obj client.Object) (reason, message string) {
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

// externallyManaged says whether somebody else provides the infrastructure, of which this
// provider then touches nothing.
func externallyManaged(obj client.Object) bool {
	_, managed := obj.GetAnnotations()[managedAnnotation]
	return managed
}

// token names in the cloud what belongs to an object. It is made from the name and not from
// the UID: a backup that is restored, and a move to another cluster, keep the name only.
func token(obj client.Object) string { return obj.GetNamespace() + "/" + obj.GetName() }
