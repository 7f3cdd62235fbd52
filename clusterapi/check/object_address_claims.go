package check

import (
	"slices"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

var (
	ipAddress      = status.Kind{Group: "ipam.cluster.x-k8s.io", Kind: "IPAddress"}
	ipAddressClaim = status.Kind{Group: "ipam.cluster.x-k8s.io", Kind: "IPAddressClaim"}
)

var addressClaims = &check{
	ID: "C-IP-1/object", Name: "address-claims", Severity: severity.Warning,
	Doc: `an IPAddress belongs to its claim and its pool, and pools belong to a cluster

The address has the name of its claim. The claim is its controller, with
blockOwnerDeletion; the pool is another owner. A finalizer protects the address. The
claim names the address in status.addressRef. clusterctl move leaves behind a pool
without the label of the cluster.`,
	Bundle: func(p *pass) {
		g := p.options.graphOf(p.Pass)
		for i, o := range p.Bundle.Objects {
			switch idOf(o).Kind {
			case ipAddress:
				p.address(i, o)
			case ipAddressClaim:
				p.claim(g, i, o)
			}
		}
		for _, o := range g.provided {
			if o.role == roles.IPPool && o.Namespace != "" && decoded.Text(o.raw, "metadata", "labels", clusterNameLabel) == "" {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       lint.Path{"metadata", "labels"},
					Message:    "clusterctl move leaves the pool behind: it lacks the label " + clusterNameLabel,
					Suggestion: "label it with the name of the cluster",
				})
			}
		}
	},
}

func (p *pass) address(i int, o map[string]any) {
	claim, pool := decoded.Text(o, "spec", "claimRef", "name"), decoded.Map(o, "spec", "poolRef")
	owners := lint.Path{"metadata", "ownerReferences"}
	if name := decoded.Text(o, "metadata", "name"); claim != name {
		p.ForObject(i).Report(lint.Finding{
			Path:       lint.Path{"metadata", "name"},
			Message:    "the name of the address differs from its claim " + quote(claim),
			Suggestion: "give it the name of the claim",
		})
	}
	if !hasBlockingOwner(o, "IPAddressClaim", claim, true) {
		p.ForObject(i).Report(lint.Finding{
			Path:       owners,
			Message:    "the claim is not the controller of the address with blockOwnerDeletion",
			Suggestion: "make the claim its controller",
		})
	}
	if !hasBlockingOwner(o, decoded.Text(pool, "kind"), decoded.Text(pool, "name"), false) {
		p.ForObject(i).Report(lint.Finding{
			Path:       owners,
			Message:    "the pool is not an owner of the address with blockOwnerDeletion and without controller",
			Suggestion: "add the pool as an owner",
		})
	}
	if len(decoded.List(o, "metadata", "finalizers")) == 0 {
		p.ForObject(i).Report(lint.Finding{
			Path:       lint.Path{"metadata", "finalizers"},
			Message:    "no finalizer protects the address",
			Suggestion: "add ipam.cluster.x-k8s.io/protect-address",
		})
	}
}

func hasBlockingOwner(o map[string]any, kind, name string, controller bool) bool {
	for _, owner := range decoded.Maps(o, "metadata", "ownerReferences") {
		if owner["kind"] == kind && owner["name"] == name && decoded.Bool(owner, "controller") == controller && decoded.Bool(owner, "blockOwnerDeletion") {
			return true
		}
	}
	return false
}

func (p *pass) claim(g *objectGraph, i int, o map[string]any) {
	name, namespace := decoded.Text(o, "metadata", "name"), decoded.Text(o, "metadata", "namespace")
	_, allocated := g.find(status.ID{Kind: ipAddress, Namespace: namespace, Name: name})
	if allocated && decoded.Text(o, "status", "addressRef", "name") != name {
		p.ForObject(i).Report(lint.Finding{
			Path:       path("status.addressRef"),
			Message:    "the claim has an address, but status.addressRef does not name it",
			Suggestion: "set status.addressRef",
		})
	}
	if decoded.Text(o, "spec", "clusterName") == "" && decoded.Text(o, "metadata", "labels", clusterNameLabel) == "" {
		p.ForObject(i).Report(lint.Finding{
			Path:       path("spec.clusterName"),
			Message:    "the claim names no cluster: it cannot be paused, and clusterctl move leaves it behind",
			Suggestion: "set spec.clusterName",
		})
	}
	if !slices.ContainsFunc(decoded.List(o, "metadata", "ownerReferences"), func(item any) bool {
		owner, _ := item.(map[string]any)
		return decoded.Bool(owner, "controller") && decoded.Bool(owner, "blockOwnerDeletion")
	}) {
		p.ForObject(i).Report(lint.Finding{
			Path:       lint.Path{"metadata", "ownerReferences"},
			Message:    "no machine is the controller of the claim with blockOwnerDeletion",
			Suggestion: "make the machine its controller",
		})
	}
}
