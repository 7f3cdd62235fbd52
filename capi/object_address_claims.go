package capi

import (
	"slices"

	"kstatus.dev/lint"
)

var addressClaims = &check{
	ID: "C-IP-1/object", Name: "address-claims", Severity: lint.Warning,
	Doc: `an IPAddress belongs to its claim and its pool, and pools belong to a cluster

The address has the name of its claim, which is its controller and blocks its owner's
deletion; the pool is another owner; a finalizer protects it. The claim names the
address in status.addressRef. A pool without the label of the cluster is left behind by
clusterctl move.`,
	Bundle: func(p *pass) {
		g := p.options.graphOf(p.Pass)
		for i, o := range p.Bundle.Objects {
			switch r := refOf(o); {
			case r.group == "ipam.cluster.x-k8s.io" && r.kind == "IPAddress":
				p.address(i, o)
			case r.group == "ipam.cluster.x-k8s.io" && r.kind == "IPAddressClaim":
				p.claim(g, i, o)
			}
		}
		for _, o := range g.provided {
			if o.role == RoleIPPool && o.namespace != "" && text(o.raw, "metadata", "labels", clusterNameLabel) == "" {
				p.ReportOn(o.index, lint.Path{"metadata", "labels"}, "clusterctl move leaves the pool behind: it has no label "+clusterNameLabel, "label it with the name of the cluster", nil)
			}
		}
	},
}

func (p *pass) address(i int, o map[string]any) {
	claim, pool := text(o, "spec", "claimRef", "name"), object(o, "spec", "poolRef")
	owners := lint.Path{"metadata", "ownerReferences"}
	if name := text(o, "metadata", "name"); claim != name {
		p.ReportOn(i, lint.Path{"metadata", "name"}, "the address is not named like its claim "+quote(claim), "give it the name of the claim", nil)
	}
	if !blocks(o, "IPAddressClaim", claim, true) {
		p.ReportOn(i, owners, "the claim does not control the address, with blockOwnerDeletion", "make the claim its controller", nil)
	}
	if !blocks(o, text(pool, "kind"), text(pool, "name"), false) {
		p.ReportOn(i, owners, "the pool is no owner of the address, with blockOwnerDeletion and without controller", "add the pool as an owner", nil)
	}
	if len(list(o, "metadata", "finalizers")) == 0 {
		p.ReportOn(i, lint.Path{"metadata", "finalizers"}, "no finalizer protects the address", "add ipam.cluster.x-k8s.io/protect-address", nil)
	}
}

func blocks(o map[string]any, kind, name string, controller bool) bool {
	return slices.ContainsFunc(list(o, "metadata", "ownerReferences"), func(item any) bool {
		owner, _ := item.(map[string]any)
		return text(owner, "kind") == kind && text(owner, "name") == name && isTrue(owner, "controller") == controller && isTrue(owner, "blockOwnerDeletion")
	})
}

func (p *pass) claim(g *objectGraph, i int, o map[string]any) {
	name, namespace := text(o, "metadata", "name"), text(o, "metadata", "namespace")
	_, allocated := g.find(ref{"ipam.cluster.x-k8s.io", "IPAddress", namespace, name})
	if allocated && text(o, "status", "addressRef", "name") != name {
		p.ReportOn(i, path("status.addressRef"), "there is an address for the claim, and status.addressRef does not name it", "name it", nil)
	}
	if text(o, "spec", "clusterName") == "" && text(o, "metadata", "labels", clusterNameLabel) == "" {
		p.ReportOn(i, path("spec.clusterName"), "the claim says no cluster: it cannot be paused, and is left behind by clusterctl move", "set spec.clusterName", nil)
	}
	if !slices.ContainsFunc(list(o, "metadata", "ownerReferences"), func(item any) bool {
		owner, _ := item.(map[string]any)
		return isTrue(owner, "controller") && isTrue(owner, "blockOwnerDeletion")
	}) {
		p.ReportOn(i, lint.Path{"metadata", "ownerReferences"}, "no machine controls the claim, with blockOwnerDeletion", "make the machine its controller", nil)
	}
}
