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
	job:         {jobFailed, formerPodFailed, notCreatedBy, suspended},
	cronJob:     {cronTrouble, notCreatedBy, suspended},
	claim:       {unboundClaim},

	resourceClaim: {devicesMissing},

	volume:     {volumeReclaimFailed},
	attachment: {volumeNotAttached},

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
var genericFinders = []finder{notFound, notServed, unreadable, apiErrors, certificateError, controllerSilent, providerFailed, openStackFailed, openStackUnresolved, clusterAPIPaused, awaitsApproval, statusAhead}

// The finders for objects that are being deleted.
var deletionFinders = []finder{heldByFinalizers, apiErrors, certificateError, clusterAPIPaused}

// The kinds whose Current mainly means that the object was accepted. They are explained
// even when Current, if requested.
var explainedWhenCurrent = map[status.Kind]bool{
	service: true, ingress: true, cronJob: true, resourceClaim: true,
	validatingWebhooks: true, mutatingWebhooks: true,
}

// The kinds that the controllers of a kind create, if they help to explain why the object
// is not ready. They are found by their owner references.
var partsOf = map[status.Kind][]status.Kind{
	deployment:  {replicaSet},
	replicaSet:  {pod},
	statefulSet: {pod, claim, {Group: "apps", Kind: "ControllerRevision"}},
	daemonSet:   {pod, {Group: "apps", Kind: "ControllerRevision"}},
	controller:  {pod},
	job:         {pod},
	cronJob:     {job},

	capiCluster:       {machineDeployment, machinePool},
	machineDeployment: {machineSet},
	machineSet:        {machine},
	{Group: controlGroup, Kind: "KubeadmControlPlane"}: {machine},

	certificate:        {certificateRequest},
	certificateRequest: {order},
	order:              {challenge},

	{Group: "pkg.crossplane.io", Kind: "Provider"}:         {{Group: "pkg.crossplane.io", Kind: "ProviderRevision"}},
	{Group: "pkg.crossplane.io", Kind: "ProviderRevision"}: {deployment},

	{Group: "serving.knative.dev", Kind: "Service"}:       {{Group: "serving.knative.dev", Kind: "Configuration"}, {Group: "serving.knative.dev", Kind: "Route"}},
	{Group: "serving.knative.dev", Kind: "Configuration"}: {{Group: "serving.knative.dev", Kind: "Revision"}},
	{Group: "serving.knative.dev", Kind: "Revision"}:      {deployment},

	{Group: "tekton.dev", Kind: "PipelineRun"}:             {{Group: "tekton.dev", Kind: "TaskRun"}},
	{Group: "tekton.dev", Kind: "TaskRun"}:                 {pod},
	{Group: "argoproj.io", Kind: "Rollout"}:                {replicaSet},
	{Group: "argoproj.io", Kind: "Workflow"}:               {pod},
	{Group: "jobset.x-k8s.io", Kind: "JobSet"}:             {job},
	{Group: "kubevirt.io", Kind: "VirtualMachine"}:         {{Group: "kubevirt.io", Kind: "VirtualMachineInstance"}},
	{Group: "kubevirt.io", Kind: "VirtualMachineInstance"}: {pod},
}

// The functions that find the references of an object, by kind.
var refsOf = map[status.Kind]func(*object) []objectRef{
	pod:   podRefs,
	claim: claimRefs,

	resourceClaim: deviceClassRefs,

	replicaSet:  createRefs,
	deployment:  createRefs,
	statefulSet: createRefs,
	daemonSet:   createRefs,
	controller:  createRefs,
	job:         createRefs,
	cronJob:     createRefs,

	ingress:            ingressRefs,
	autoscaler:         autoscalerRefs,
	apiService:         apiServiceRefs,
	crd:                webhookRefs,
	validatingWebhooks: webhookRefs,
	mutatingWebhooks:   webhookRefs,

	kustomization: fluxRefs,
	helmRelease:   fluxRefs,
	helmChart:     fluxRefs,
	{Group: fluxSources, Kind: "GitRepository"}:  fluxRefs,
	{Group: fluxSources, Kind: "OCIRepository"}:  fluxRefs,
	{Group: fluxSources, Kind: "HelmRepository"}: fluxRefs,
	{Group: fluxSources, Kind: "Bucket"}:         fluxRefs,

	snapshot:           snapshotRefs,
	capiCluster:        clusterRefs,
	application:        argoRefs,
	certificate:        issuerRefs,
	certificateRequest: issuerRefs,
	order:              issuerRefs,
	challenge:          issuerRefs,
	issuer:             issuerSecretRefs,
	externalSecret:     storeRefs,

	{Group: gatewayGroup, Kind: "Gateway"}:   gatewayRefs,
	{Group: gatewayGroup, Kind: "HTTPRoute"}: routeRefs,
	{Group: gatewayGroup, Kind: "GRPCRoute"}: routeRefs,
	{Group: gatewayGroup, Kind: "TLSRoute"}:  routeRefs,
	{Group: gatewayGroup, Kind: "TCPRoute"}:  routeRefs,
	{Group: gatewayGroup, Kind: "UDPRoute"}:  routeRefs,
}

// The lists that help to explain an object of a kind, in addition to its parts and
// references. They depend on the facts so far.
var listsOf = map[status.Kind]func(*object) []List{
	pod:           podLists,
	claim:         volumeLists,
	resourceClaim: deviceLists,

	deployment: recreateLists,
	service:    serviceLists,
	ingress:    ingressLists,
	budget:     budgetLists,

	helmRelease:   releaseLists,
	machineHealth: watchedLists,
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
	case o.isDeleting() && o.ID.Kind == pod:
		return append([]finder{podHeld}, deletionFinders...)
	case o.isDeleting() && o.ID.Kind == namespace:
		return append([]finder{namespaceHeld}, deletionFinders...)
	case o.isDeleting():
		return deletionFinders
	case o.isDone():
		return slices.Concat(finders[o.ID.Kind], []finder{controllerSilent})
	}
	return slices.Concat(finders[o.ID.Kind], genericFinders)
}
