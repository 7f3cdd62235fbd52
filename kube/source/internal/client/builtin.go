package client

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/status"
)

// builtinKinds are the kinds of every API server, by group and version. Cluster-scoped kinds
// begin with a slash.
var builtinKinds = map[schema.GroupVersion]string{
	{Version: "v1"}: "ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount" +
		" /Namespace /Node /PersistentVolume",
	{Group: "admissionregistration.k8s.io", Version: "v1"}: "/MutatingWebhookConfiguration /ValidatingAdmissionPolicy /ValidatingAdmissionPolicyBinding /ValidatingWebhookConfiguration",
	{Group: "apiextensions.k8s.io", Version: "v1"}:         "/CustomResourceDefinition",
	{Group: "apiregistration.k8s.io", Version: "v1"}:       "/APIService",
	{Group: "apps", Version: "v1"}:                         "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
	{Group: "autoscaling", Version: "v2"}:                  "HorizontalPodAutoscaler",
	{Group: "batch", Version: "v1"}:                        "CronJob Job",
	{Group: "certificates.k8s.io", Version: "v1"}:          "/CertificateSigningRequest",
	{Group: "coordination.k8s.io", Version: "v1"}:          "Lease",
	{Group: "discovery.k8s.io", Version: "v1"}:             "EndpointSlice",
	{Group: "events.k8s.io", Version: "v1"}:                "Event",
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1"}: "/FlowSchema /PriorityLevelConfiguration",
	{Group: "networking.k8s.io", Version: "v1"}:            "Ingress NetworkPolicy /IPAddress /IngressClass /ServiceCIDR",
	{Group: "node.k8s.io", Version: "v1"}:                  "/RuntimeClass",
	{Group: "policy", Version: "v1"}:                       "PodDisruptionBudget",
	{Group: "rbac.authorization.k8s.io", Version: "v1"}:    "Role RoleBinding /ClusterRole /ClusterRoleBinding",
	{Group: "resource.k8s.io", Version: "v1"}:              "ResourceClaim ResourceClaimTemplate /DeviceClass /ResourceSlice",
	{Group: "scheduling.k8s.io", Version: "v1"}:            "/PriorityClass",
	{Group: "storage.k8s.io", Version: "v1"}:               "CSIStorageCapacity /CSIDriver /CSINode /StorageClass /VolumeAttachment",
}

// builtinMapping returns the mapping of a built-in kind; nil for others.
func builtinMapping(kind status.Kind) *meta.RESTMapping {
	for version, names := range builtinKinds {
		if version.Group != kind.Group {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			switch kind.Kind {
			case name:
				return mappingOf(version.WithKind(kind.Kind), "", true)
			case strings.TrimPrefix(name, "/"):
				return mappingOf(version.WithKind(kind.Kind), "", false)
			}
		}
	}
	return nil
}

// mappingOf returns the mapping of a kind. An empty plural means the regular one.
func mappingOf(kind schema.GroupVersionKind, plural string, namespaced bool) *meta.RESTMapping {
	resource, _ := meta.UnsafeGuessKindToResource(kind)
	if plural != "" {
		resource.Resource = plural
	}
	m := &meta.RESTMapping{Resource: resource, GroupVersionKind: kind, Scope: meta.RESTScopeRoot}
	if namespaced {
		m.Scope = meta.RESTScopeNamespace
	}
	return m
}
