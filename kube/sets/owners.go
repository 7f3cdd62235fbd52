package sets

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// ownerReaders maps kinds that own sets to their readers. Composite resources
// and claims of Crossplane also own sets; the server lists them in categories
// of these names.
var ownerReaders = map[status.Kind]ownerReader{
	{Group: "kustomize.toolkit.fluxcd.io", Kind: "Kustomization"}: fluxInventory,
	{Group: "helm.toolkit.fluxcd.io", Kind: "HelmRelease"}:        helmRelease,
	{Group: "fluxcd.controlplane.io", Kind: "ResourceSet"}:        fluxInventory,
	{Group: "fluxcd.controlplane.io", Kind: "FluxInstance"}:       fluxInventory,
	{Group: "argoproj.io", Kind: "Application"}:                   argoApplication,
	{Group: "cluster.x-k8s.io", Kind: "Cluster"}:                  capiCluster,
	{Group: "kpt.dev", Kind: "ResourceGroup"}:                     resourceGroup,
}

// fluxInventory reads the applied objects in status.inventory.entries.
func fluxInventory(_ context.Context, f *finder, u *unstructured.Unstructured) ([]observe.Target, error) {
	if f.isInOtherCluster(u) {
		return nil, nil
	}
	entries, err := entriesAt(u, "status.inventory.entries")
	if err != nil {
		return nil, err
	}
	var refs []status.ID
	for i, entry := range entries {
		r, err := parseInventoryID(decoded.Text(entry, "id"))
		if err != nil {
			return nil, fmt.Errorf("status.inventory.entries[%d].id: %w", i, err)
		}
		refs = append(refs, r)
	}
	return f.targets(refs, ""), nil
}

// isInOtherCluster reports and notes that the objects of a set are in another
// cluster.
func (f *finder) isInOtherCluster(u *unstructured.Unstructured) bool {
	if decoded.At(u.Object, "spec", "kubeConfig") == nil {
		return false
	}
	f.note("%s: its objects are in another cluster, by spec.kubeConfig", nameOf(u))
	return true
}

// helmRelease reads the inventory of newer controllers, or else the installed
// release. It returns nothing before the first release.
func helmRelease(ctx context.Context, f *finder, u *unstructured.Unstructured) ([]observe.Target, error) {
	if decoded.At(u.Object, "status", "inventory", "entries") != nil || decoded.At(u.Object, "spec", "kubeConfig") != nil {
		return fluxInventory(ctx, f, u)
	}
	history, err := entriesAt(u, "status.history")
	if err != nil || len(history) == 0 {
		return nil, err
	}
	o := Owner{TypeHelm, decoded.Text(u.Object, "status", "storageNamespace"), decoded.Text(history[0], "name")}
	if o.Namespace == "" {
		o.Namespace = u.GetNamespace()
	}
	if o.Name == "" {
		return nil, errors.New("status.history[0].name: want the name of a release, have none")
	}
	all, revision, err := f.releaseObjects(ctx, o)
	if err != nil {
		return all, fmt.Errorf("%s: %w", o, err)
	}
	if revision.Status != "deployed" {
		f.note("%s: its latest revision, %d, has the status %s", o, revision.Number, revision.Status)
	}
	return all, nil
}

// inCluster lists the server addresses that Argo CD uses for its own cluster.
var inCluster = map[string]bool{"https://kubernetes.default.svc": true, "https://kubernetes.default.svc.cluster.local": true}

// argoApplication reads status.resources, unless they are in another cluster.
// It omits hooks and objects that are to be pruned.
func argoApplication(_ context.Context, f *finder, u *unstructured.Unstructured) ([]observe.Target, error) {
	server, name := decoded.Text(u.Object, "spec", "destination", "server"), decoded.Text(u.Object, "spec", "destination", "name")
	here := inCluster[strings.TrimSuffix(server, "/")] || server == "" && (name == "in-cluster" || name == "")
	if !here && server != f.Config.Host {
		f.note("%s: its objects are in another cluster, by spec.destination", nameOf(u))
		return nil, nil
	}
	entries, err := entriesAt(u, "status.resources")
	if err != nil {
		return nil, err
	}
	var refs []status.ID
	for i, entry := range entries {
		if entry["hook"] == true || entry["requiresPruning"] == true {
			continue
		}
		r, err := refIn(entry, fmt.Sprintf("status.resources[%d]", i))
		if err != nil {
			return nil, err
		}
		refs = append(refs, r)
	}
	return f.targets(refs, decoded.Text(u.Object, "spec", "destination", "namespace")), nil
}

// resourceGroup reads an inventory of kpt: spec.resources.
func resourceGroup(_ context.Context, f *finder, u *unstructured.Unstructured) ([]observe.Target, error) {
	entries, err := entriesAt(u, "spec.resources")
	if err != nil {
		return nil, err
	}
	var refs []status.ID
	for i, entry := range entries {
		r, err := refIn(entry, fmt.Sprintf("spec.resources[%d]", i))
		if err != nil {
			return nil, err
		}
		refs = append(refs, r)
	}
	return f.targets(refs, u.GetNamespace()), nil
}

// refIn reads the object of an inventory entry. Errors name the entry by its
// path.
func refIn(entry map[string]any, path string) (status.ID, error) {
	kind := status.Kind{Group: decoded.Text(entry, "group"), Kind: decoded.Text(entry, "kind")}
	r := status.ID{Kind: kind, Namespace: decoded.Text(entry, "namespace"), Name: decoded.Text(entry, "name")}
	switch {
	case kind.Kind == "":
		return status.ID{}, fmt.Errorf("%s.kind: want a kind, have none", path)
	case r.Name == "":
		return status.ID{}, fmt.Errorf("%s.name: want a name, have none", path)
	}
	return r, nil
}
