package reference

import (
	"strings"

	"kstatus.dev/status"
)

// isIgnored reports whether a field looks like a reference and does not matter. Such
// fields name outputs, owners, or objects in another cluster. The name of the field is in
// lower case.
func isIgnored(field string) bool {
	switch field {
	case "noderef", "ownerref", "ownerrefs", "ownerreferences", "claimref", "compositeref", "compositionrevisionref", "privatekeysecretref":
		return true
	}
	return strings.HasPrefix(field, "write") || strings.HasPrefix(field, "output") || strings.HasPrefix(field, "publish") || strings.HasPrefix(field, "last")
}

// The kinds of fields that have only a name, by the name of the field in lower case.
var kindsByField = map[string]status.Kind{
	"scaletargetref":    {Group: "apps", Kind: "Deployment"},
	"pipelineref":       {Group: "tekton.dev", Kind: "Pipeline"},
	"taskref":           {Group: "tekton.dev", Kind: "Task"},
	"authenticationref": {Group: "keda.sh", Kind: "TriggerAuthentication"},
}

// The kinds of fields that hold a name, such as claimName, by the words before Name in lower case.
var kindsByName = map[string]status.Kind{
	"claim":                 {Kind: "PersistentVolumeClaim"},
	"persistentvolumeclaim": {Kind: "PersistentVolumeClaim"},
	"pvc":                   {Kind: "PersistentVolumeClaim"},
	"volumeclaim":           {Kind: "PersistentVolumeClaim"},
	"storageclass":          {Group: "storage.k8s.io", Kind: "StorageClass"},
}

// IsCore reports whether a kind without a group is in the core group.
func IsCore(kind string) bool {
	switch kind {
	case "Secret", "ConfigMap", "Service", "ServiceAccount", "PersistentVolumeClaim", "Namespace", "Node", "Pod":
		return true
	}
	return false
}

// coreKind returns the kind of the core group that a field refers to, or "". It depends
// on the end of the field's name in lower case.
func coreKind(field string) string {
	for _, of := range [...]struct{ suffix, kind string }{
		{"secretref", "Secret"}, {"secretkeyref", "Secret"}, {"secretrefs", "Secret"},
		{"configmapref", "ConfigMap"}, {"configmapkeyref", "ConfigMap"},
		{"serviceaccountref", "ServiceAccount"},
	} {
		if strings.HasSuffix(field, of.suffix) {
			return of.kind
		}
	}
	return ""
}

// Namespace returns the namespace of an object that is referred to from a namespace. It
// is empty for known cluster-scoped kinds.
func Namespace(kind, from string) string {
	if isClusterScoped(kind) {
		return ""
	}
	return from
}

func isClusterScoped(kind string) bool {
	switch kind {
	case "Namespace", "Node", "ClusterIssuer", "ClusterSecretStore", "ClusterGenerator", "IngressClass", "GatewayClass", "StorageClass", "CustomResourceDefinition", "Composition", "EC2NodeClass":
		return true
	}
	return false
}

// IsBuiltinGroup reports whether the API server itself serves a group.
func IsBuiltinGroup(group string) bool {
	switch group {
	case "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io",
		"authorization.k8s.io", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io",
		"flowcontrol.apiserver.k8s.io", "internal.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io",
		"rbac.authorization.k8s.io", "resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io":
		return true
	}
	return false
}
