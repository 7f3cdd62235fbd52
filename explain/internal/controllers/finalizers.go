package controllers

import (
	"strings"

	"kstatus.dev/explain/internal/show"
)

// A Finalizer is a finalizer with its owner.
type Finalizer struct {
	Name  string // the whole name, or the part before a slash
	Owner string // the controller that removes it
	Until string // the documented condition for its removal, if any
}

// The well-known finalizers, those of Kubernetes first.
var finalizers = []Finalizer{
	{"foregroundDeletion", "the garbage collector", "its dependents are gone"},
	{"orphan", "the garbage collector", "its dependents are orphaned"},
	{"kubernetes", "the namespace controller", "the namespace is empty"},
	{"kubernetes.io/pvc-protection", "the volume protection of kube-controller-manager", "no Pod uses the claim"},
	{"kubernetes.io/pv-protection", "the volume protection of kube-controller-manager", "the volume is bound to no claim"},
	{"kubernetes.io/pv-controller", "kube-controller-manager", "the volume is deleted"},
	{"external-provisioner.volume.kubernetes.io/finalizer", "the provisioner of its CSI driver", "the volume is deleted in the storage"},
	{"external-attacher/", "the attacher of its CSI driver", "the volume is detached"},
	{"snapshot.storage.kubernetes.io/", "the snapshot controller", "no volume is being created from the snapshot, and it is deleted"},
	{"service.kubernetes.io/load-balancer-cleanup", "the service controller of the cloud", "the load balancer is removed"},
	{"gke.networking.io/", "the load balancer controller of GKE", "the load balancer is removed"},
	{"networking.gke.io/", "the load balancer controller of GKE", "the load balancer is removed"},
	{"batch.kubernetes.io/job-tracking", "the Job controller", "the Job has counted the Pod"},
	{"customresourcecleanup.apiextensions.k8s.io", "the API server", "all objects of the kind are gone"},
	{"resource.kubernetes.io/delete-protection", "the resource claim controller", "no Pod uses the claim"},

	{"finalizers.fluxcd.io", "Flux", "the objects that it applied are pruned"},
	{"resources-finalizer.argocd.argoproj.io", "Argo CD", "the objects that it applied are deleted"},
	{"post-delete-finalizer.argocd.argoproj.io", "Argo CD", "its hooks have run"},
	{"pre-delete-finalizer.argocd.argoproj.io", "Argo CD", "its hooks have run"},
	{"finalizer.managedresource.crossplane.io", "the Crossplane provider of its kind", "the external resource is deleted"},
	{"finalizer.apiextensions.crossplane.io", "Crossplane", "the composite resource is deleted"},
	{"composite.apiextensions.crossplane.io", "Crossplane", "its composed resources are deleted"},
	{"defined.apiextensions.crossplane.io", "Crossplane", "all composite resources of the kind are gone"},
	{"offered.apiextensions.crossplane.io", "Crossplane", "all claims of the kind are gone"},
	{"in-use.crossplane.io", "Crossplane", "nothing uses the provider configuration"},
	{"lock.pkg.crossplane.io", "Crossplane", ""},
	{"cluster.cluster.x-k8s.io", "Cluster API", "its machines, control plane and infrastructure are gone"},
	{"machine.cluster.x-k8s.io", "Cluster API", "its node is drained, and its infrastructure and bootstrap objects are gone"},
	{"cluster.x-k8s.io/machinedeployment", "Cluster API", "its machine sets are gone"},
	{"cluster.x-k8s.io/machineset", "Cluster API", "its machines are gone"},
	{"cluster.x-k8s.io/", "Cluster API", ""},
	{"kubeadm.controlplane.cluster.x-k8s.io", "the kubeadm control plane of Cluster API", "its machines are gone"},
	{"acme.cert-manager.io/finalizer", "cert-manager", "the challenge is cleaned up"},
	{"finalizer.acme.cert-manager.io", "cert-manager", "the challenge is cleaned up"},
	{"externalsecrets.external-secrets.io/", "External Secrets", "the Secret that it created is deleted"},
	{"pushsecret.externalsecrets.io/finalizer", "External Secrets", "the secret is deleted in its store"},
	{"karpenter.sh/termination", "Karpenter", "the node is drained and its instance is terminated"},
	{"karpenter.k8s.aws/termination", "Karpenter", "no NodeClaim uses it"},
	{"elbv2.k8s.aws/resources", "the AWS load balancer controller", "the target group is removed"},
	{"ingress.k8s.aws/resources", "the AWS load balancer controller", "the load balancer is removed"},
	{"group.ingress.k8s.aws/", "the AWS load balancer controller", "the load balancer is removed"},
	{"service.k8s.aws/resources", "the AWS load balancer controller", "the load balancer is removed"},
	{"finalizer.keda.sh", "KEDA", "its autoscaler is removed"},
	{"controller.cattle.io/", "Rancher", ""},
	{"wrangler.cattle.io/", "Rancher", ""},
	{"longhorn.io", "Longhorn", "its data is removed"},
	{"velero.io/", "Velero", ""},
	{"kubevirt.io/", "KubeVirt", ""},
	{"foregroundDeleteVirtualMachine", "KubeVirt", "the virtual machine has stopped"},
	{"kueue.x-k8s.io/", "Kueue", "nothing uses it"},
	{"strimzi.io/topic-operator", "the topic operator of Strimzi", "the topic is deleted in Kafka"},
}

// FinalizerNamed returns a finalizer with its owner. If it is not known, the owner is
// derived from the domain in its name.
func FinalizerNamed(name string) Finalizer {
	var best Finalizer
	for _, f := range finalizers {
		isPrefix := strings.Contains(f.Name, ".") && strings.HasPrefix(name, strings.TrimSuffix(f.Name, "/")+"/")
		if (name == f.Name || isPrefix) && len(f.Name) > len(best.Name) {
			best = f
		}
	}
	best.Name = name
	if best.Owner == "" {
		if domain := Domain(name); domain != "" {
			best.Owner = "a controller of " + show.Line(domain) + " (inferred from its name)"
		}
	}
	return best
}

// String describes the finalizer that a deletion waits for, its owner, and when the owner
// removes it.
func (f Finalizer) String() string {
	text := "waiting for finalizer " + show.Line(f.Name) + " to be removed"
	if f.Owner != "" {
		text += " by " + f.Owner
	}
	if f.Until != "" {
		text += " once " + f.Until
	}
	return text
}

// Domain returns the domain in a finalizer, or "".
func Domain(finalizer string) string {
	domain, _, _ := strings.Cut(finalizer, "/")
	if !strings.Contains(domain, ".") {
		return ""
	}
	return domain
}
