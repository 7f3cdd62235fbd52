package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
)

// withIdentity returns a client of the cloud that sends the token of a ShelfCluster's identity.
func withIdentity(ctx context.Context, c *cloud.Client, secrets client.Reader, obj *v1beta1.ShelfCluster) (*cloud.Client, error) {
	name := obj.Spec.IdentityRef.Name
	if name == "" {
		return c, nil
	}
	secret := &corev1.Secret{}
	if err := secrets.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: name}, secret); err != nil {
		return c, fmt.Errorf("reading the token in Secret %s: %w", name, err)
	}
	return c.WithToken(string(secret.Data["token"])), nil
}

// withIdentityOf does the same for the ShelfCluster of a Cluster. Without one, requests have no
// token.
func (r *MachineReconciler) withIdentityOf(ctx context.Context, cluster *unstructured.Unstructured) (*cloud.Client, error) {
	if cluster == nil {
		return r.Cloud, nil
	}
	name, _, _ := unstructured.NestedString(cluster.Object, "spec", "infrastructureRef", "name")
	obj := &v1beta1.ShelfCluster{}
	err := r.Client.Get(ctx, client.ObjectKey{Namespace: cluster.GetNamespace(), Name: name}, obj)
	if client.IgnoreNotFound(err) != nil {
		return r.Cloud, err
	}
	return withIdentity(ctx, r.Cloud, r.Secrets, obj)
}
