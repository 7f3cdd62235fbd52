package capi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/clusterapi/check"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/findings"
	kubeconnection "kstatus.dev/kube/connection"
)

// coreKinds are the kinds of Cluster API itself. Objects of providers are checked together with
// theirs.
var coreKinds = []string{"clusters.cluster.x-k8s.io", "machines.cluster.x-k8s.io", "machinepools.cluster.x-k8s.io",
	"ipaddressclaims.ipam.cluster.x-k8s.io", "ipaddresses.ipam.cluster.x-k8s.io"}

var clusterRoles = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"}

// readCluster adds the definitions of a cluster with a role in the contract, and their objects.
// It keeps errors about missing permissions in unread. It also marks the options, so that no
// check reports such objects as missing.
func (c *capiCheck) readCluster(ctx context.Context, r *findings.Run, o *check.Options) error {
	connected, err := connection.Connect(ctx, c.env, c.connection)
	if err != nil {
		return err
	}
	clients := connected.Client.Interfaces()
	client := clients.Dynamic
	namespace := connected.Namespace
	if c.allNamespaces {
		namespace = ""
	}
	if err := readDefinitions(ctx, r, client, *o); err != nil {
		return connection.WithExitCode(fmt.Errorf("list definitions: %w", err))
	}
	if err := findings.EachObject(ctx, client.Resource(clusterRoles), metav1.ListOptions{LabelSelector: check.AggregateLabel + "=true"}, r.AddObject); err != nil {
		c.env.Print("warning: ClusterRoles are not checked: %v", err)
	}
	o.Complete = true
	for _, d := range r.Bundle.CRDs() {
		if !isChecked(d, *o) {
			continue
		}
		if err := findings.EachObject(ctx, client.Resource(resourceOf(d)).Namespace(namespace), metav1.ListOptions{}, r.AddObject); err != nil {
			o.Complete = false
			r.Unread = append(r.Unread, fmt.Errorf("list %s: %w", d.Name, err))
		}
	}
	if err := readSecrets(ctx, r, clients.Metadata, namespace); err != nil {
		c.env.Print("warning: Secrets are not checked: %v", err)
	} else {
		o.Secrets = true
	}
	return nil
}

// readDefinitions adds the definitions with a role in the contract, and the others that a move
// finds.
func readDefinitions(ctx context.Context, r *findings.Run, client dynamic.Interface, o check.Options) error {
	return findings.EachObject(ctx, client.Resource(findings.Definitions), metav1.ListOptions{}, func(found map[string]any) {
		delete(found, "status")
		one := lint.Bundle{Objects: []map[string]any{found}}
		d := one.CRDs()
		if len(d) == 1 && (isChecked(d[0], o) || roleOf(d[0], o).IsTemplate() || strings.HasSuffix(d[0].Kind, "Identity") || check.FoundByMove(d[0])) {
			r.AddObject(found)
		}
	})
}

// liveResources returns the resources whose objects capi check --live reads. roles are the values
// of --role.
func liveResources(ctx context.Context, client dynamic.Interface, roles []string) (all []schema.GroupVersionResource, err error) {
	o, err := contractFlags{roles: roles}.options()
	if err != nil {
		return nil, err
	}
	r := &findings.Run{}
	if err := readDefinitions(ctx, r, client, o); err != nil {
		return nil, connection.WithExitCode(fmt.Errorf("list definitions: %w", err))
	}
	for _, d := range r.Bundle.CRDs() {
		if isChecked(d, o) {
			all = append(all, resourceOf(d))
		}
	}
	return all, nil
}

// isChecked reports whether objects of a definition are checked. Templates are not, since they
// have no status.
func isChecked(d lint.CRD, o check.Options) bool {
	if slices.Contains(coreKinds, d.Name) {
		return true
	}
	role := roleOf(d, o)
	return role.HasStatus() || role == roles.IPPool
}

func roleOf(d lint.CRD, o check.Options) roles.Role {
	if role, set := o.Roles[d.Kind]; set {
		return role
	}
	return roles.Of(d.Group, d.Kind, d.Labels)
}

// resourceOf returns the version in which Cluster API reads a kind, otherwise a version that is
// served.
func resourceOf(d lint.CRD) schema.GroupVersionResource {
	version := check.VersionOf(d)
	return schema.GroupVersionResource{Group: d.Group, Version: version, Resource: d.Plural}
}

// readSecrets adds the metadata of Secrets. It does not request their values.
func readSecrets(ctx context.Context, r *findings.Run, client metadata.Interface, namespace string) error {
	secrets := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}).Namespace(namespace)
	all, err := kubeconnection.AllMetadata(ctx, metav1.ListOptions{}, secrets.List)
	for _, one := range all {
		labels, owners := map[string]any{}, []any{}
		for k, v := range one.Labels {
			labels[k] = v
		}
		for _, owner := range one.OwnerReferences {
			owners = append(owners, map[string]any{"kind": owner.Kind, "name": owner.Name, "controller": owner.Controller != nil && *owner.Controller})
		}
		r.AddObject(map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{
			"name": one.Name, "namespace": one.Namespace, "labels": labels, "ownerReferences": owners}})
	}
	return err
}
