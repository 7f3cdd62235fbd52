package explain

import (
	"strings"

	"kstatus.dev/status"
)

// The workloads by which well-known controllers are usually run, by the API group
// or the domain that is theirs. One that runs elsewhere is not found there, which
// proves nothing. Those of Kubernetes' own control plane are not among them: it
// runs where a cluster may not show it.
var controllers = []struct {
	domain string
	kind   status.Kind
	at     string // namespace/name
}{
	{"cert-manager.io", deployment, "cert-manager/cert-manager"},
	{"external-secrets.io", deployment, "external-secrets/external-secrets"},
	{"externalsecrets.io", deployment, "external-secrets/external-secrets"},
	{"kustomize.toolkit.fluxcd.io", deployment, "flux-system/kustomize-controller"},
	{"helm.toolkit.fluxcd.io", deployment, "flux-system/helm-controller"},
	{"source.toolkit.fluxcd.io", deployment, "flux-system/source-controller"},
	{"notification.toolkit.fluxcd.io", deployment, "flux-system/notification-controller"},
	{"argocd.argoproj.io", statefulSet, "argocd/argocd-application-controller"},
	{"pkg.crossplane.io", deployment, "crossplane-system/crossplane"},
	{"apiextensions.crossplane.io", deployment, "crossplane-system/crossplane"},
	{"cluster.x-k8s.io", deployment, "capi-system/capi-controller-manager"},
	{"bootstrap.cluster.x-k8s.io", deployment, "capi-kubeadm-bootstrap-system/capi-kubeadm-bootstrap-controller-manager"},
	{"controlplane.cluster.x-k8s.io", deployment, "capi-kubeadm-control-plane-system/capi-kubeadm-control-plane-controller-manager"},
	{"karpenter.sh", deployment, "kube-system/karpenter"},
	{"karpenter.k8s.aws", deployment, "kube-system/karpenter"},
	{"elbv2.k8s.aws", deployment, "kube-system/aws-load-balancer-controller"},
	{"ingress.k8s.aws", deployment, "kube-system/aws-load-balancer-controller"},
	{"service.k8s.aws", deployment, "kube-system/aws-load-balancer-controller"},
	{"keda.sh", deployment, "keda/keda-operator"},
	{"monitoring.coreos.com", deployment, "monitoring/prometheus-operator"},
	{"serving.knative.dev", deployment, "knative-serving/controller"},
	{"eventing.knative.dev", deployment, "knative-eventing/eventing-controller"},
	{"tekton.dev", deployment, "tekton-pipelines/tekton-pipelines-controller"},
	{"velero.io", deployment, "velero/velero"},
	{"postgresql.cnpg.io", deployment, "cnpg-system/cnpg-controller-manager"},
	{"metallb.io", deployment, "metallb-system/controller"},
	{"kubevirt.io", deployment, "kubevirt/virt-controller"},
	{"cdi.kubevirt.io", deployment, "cdi/cdi-deployment"},
	{"kueue.x-k8s.io", deployment, "kueue-system/kueue-controller-manager"},
	{"jobset.x-k8s.io", deployment, "jobset-system/jobset-controller-manager"},
	{"leaderworkerset.x-k8s.io", deployment, "lws-system/lws-controller-manager"},
	{"longhorn.io", daemonSet, "longhorn-system/longhorn-manager"},
	{"k8s.elastic.co", statefulSet, "elastic-system/elastic-operator"},
	{"projectcontour.io", deployment, "projectcontour/contour"},
	{"gateway.envoyproxy.io", deployment, "envoy-gateway-system/envoy-gateway"},
	{"cattle.io", deployment, "cattle-system/rancher"},
}

// controllerOf names the workload that usually works for an API group or the
// domain of a finalizer: the row that says most of it.
func (n *node) controllerOf(domain string) (id ID, ok bool) {
	longest := 0
	for _, c := range controllers {
		if len(c.domain) > longest && (domain == c.domain || strings.HasSuffix(domain, "."+c.domain)) {
			if c.domain == "cluster.x-k8s.io" && strings.HasPrefix(domain, "infrastructure.") {
				continue // providers run in namespaces of their own
			}
			at, name, _ := strings.Cut(c.at, "/")
			id, ok, longest = n.refer(c.kind, at, name), true, len(c.domain)
		}
	}
	return id, ok
}

// controllerGroup is the API group or domain whose controller works on an object.
func (n *node) controllerGroup() string {
	if n.ID.Group == "argoproj.io" && strings.HasPrefix(n.ID.Kind, "App") {
		return "argocd.argoproj.io"
	}
	return n.ID.Group
}

// alive is what is known of the workload that usually works for a domain, as evidence.
func (n *node) alive(domain string) []Evidence {
	id, ok := n.controllerOf(domain)
	if !ok {
		return nil
	}
	to := n.scene.find(id)
	switch {
	case to == nil:
		return nil
	case to.Object == nil && to.Result.Status == status.NotFoundStatus:
		return []Evidence{{From: FromLookup, Object: id, Value: "not found; it may run elsewhere"}}
	case to.Object == nil:
		return nil
	}
	return []Evidence{{From: FromLookup, Object: id, Value: bounded(string(to.Result.Status) + ": " + to.Result.Message)}}
}

// silent tells of an object that its controller has not looked at, and of what
// is known of that controller.
func silent(n *node) []found {
	switch n.Result.Reason {
	case "NotObserved", "LatestGenerationNotObserved":
	default:
		return nil
	}
	switch group := n.ID.Group; {
	case n.Object == nil:
		return nil
	case group == "apps", group == "batch", group == "autoscaling", group == "policy":
	case builtinGroup(group), !strings.Contains(group, "."):
		return nil
	}
	f := found{kind: "ControllerSilent", text: "no controller of " + n.ID.GroupKind().String() + " has looked at it", echo: true}
	if n.Result.Reason != "NotObserved" {
		f.text = "no controller of " + n.ID.GroupKind().String() + " has looked at its latest change"
		f.evidence = append(f.evidence, n.fields.evidence("metadata.generation"), n.fields.evidence("status.observedGeneration"))
	} else if len(n.under("status").m) == 0 {
		f.evidence = append(f.evidence, n.fields.evidence("status"))
	} else {
		f.evidence = append(f.evidence, n.fields.evidence("status.conditions"))
	}
	if id, ok := n.controllerOf(n.controllerGroup()); ok {
		f.next = []string{id.kubectl("get", id.typed()+"/"+id.Name)}
	}
	f.evidence = append(f.evidence, n.alive(n.controllerGroup())...)
	f.evidence = append(f.evidence, n.writers()...)
	return []found{f}
}

// writers tells who has written to an object besides its users, newest last, at
// most three.
func (n *node) writers() (all []Evidence) {
	for w := range n.each("metadata.managedFields") {
		if name := w.text("manager"); name != "" && len(all) < 3 {
			all = append(all, Evidence{From: FromStatus, Object: n.ID, Path: "." + w.path + "manager", Value: bounded(strings.TrimSpace(name + " " + w.text("time")))})
		}
	}
	return all
}

// controllerRefs is the workload that is to look at an object which nobody has
// looked at.
func (n *node) controllerRefs() []Ref {
	switch n.Result.Reason {
	case "NotObserved", "LatestGenerationNotObserved":
		if id, ok := n.controllerOf(n.controllerGroup()); ok {
			return []Ref{{ID: id, Optional: true, stays: true}}
		}
	}
	return nil
}
