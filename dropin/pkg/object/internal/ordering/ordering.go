// Package ordering has the order in which objects are applied.
package ordering

import (
	"cmp"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin/pkg/object"
)

// first are the kinds that are applied before all others, in order.
var first = []schema.GroupKind{
	{Group: "", Kind: "Namespace"},
	{Group: "", Kind: "ResourceQuota"},
	{Group: "storage.k8s.io", Kind: "StorageClass"},
	{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"},
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"},
	{Group: "", Kind: "ServiceAccount"},
	{Group: "extensions", Kind: "PodSecurityPolicy"},
	{Group: "policy", Kind: "PodSecurityPolicy"},
	{Group: "rbac.authorization.k8s.io", Kind: "Role"},
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"},
	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"},
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"},
	{Group: "", Kind: "ConfigMap"},
	{Group: "", Kind: "Secret"},
	{Group: "", Kind: "Service"},
	{Group: "", Kind: "LimitRange"},
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"},
	{Group: "extensions", Kind: "Deployment"},
	{Group: "apps", Kind: "Deployment"},
	{Group: "apps", Kind: "StatefulSet"},
	{Group: "batch", Kind: "CronJob"},
	{Group: "policy", Kind: "PodDisruptionBudget"},
}

// ranks has a number for each kind with a place: below zero before all others, above zero after.
var ranks = func() map[schema.GroupKind]int {
	m := map[schema.GroupKind]int{
		{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}: 1,
	}
	for i, kind := range first {
		m[kind] = i - len(first)
	}
	return m
}()

// Compare orders two objects: by the place of their kinds, then by group, kind, namespace and
// name.
func Compare(a, b object.ObjMetadata) int {
	return cmp.Or(
		cmp.Compare(ranks[a.GroupKind], ranks[b.GroupKind]),
		CompareNames(a, b),
	)
}

// CompareNames orders two objects by group, kind, namespace and name.
func CompareNames(a, b object.ObjMetadata) int {
	return cmp.Or(
		cmp.Compare(a.GroupKind.Group, b.GroupKind.Group),
		cmp.Compare(a.GroupKind.Kind, b.GroupKind.Kind),
		cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Name, b.Name),
	)
}
