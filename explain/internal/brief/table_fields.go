package brief

import "kstatus.dev/status"

// The fields of a Pod spec whose texts explanations read. A dot leads into a map and into the items of
// a list, * is any key of a map, and ** is everything below.
var podSpec = append([]string{
	"affinity.**", "dnsPolicy", "imagePullSecrets.name", "nodeName", "nodeSelector.*", "priorityClassName", "readinessGates.conditionType",
	"resourceClaims.**", "resources.**", "restartPolicy", "runtimeClassName", "schedulerName", "schedulingGates.name", "serviceAccountName", "tolerations.**",
	"topologySpreadConstraints.**",

	"volumes.name", "volumes.configMap.name", "volumes.configMap.items.key", "volumes.csi.driver", "volumes.csi.nodePublishSecretRef.name",
	"volumes.emptyDir.sizeLimit", "volumes.ephemeral.volumeClaimTemplate.spec.storageClassName", "volumes.persistentVolumeClaim.claimName",
	"volumes.projected.sources.configMap.name", "volumes.projected.sources.configMap.items.key", "volumes.projected.sources.secret.name",
	"volumes.projected.sources.secret.items.key", "volumes.secret.secretName", "volumes.secret.items.key",
}, append(append(under("containers", container), under("initContainers", container)...), under("ephemeralContainers", container)...)...)

// The fields of a container. The values of variables are not read, nor are arguments.
var container = append(append(append([]string{
	"name", "image", "imagePullPolicy", "restartPolicy", "workingDir", "ports.name", "ports.protocol", "resources.**",
	"env.name", "env.valueFrom.configMapKeyRef.name", "env.valueFrom.configMapKeyRef.key", "env.valueFrom.fieldRef.fieldPath",
	"env.valueFrom.secretKeyRef.name", "env.valueFrom.secretKeyRef.key", "envFrom.prefix", "envFrom.configMapRef.name", "envFrom.secretRef.name",
	"volumeMounts.name", "volumeMounts.mountPath", "volumeMounts.subPath",
}, under("lifecycle.postStart", handler)...), under("lifecycle.preStop", handler)...), probes...)

var probes = append(append(under("livenessProbe", handler), under("readinessProbe", handler)...), under("startupProbe", handler)...)

// The fields of a probe or a hook.
var handler = []string{"exec.command", "grpc.service", "httpGet.host", "httpGet.path", "httpGet.port", "httpGet.scheme", "tcpSocket.host", "tcpSocket.port"}

// The fields of a template of Pods.
var podTemplate = append(under("spec", podSpec), "metadata.labels.*", "metadata.name")

// The fields of a controller of Pods.
var workload = append(under("spec.template", podTemplate), selector...)

var selector = []string{"spec.selector.matchLabels.*", "spec.selector.matchExpressions.**"}

// The fields of a claim for storage.
var claimSpec = []string{
	"accessModes", "dataSource.*", "dataSourceRef.*", "resources.**", "selector.**", "storageClassName", "volumeAttributesClassName", "volumeMode", "volumeName",
}

// The fields of a claim for devices.
var deviceSpec = []string{"devices.requests.**", "devices.constraints.**"}

// The fields that configure webhooks.
var webhooks = []string{
	"webhooks.name", "webhooks.failurePolicy", "webhooks.clientConfig.caBundle", "webhooks.clientConfig.service.*", "webhooks.rules.**", "webhooks.namespaceSelector.**",
	"webhooks.objectSelector.**",
}

// reads has, by kind, the fields whose texts explanations read, beside the metadata and the status.
// Of another kind they read no other field, or, if it is not a kind of Kubernetes, only references.
var reads = map[status.Kind][]string{
	{Kind: "Namespace"}:             {"spec.finalizers"},
	{Kind: "Node"}:                  {"spec.taints.*", "spec.providerID"},
	{Kind: "PersistentVolume"}:      {"spec.accessModes", "spec.capacity.*", "spec.claimRef.*", "spec.csi.driver", "spec.nodeAffinity.**", "spec.persistentVolumeReclaimPolicy", "spec.storageClassName", "spec.volumeMode"},
	{Kind: "PersistentVolumeClaim"}: under("spec", claimSpec),
	{Kind: "Pod"}:                   under("spec", podSpec),
	{Kind: "ReplicationController"}: append(under("spec.template", podTemplate), "spec.selector.*"),
	{Kind: "ResourceQuota"}:         {"spec.hard.*", "spec.scopes", "spec.scopeSelector.**"},
	{Kind: "LimitRange"}:            {"spec.limits.**"},
	{Kind: "Service"}:               {"spec.clusterIP", "spec.externalName", "spec.loadBalancerClass", "spec.ports.name", "spec.ports.protocol", "spec.ports.targetPort", "spec.selector.*", "spec.type"},
	{Kind: "ServiceAccount"}:        {"imagePullSecrets.name", "secrets.name"},

	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:   webhooks,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}: webhooks,
	{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}: {
		"spec.group", "spec.names.*", "spec.scope", "spec.versions.name", "spec.conversion.strategy", "spec.conversion.webhook.clientConfig.caBundle",
		"spec.conversion.webhook.clientConfig.service.*",
	},
	{Group: "apiregistration.k8s.io", Kind: "APIService"}: {"spec.caBundle", "spec.group", "spec.service.*", "spec.version"},

	{Group: "apps", Kind: "ControllerRevision"}: under("data.spec.template", podTemplate),
	{Group: "apps", Kind: "DaemonSet"}:          append([]string{"spec.updateStrategy.**"}, workload...),
	{Group: "apps", Kind: "Deployment"}:         append([]string{"spec.strategy.**"}, workload...),
	{Group: "apps", Kind: "ReplicaSet"}:         workload,
	{Group: "apps", Kind: "StatefulSet"}: append(append([]string{
		"spec.podManagementPolicy", "spec.serviceName", "spec.updateStrategy.**", "spec.volumeClaimTemplates.metadata.name",
	}, under("spec.volumeClaimTemplates.spec", claimSpec)...), workload...),

	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}:           {"spec.scaleTargetRef.*", "spec.metrics.**"},
	{Group: "batch", Kind: "CronJob"}:                                 append([]string{"spec.concurrencyPolicy", "spec.schedule", "spec.timeZone"}, under("spec.jobTemplate.spec", jobSpec)...),
	{Group: "batch", Kind: "Job"}:                                     under("spec", jobSpec),
	{Group: "certificates.k8s.io", Kind: "CertificateSigningRequest"}: {"spec.signerName", "spec.usages"},
	{Group: "discovery.k8s.io", Kind: "EndpointSlice"}:                {"addressType", "endpoints.nodeName", "endpoints.targetRef.*", "ports.name", "ports.protocol"},

	{Group: "networking.k8s.io", Kind: "Ingress"}: {
		"spec.defaultBackend.**", "spec.ingressClassName", "spec.rules.host", "spec.rules.http.paths.backend.**", "spec.rules.http.paths.path", "spec.tls.hosts", "spec.tls.secretName",
	},
	{Group: "networking.k8s.io", Kind: "IngressClass"}:        {"spec.controller", "spec.parameters.*"},
	{Group: "policy", Kind: "PodDisruptionBudget"}:            append([]string{"spec.maxUnavailable", "spec.minAvailable"}, selector...),
	{Group: "resource.k8s.io", Kind: "DeviceClass"}:           {"spec.selectors.cel.expression"},
	{Group: "resource.k8s.io", Kind: "ResourceClaim"}:         under("spec", deviceSpec),
	{Group: "resource.k8s.io", Kind: "ResourceSlice"}:         {"spec.driver", "spec.nodeName", "spec.pool.name"},
	{Group: "storage.k8s.io", Kind: "StorageClass"}:           {"provisioner", "reclaimPolicy", "volumeBindingMode", "allowedTopologies.**"},
	{Group: "storage.k8s.io", Kind: "VolumeAttachment"}:       {"spec.attacher", "spec.nodeName", "spec.source.persistentVolumeName"},
	{Group: "resource.k8s.io", Kind: "ResourceClaimTemplate"}: under("spec.spec", deviceSpec),

	// Kinds of projects. Explanations also read their references.
	{Group: "argoproj.io", Kind: "Application"}:                         {"spec.destination.*"},
	{Group: "bitnami.com", Kind: "SealedSecret"}:                        {"spec.template.metadata.name"},
	{Group: "cert-manager.io", Kind: "Certificate"}:                     {"spec.secretName", "spec.issuerRef.*"},
	{Group: "cert-manager.io", Kind: "ClusterIssuer"}:                   {"spec.ca.secretName"},
	{Group: "cert-manager.io", Kind: "Issuer"}:                          {"spec.ca.secretName"},
	{Group: "cluster.x-k8s.io", Kind: "Cluster"}:                        {"spec.topology.class", "spec.topology.classNamespace", "spec.topology.classRef.*"},
	{Group: "external-secrets.io", Kind: "ExternalSecret"}:              {"spec.target.name"},
	{Group: "gateway.networking.k8s.io", Kind: "Gateway"}:               {"spec.gatewayClassName", "spec.listeners.name"},
	{Group: "gateway.networking.k8s.io", Kind: "GatewayClass"}:          {"spec.controllerName"},
	{Group: "helm.toolkit.fluxcd.io", Kind: "HelmRelease"}:              {"spec.targetNamespace"},
	{Group: "infrastructure.cluster.x-k8s.io", Kind: "OpenStackServer"}: {"spec.image.filter.name", "spec.image.id", "spec.image.imageRef.name"},
	{Group: "kustomize.toolkit.fluxcd.io", Kind: "Kustomization"}:       {"spec.healthChecks.*"},
	{Group: "secrets.doppler.com", Kind: "DopplerSecret"}:               {"spec.managedSecret.name"},
	{Group: "secrets.hashicorp.com", Kind: "VaultDynamicSecret"}:        {"spec.destination.name"},
	{Group: "secrets.hashicorp.com", Kind: "VaultPKISecret"}:            {"spec.destination.name"},
	{Group: "secrets.hashicorp.com", Kind: "VaultStaticSecret"}:         {"spec.destination.name"},
	{Group: "secrets.infisical.com", Kind: "InfisicalSecret"}:           {"spec.managedSecretReference.secretName"},
	{Group: "snapshot.storage.k8s.io", Kind: "VolumeSnapshot"}:          {"spec.source.persistentVolumeClaimName", "spec.source.volumeSnapshotContentName", "spec.volumeSnapshotClassName"},
	{Group: "spv.no", Kind: "AzureKeyVaultSecret"}:                      {"spec.output.secret.name"},
}

// The fields of a Job.
var jobSpec = append(append([]string{"completionMode", "podFailurePolicy.**", "podReplacementPolicy", "successPolicy.**"}, under("template", podTemplate)...),
	"selector.matchLabels.*", "selector.matchExpressions.**")

// custom are the fields that explanations read of every kind that is not a kind of Kubernetes.
var custom = append([]string{"spec.providerConfigRef.*", "spec.targetRef.*"}, selector...)

// under returns fields of a map.
func under(path string, fields []string) []string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = path + "." + f
	}
	return all
}
