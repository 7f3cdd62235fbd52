package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/examples/openstack/api/v1beta1"
	"kstatus.dev/examples/openstack/cloud"
)

// An identity is a Secret with credentials, and which of them an object uses. It is read from the
// API server in each pass, and its values are kept nowhere.
type identity struct {
	ref    v1beta1.IdentityReference
	secret *corev1.Secret // nil if it does not exist
}

// identityOf reads the Secret of an identity.
func (b *base) identityOf(ctx context.Context, namespace string, ref v1beta1.IdentityReference) (identity, error) {
	id := identity{ref: ref}
	if ref.Name == "" {
		return id, nil
	}
	secret := &corev1.Secret{}
	err := b.Secrets.Get(ctx, client.ObjectKey{Namespace: namespace, Name: ref.Name}, secret)
	if client.IgnoreNotFound(err) != nil {
		return id, fmt.Errorf("reading Secret %s/%s: %w", namespace, ref.Name, err)
	}
	if err == nil {
		id.secret = secret
	}
	return id, nil
}

// version identifies the credentials without showing them.
func (id identity) version() string {
	if id.secret == nil {
		return ""
	}
	return id.secret.ResourceVersion
}

// open authenticates. project is the ID of the project in which the resources of the object are,
// if it is known. With the credentials of another project every resource looks deleted
// (cluster-api-provider-openstack#1116), so they are rejected here.
func (b *base) open(ctx context.Context, id identity, project string) (*cloud.Cloud, error) {
	if id.secret == nil {
		message := "the object has no identity: set spec.identityRef.name"
		if id.ref.Name != "" {
			message = "Secret " + id.ref.Name + " in spec.identityRef does not exist"
		}
		return nil, classify.CredentialsMissing(message)
	}
	c, err := b.Clouds.Open(ctx, cloud.Identity{
		Secret: id.ref.Name, Clouds: id.secret.Data["clouds.yaml"], CACert: id.secret.Data["cacert"],
		Cloud: id.ref.CloudName, Region: id.ref.Region,
	})
	if err != nil {
		return nil, err
	}
	if project != "" && c.Project() != project {
		return nil, classify.CredentialsInvalid(fmt.Sprintf("Secret %s has credentials for project %s, and the resources are in project %s", id.ref.Name, c.Project(), project))
	}
	return c, nil
}
