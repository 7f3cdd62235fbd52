package main

import "kstatus.dev/kube/wiretest"

// troubledTypes are the types of testdata/cells, in addition to memoryTypes.
var troubledTypes = []wiretest.Resource{
	{Version: "v1", Kind: "PersistentVolume", Name: "persistentvolumes", ClusterScoped: true},
	{Group: "storage.k8s.io", Version: "v1", Kind: "StorageClass", Name: "storageclasses", ClusterScoped: true},
	{Version: "v1", Kind: "ResourceQuota", Name: "resourcequotas"},
	{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler", Name: "horizontalpodautoscalers"},
	{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition", Name: "customresourcedefinitions", ClusterScoped: true},
	{Group: "apiregistration.k8s.io", Version: "v1", Kind: "APIService", Name: "apiservices", ClusterScoped: true},
	{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "Gateway", Name: "gateways"},
	{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "GatewayClass", Name: "gatewayclasses", ClusterScoped: true},
	{Group: "helm.toolkit.fluxcd.io", Version: "v2", Kind: "HelmRelease", Name: "helmreleases"},
	{Group: "argoproj.io", Version: "v1alpha1", Kind: "Application", Name: "applications"},
	{Group: "cert-manager.io", Version: "v1", Kind: "Certificate", Name: "certificates"},
	{Group: "cert-manager.io", Version: "v1", Kind: "ClusterIssuer", Name: "clusterissuers", ClusterScoped: true},
	{Group: "example.com", Version: "v1", Kind: "Oven", Name: "ovens"},
}

// troubledCommands are the commands, with the parts of an answer that they show about Current objects
// and about others.
var troubledCommands = []struct {
	name, current, others string
	isOfNamespace         bool // it reads one namespace, and no cluster-scoped objects
}{
	// get prints verdicts. Their causes need events, which explain reads.
	{name: "get NAME", current: "warnings", others: "warnings"},
	{name: "get TYPE", current: "warnings", others: "warnings"},
	{name: "get", current: "warnings", others: "warnings", isOfNamespace: true},
	{name: "get NAME --local", current: "warnings", others: "warnings"},
	{name: "get TYPE --local", current: "warnings", others: "warnings"},
	{name: "get --local, a List", current: "warnings", others: "warnings"},
	{name: "get --local, lines", current: "warnings", others: "warnings"},

	{name: "explain NAME", current: "warnings cause", others: "warnings cause"},
	{name: "explain TYPE", current: "warnings cause", others: "warnings cause"},
	{name: "explain", current: "warnings cause", others: "warnings cause", isOfNamespace: true},
	{name: "explain NAME --local", current: "warnings cause", others: "warnings cause"},
	{name: "explain TYPE --local", current: "warnings cause", others: "warnings cause"},
	{name: "explain --local, a List", current: "warnings cause", others: "warnings cause"},
	{name: "explain --local, lines", current: "warnings cause", others: "warnings cause"},

	// The overview has one text for each object.
	{name: "overview", current: "warnings", others: "cause", isOfNamespace: true},
	{name: "overview -A", current: "warnings", others: "cause"},

	// A wait explains objects that do not meet their goals, and warns of the others.
	{name: "wait", current: "warnings", others: "cause"},
	{name: "wait -o json", current: "warnings", others: "warnings cause"},
	{name: "replay", current: "warnings", others: "cause"},
	{name: "replay -o json", current: "warnings", others: "warnings cause"},
	{name: "replay by get", current: "warnings", others: "warnings"},
	{name: "replay by explain", current: "warnings", others: "warnings cause"},
}

// troubledExceptions are answers that differ on purpose. An empty answer means that the command does
// not show the object.
var troubledExceptions = []struct {
	commands []string
	of       string
	want     cell
	why      string
}{
	{commands: []string{"get"}, of: "configmap/kept", why: "a list of each kind without a status would be a dozen more requests; explain and the overview send them"},
	{
		commands: []string{"wait", "wait -o json", "replay", "replay -o json", "replay by get", "replay by explain"}, of: "pod/big",
		want: cell{"Failed", "", "0/2 nodes fit: 2 with insufficient memory"}, why: "--grace 0 makes a failure that may recover count at once",
	},
	{
		commands: []string{"get NAME --local", "get TYPE --local", "get --local, a List", "get --local, lines", "explain NAME --local"}, of: "ingress/safe",
		want: cell{status: "Current"}, why: "dumps often have no Secrets, so one that a dump lacks may exist",
	},
	{commands: []string{"explain TYPE --local", "explain --local, a List", "explain --local, lines"}, of: "ingress/safe", why: "the same; Current objects without a warning are left out"},
}

// troubledObjects are objects of testdata/cells, with the answer about each.
var troubledObjects = []struct {
	of              string
	isClusterScoped bool
	want            cell
}{
	{of: "deployment/web", want: cell{"Failed", "", `container "app" exits with code 3 right after start`}},
	{of: "deployment/front", want: cell{"Failed", "", "image front:1 does not exist in its registry"}},
	{of: "deployment/heavy", want: cell{"Failed", "", "ResourceQuota small is exceeded: requested cpu=2, used cpu=1, limited to cpu=2"}},
	{of: "deployment/late", want: cell{"Failed", "", "unknown; last message: container app runs, but is not ready yet"}},
	{of: "deployment/frozen", want: cell{"Current", "paused: no Pods are created until kubectl rollout resume", "its rollout is paused"}},
	{of: "statefulset/db", want: cell{"Failed", "", `container "app" exits with code 3 right after start`}},
	{of: "statefulset/line", want: cell{"Failed", "", "Pod line-0 runs an earlier template and is not ready; it is not replaced until it is ready or deleted"}},
	{of: "statefulset/cache", want: cell{"Failed", "", "ResourceQuota small is exceeded: requested cpu=2, used cpu=1, limited to cpu=2"}},
	{of: "daemonset/log", want: cell{"Failed", "", `container "app" exits with code 3 right after start`}},
	{of: "daemonset/agent", want: cell{"Current", "1 nodes run one of its Pods but should not (numberMisscheduled)", ""}},
	{of: "daemonset/gpu", want: cell{"Current", "it runs no Pod, because no node matches", ""}},
	{of: "replicaset/bare", want: cell{"Failed", "", `container "app" exits with code 3 right after start`}},
	{of: "job/migrate", want: cell{"Failed", "", `container "app" exits with code 3 right after start`}},
	{of: "job/retry", want: cell{"InProgress", "", `container "app" exits with code 3 right after start`}},
	{of: "job/hold", want: cell{"Current", "it is suspended", "it is suspended"}},
	{of: "job/denied", want: cell{"Failed", "", "serviceaccount shop/robot not found"}},
	{of: "cronjob/nightly", want: cell{"Current", "its last Job failed, and none has succeeded; its last run, of 2026-01-01T12:00:00Z, has not succeeded", `container "app" exits with code 4 right after start`}},
	{of: "pod/big", want: cell{"Failing", "", "0/2 nodes fit: 2 with insufficient memory"}},
	{of: "pod/hungry", want: cell{"Failed", "", `container "app" is killed because it runs out of memory`}},
	{of: "pod/unset", want: cell{"Failed", "", "configmap shop/settings not found"}},
	{of: "pod/evicted", want: cell{"Failed", "", "it was evicted from its node"}},
	{of: "pod/stuck", want: cell{"Terminating", "", "waiting for finalizer example.com/hold to be removed by a controller of example.com (inferred from its name)"}},
	{of: "service/named", want: cell{"Current", `no container of its Pods has a port named "metrics"`, `service shop/named: no container of its Pods has a port named "metrics"`}},
	{of: "service/lost", want: cell{"Current", "selects no Pod: none has app=nobody", "service shop/lost selects no Pod: none has app=nobody"}},
	{of: "ingress/edge", want: cell{"Current", "IngressClass nope does not exist; Service vanished, a backend of it, does not exist", "ingressclass nope not found"}},
	{of: "poddisruptionbudget/strict", want: cell{"Current", "it allows no eviction", "PodDisruptionBudget shop/strict allows no eviction"}},
	{of: "horizontalpodautoscaler/scaler", want: cell{"Failed", "", "apiservice v1beta1.metrics.k8s.io not found"}},
	{of: "gateway/gate", want: cell{"InProgress", "", "No addresses have been assigned to the Gateway"}},
	{of: "node/n1", isClusterScoped: true, want: cell{"Current", "MemoryPressure: kubelet has insufficient memory available", "node n1 has MemoryPressure: kubelet has insufficient memory available"}},
	{of: "node/n2", isClusterScoped: true, want: cell{"Failed", "", "node n2 is not ready: container runtime is down"}},
	{of: "persistentvolumeclaim/data", want: cell{"InProgress", "", "unknown; last message: waiting for an available volume that fits, or for a default StorageClass"}},
	{of: "persistentvolumeclaim/grow", want: cell{"InProgress", "", "its volume is resized, and its file system grows when a Pod that uses it starts, or on the node of a running one"}},
	{of: "persistentvolume/left", isClusterScoped: true, want: cell{"Current", "its reclaim policy is Retain: a user has to free or delete it", ""}},
	{of: "namespace/gone", isClusterScoped: true, want: cell{"Terminating", "", "objects in it wait for finalizer example.com/hold of a controller of example.com (inferred from its name) on 1 object"}},
	{of: "configmap/kept", want: cell{"Terminating", "", "waiting for finalizer example.com/hold to be removed by a controller of example.com (inferred from its name)"}},
	{of: "customresourcedefinition/pans.dup.example.com", isClusterScoped: true, want: cell{"Failed", "", `pans.dup.example.com is not served: "oven" is already in use`}},
	{of: "apiservice/v1.metrics.test", isClusterScoped: true, want: cell{"Failed", "", "service kube-system/metrics selects no Pod: none has app=metrics"}},
	{of: "oven/cold", want: cell{"Failed", "", "Ready is False: the coil is broken"}},
	{of: "oven/idle", want: cell{"Current", "it is suspended with a failure: ReportsFailure: Ready is False: no space left", ""}},
	{of: "oven/plain", want: cell{"Failed", "", "Ready is False: the door is open"}},
	{of: "oven/stale", want: cell{"InProgress", "", "latest generation not observed by the controller of Oven.example.com"}},
	{of: "helmrelease/chart", want: cell{"Current", "it is suspended with a failure: ReportsFailure: Ready is False: Helm upgrade failed for release shop/chart: timed out", "Helm upgrade failed for release shop/chart: timed out"}},
	{of: "application/store", want: cell{"Failed", "", `container "app" exits with code 3 right after start`}},
	{of: "certificate/tls", want: cell{"Failed", "", "Issuing is False: The certificate request has failed to complete and will be retried: the order is invalid"}},

	{of: "ingress/safe", want: cell{"Current", "Secret absent does not exist", "secret shop/absent not found"}},
	{of: "ingress/dark", want: cell{"Current", "Service lost, a backend of it: selects no Pod: none has app=nobody", "service shop/lost selects no Pod: none has app=nobody"}},
	{of: "cronjob/zoned", want: cell{"Current", `its time zone is unknown: "Mars/Base"`, `its time zone is unknown: "Mars/Base"`}},
	{of: "service/manual", want: cell{"Current", "has no selector, and no endpoints have been added", "service shop/manual has no selector, and no endpoints have been added"}},
	{of: "statefulset/canary", want: cell{"Current", "its partition keeps Pods at an earlier template", "Pods below canary-1 keep its earlier template (partition)"}},
	{of: "resourcequota/full", want: cell{"Current", "all 4 pods are used", "ResourceQuota shop/full has no pods left: all 4 are used"}},
	{of: "node/n3", isClusterScoped: true, want: cell{"Current", "ready, but cordoned (spec.unschedulable)", ""}},
}
