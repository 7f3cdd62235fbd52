package explain

import (
	"slices"

	"kstatus.dev/status"
)

// A finder returns the causes of one sort at an object that is not ready.
type finder func(n *object) []finding

// The finders for each kind. Their order does not matter.
var finders = map[status.Kind][]finder{
	pod:         {imagePull, crashLoop, containerNotCreated, containerNotReady, readinessGateNotMet, unscheduled, volumeNotMounted, sandboxNotCreated, podEnded, nodeLost, resizing, pulling},
	deployment:  {notCreatedBy, paused, deadlineExceeded, warmingUp},
	replicaSet:  {notCreatedBy, warmingUp},
	controller:  {notCreatedBy, warmingUp},
	statefulSet: {rollbackTrap, notCreatedBy, warmingUp, onDelete, heldByPartition},
	daemonSet:   {notCreatedBy, warmingUp, onDelete},
	job:         {jobFailed, notCreatedBy, suspended},
	cronJob:     {cronTrouble, notCreatedBy, suspended},
	claim:       {unboundClaim},
	volume:      {volumeReclaimFailed},
	attachment:  {volumeNotAttached},

	service: {noEndpoints, targetPorts, loadBalancer},
	ingress: {ingressPorts, noIngressClass, latestWarning, ingressWithoutAddress},

	{Group: gatewayGroup, Kind: "Gateway"}:   {listenerRefused},
	{Group: gatewayGroup, Kind: "HTTPRoute"}: {routeRefused},
	{Group: gatewayGroup, Kind: "GRPCRoute"}: {routeRefused},
	{Group: gatewayGroup, Kind: "TLSRoute"}:  {routeRefused},
	{Group: gatewayGroup, Kind: "TCPRoute"}:  {routeRefused},
	{Group: gatewayGroup, Kind: "UDPRoute"}:  {routeRefused},
	gatewayClass:                             {gatewayClassNotAccepted},

	autoscaler:         {scaleTargetUnavailable, metricsUnavailable},
	apiService:         {apiUnavailable, bundleExpired},
	crd:                {crdRefused, bundleExpired},
	validatingWebhooks: {bundleExpired},
	mutatingWebhooks:   {bundleExpired},

	certificate: {certExpired},
	application: {argoFailed},

	machineHealth: {remediationNotAllowed},

	nodeKind:       {nodeTrouble},
	signingRequest: {requestNotSigned},
	quota:          {quotaExhausted},
	budget:         {evictionBlocked},

	kustomization: {fluxFailed},
	helmRelease:   {fluxFailed},
	helmChart:     {fluxFailed},
	{Group: fluxSources, Kind: "GitRepository"}:  {fluxFailed},
	{Group: fluxSources, Kind: "OCIRepository"}:  {fluxFailed},
	{Group: fluxSources, Kind: "HelmRepository"}: {fluxFailed},
	{Group: fluxSources, Kind: "Bucket"}:         {fluxFailed},
}

// The finders for objects of any kind.
var genericFinders = []finder{notFound, notServed, unreadable, apiErrors, certificateError, controllerSilent, providerFailed, openStackFailed, clusterAPIPaused}

// The finders for objects that are being deleted.
var deletionFinders = []finder{heldByFinalizers, apiErrors, certificateError, clusterAPIPaused}

// The kinds whose Current mainly means that the object was accepted. They are explained
// even when Current, if requested.
var explainedWhenCurrent = map[status.Kind]bool{
	service: true, ingress: true, cronJob: true,
	validatingWebhooks: true, mutatingWebhooks: true,
}

// The kinds that are named in this package.
var (
	pod         = status.Kind{Kind: "Pod"}
	replicaSet  = status.Kind{Group: "apps", Kind: "ReplicaSet"}
	deployment  = status.Kind{Group: "apps", Kind: "Deployment"}
	statefulSet = status.Kind{Group: "apps", Kind: "StatefulSet"}
	daemonSet   = status.Kind{Group: "apps", Kind: "DaemonSet"}
	controller  = status.Kind{Kind: "ReplicationController"}
	job         = status.Kind{Group: "batch", Kind: "Job"}
	cronJob     = status.Kind{Group: "batch", Kind: "CronJob"}
	claim       = status.Kind{Kind: "PersistentVolumeClaim"}
	volume      = status.Kind{Kind: "PersistentVolume"}
	attachment  = status.Kind{Group: "storage.k8s.io", Kind: "VolumeAttachment"}
	secret      = status.Kind{Kind: "Secret"}
	service     = status.Kind{Kind: "Service"}
	namespace   = status.Kind{Kind: "Namespace"}
	nodeKind    = status.Kind{Kind: "Node"}

	endpointSlice      = status.Kind{Group: "discovery.k8s.io", Kind: "EndpointSlice"}
	ingress            = status.Kind{Group: "networking.k8s.io", Kind: "Ingress"}
	ingressClass       = status.Kind{Group: "networking.k8s.io", Kind: "IngressClass"}
	validatingWebhooks = status.Kind{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}
	mutatingWebhooks   = status.Kind{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}
	apiService         = status.Kind{Group: "apiregistration.k8s.io", Kind: "APIService"}
	crd                = status.Kind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}
)

// finders returns the finders for an object. For an object that is being deleted, its
// readiness does not matter.
func (o *object) finders() []finder {
	switch {
	case o.isDeleting() && o.ID.GroupKind() == pod:
		return append([]finder{podHeld}, deletionFinders...)
	case o.isDeleting() && o.ID.GroupKind() == namespace:
		return append([]finder{namespaceHeld}, deletionFinders...)
	case o.isDeleting():
		return deletionFinders
	case o.isDone():
		return slices.Concat(finders[o.ID.GroupKind()], []finder{controllerSilent})
	}
	return slices.Concat(finders[o.ID.GroupKind()], genericFinders)
}
