// Package controllers has a table of controllers: the workload that usually runs
// each one, and the finalizers that it removes.
package controllers

import "strings"

// A Workload runs a controller.
type Workload struct {
	Kind      string // in the group apps
	Namespace string
	Name      string
}

// The usual workloads of well-known controllers, by their API group or domain. A
// controller may run elsewhere, so a missing workload proves nothing. The table lacks the
// control plane of Kubernetes, which may run outside of the cluster.
var workloads = []struct {
	domain string
	Workload
}{
	{"cert-manager.io", Workload{"Deployment", "cert-manager", "cert-manager"}},
	{"external-secrets.io", Workload{"Deployment", "external-secrets", "external-secrets"}},
	{"externalsecrets.io", Workload{"Deployment", "external-secrets", "external-secrets"}},
	{"kustomize.toolkit.fluxcd.io", Workload{"Deployment", "flux-system", "kustomize-controller"}},
	{"helm.toolkit.fluxcd.io", Workload{"Deployment", "flux-system", "helm-controller"}},
	{"source.toolkit.fluxcd.io", Workload{"Deployment", "flux-system", "source-controller"}},
	{"notification.toolkit.fluxcd.io", Workload{"Deployment", "flux-system", "notification-controller"}},
	{"argocd.argoproj.io", Workload{"StatefulSet", "argocd", "argocd-application-controller"}},
	{"pkg.crossplane.io", Workload{"Deployment", "crossplane-system", "crossplane"}},
	{"apiextensions.crossplane.io", Workload{"Deployment", "crossplane-system", "crossplane"}},
	{"cluster.x-k8s.io", Workload{"Deployment", "capi-system", "capi-controller-manager"}},
	{"bootstrap.cluster.x-k8s.io", Workload{"Deployment", "capi-kubeadm-bootstrap-system", "capi-kubeadm-bootstrap-controller-manager"}},
	{"controlplane.cluster.x-k8s.io", Workload{"Deployment", "capi-kubeadm-control-plane-system", "capi-kubeadm-control-plane-controller-manager"}},
	{"karpenter.sh", Workload{"Deployment", "kube-system", "karpenter"}},
	{"karpenter.k8s.aws", Workload{"Deployment", "kube-system", "karpenter"}},
	{"elbv2.k8s.aws", Workload{"Deployment", "kube-system", "aws-load-balancer-controller"}},
	{"ingress.k8s.aws", Workload{"Deployment", "kube-system", "aws-load-balancer-controller"}},
	{"service.k8s.aws", Workload{"Deployment", "kube-system", "aws-load-balancer-controller"}},
	{"keda.sh", Workload{"Deployment", "keda", "keda-operator"}},
	{"monitoring.coreos.com", Workload{"Deployment", "monitoring", "prometheus-operator"}},
	{"serving.knative.dev", Workload{"Deployment", "knative-serving", "controller"}},
	{"eventing.knative.dev", Workload{"Deployment", "knative-eventing", "eventing-controller"}},
	{"tekton.dev", Workload{"Deployment", "tekton-pipelines", "tekton-pipelines-controller"}},
	{"velero.io", Workload{"Deployment", "velero", "velero"}},
	{"postgresql.cnpg.io", Workload{"Deployment", "cnpg-system", "cnpg-controller-manager"}},
	{"metallb.io", Workload{"Deployment", "metallb-system", "controller"}},
	{"kubevirt.io", Workload{"Deployment", "kubevirt", "virt-controller"}},
	{"cdi.kubevirt.io", Workload{"Deployment", "cdi", "cdi-deployment"}},
	{"kueue.x-k8s.io", Workload{"Deployment", "kueue-system", "kueue-controller-manager"}},
	{"jobset.x-k8s.io", Workload{"Deployment", "jobset-system", "jobset-controller-manager"}},
	{"leaderworkerset.x-k8s.io", Workload{"Deployment", "lws-system", "lws-controller-manager"}},
	{"longhorn.io", Workload{"DaemonSet", "longhorn-system", "longhorn-manager"}},
	{"k8s.elastic.co", Workload{"StatefulSet", "elastic-system", "elastic-operator"}},
	{"projectcontour.io", Workload{"Deployment", "projectcontour", "contour"}},
	{"gateway.envoyproxy.io", Workload{"Deployment", "envoy-gateway-system", "envoy-gateway"}},
	{"cattle.io", Workload{"Deployment", "cattle-system", "rancher"}},
}

// For returns the usual workload of the controller of an API group, or of the domain of a
// finalizer. The row with the longest matching suffix counts.
func For(domain string) (w Workload, ok bool) {
	longest := 0
	for _, c := range workloads {
		if len(c.domain) > longest && (domain == c.domain || strings.HasSuffix(domain, "."+c.domain)) {
			if c.domain == "cluster.x-k8s.io" && strings.HasPrefix(domain, "infrastructure.") {
				continue // providers run in their own namespaces
			}
			w, ok, longest = c.Workload, true, len(c.domain)
		}
	}
	return w, ok
}
