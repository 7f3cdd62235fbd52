package explain

import "slices"

// A Kind documents one value of [Cause.Kind].
type Kind struct {
	Name    string
	Certain bool   // false: it repeats a report of trouble, and names no cause
	Doc     string // what it means, and where it is read
}

// Kinds returns the closed set of kinds of causes, in the order in which they
// are told where nothing else puts them in order. Names are stable.
func Kinds() []Kind { return slices.Clone(kinds) }

func kindIndex(name string) int {
	return slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
}

func kindNamed(name string) Kind {
	if i := kindIndex(name); i >= 0 {
		return kinds[i]
	}
	return Kind{Name: name}
}

var kinds = []Kind{
	{"RollbackTrap", true, "a Pod of a former template of a StatefulSet is not ready, and is not replaced until it is deleted"},
	{"ImageNotFound", true, "the registry does not have the image: the message of a container that waits for it"},
	{"ImageAccessDenied", true, "the registry denies access to an image, with the imagePullSecrets that were tried"},
	{"ImageRateLimited", true, "the registry limits how often images are pulled"},
	{"RegistryUnreachable", true, "a registry does not answer, or not as it should: name, connection, TLS"},
	{"ImageNeverPull", true, "an image is not on the node, and imagePullPolicy is Never"},
	{"InvalidImageName", true, "the name of an image is not valid"},
	{"ImagePlatform", true, "an image is not made for the platform of the node"},
	{"ImageSignature", true, "an image is refused for its signature"},
	{"NoDiskSpace", true, "an image does not fit on the disk of the node"},
	{"ImagePull", true, "an image cannot be pulled, for a reason that the message tells"},
	{"ReferenceMissing", true, "an object refers to one that does not exist"},
	{"KeyMissing", true, "a Secret or ConfigMap does not have the key that a Pod needs"},
	{"RunAsNonRoot", true, "a container is not to run as root, and would"},
	{"CreateContainerConfigError", true, "a container cannot be configured, for a reason that the message tells"},
	{"CreateContainerError", true, "a runtime cannot create a container, for a reason that the message tells"},
	{"StartError", true, "a runtime cannot start a container, mostly since its command is not there"},
	{"PostStartHook", true, "a container is ended since its postStart hook fails"},
	{"OutOfMemory", true, "a container is killed since it uses more memory than its limit"},
	{"LivenessProbe", true, "a container is killed by its kubelet since its liveness probe fails"},
	{"StartupProbe", true, "a container does not pass its startup probe, or is killed for that"},
	{"CrashLoop", true, "a container ends again and again: its last exit code or signal"},
	{"ContainerCompleted", true, "a container ends with success although it is to run on"},
	{"ContainerFailed", true, "a container has ended with an error: its exit code or signal"},
	{"ReadinessProbe", true, "a container runs and does not pass its readiness probe, with how it fails"},
	{"ReadinessGate", true, "the containers of a Pod are ready, but a readiness gate is not met"},
	{"InitContainerRunning", true, "an init container has not ended, and others wait for it"},
	{"SidecarNotStarted", true, "a sidecar has not started, and others wait for it"},
	{"Unschedulable", true, "no node fits a Pod: the message of the scheduler, by nodes and reasons"},
	{"SchedulingGated", true, "scheduling gates hold a Pod back"},
	{"SchedulerSilent", true, "the scheduler that a Pod names has said nothing about it"},
	{"ClaimUnbound", true, "a Pod waits for its claims to be bound, and nothing tells why they are not"},

	{"QuotaExceeded", true, "a ResourceQuota has no room left: what was requested, what is used, and the limit"},
	{"QuotaUnmet", true, "a ResourceQuota asks each container for requests or limits that it does not have"},
	{"LimitRange", true, "a Pod or a claim is outside of a LimitRange"},
	{"PodSecurity", true, "a Pod violates the Pod security standard of its namespace"},
	{"PolicyDenied", true, "an admission policy denies an object, by its name"},
	{"WebhookDenied", true, "an admission webhook denies an object, by its name"},
	{"AdmissionDenied", true, "the API server denies an object, for a reason that the message tells"},
	{"InvalidTemplate", true, "what a controller makes from its template is not valid"},
	{"FailedCreate", true, "a controller cannot create what it is to make, for a reason that the message tells"},

	{"NoDefaultStorageClass", true, "a claim names no StorageClass, and there is no default one"},
	{"NoVolumeFits", true, "no available volume fits a claim, and none is made for it"},
	{"VolumeMismatch", true, "a claim cannot be bound to the volume that it names"},
	{"ProvisionerSilent", true, "a provisioner is to make a volume and has not begun to"},
	{"ProvisioningFailed", true, "a provisioner cannot make a volume: its warning event"},
	{"VolumeLost", true, "the volume of a claim is gone"},
	{"VolumeResizeFailed", true, "a volume does not get the size or the class that its claim asks for"},
	{"VolumeReclaimFailed", true, "a volume cannot be reclaimed after its claim is gone"},
	{"MultiAttach", true, "a volume is still attached to another node, and may be attached to one only"},
	{"VolumeAttach", true, "a volume cannot be attached to a node"},
	{"VolumeMount", true, "a volume cannot be mounted into a Pod"},
	{"DevicesNotPrepared", true, "the devices that a Pod claims cannot be prepared on its node"},
	{"PodSandbox", true, "the sandbox of a Pod cannot be created: its network or its runtime"},

	{"Evicted", true, "a Pod was evicted, or is about to be, and why"},
	{"Preempted", true, "a Pod was ended for one of higher priority"},
	{"DeadlineExceeded", true, "a Pod or a Job has run longer than its activeDeadlineSeconds"},
	{"NodeShutdown", true, "a Pod ended with the shutdown of its node"},
	{"RejectedByNode", true, "a kubelet refused a Pod that was scheduled to its node"},
	{"NodeNotReady", true, "a node is not ready, in the words of its kubelet, or does not report on a Pod"},
	{"ResizePending", true, "the resources of a Pod are not yet those that it asks for: its node has no room, or cannot change them"},
	{"BackoffLimitExceeded", true, "a Job has given up after its Pods failed too often"},
	{"PodFailurePolicy", true, "a Job has failed by a rule of its podFailurePolicy"},
	{"FailedIndexes", true, "indexes of an indexed Job have failed"},
	{"MaxFailedIndexesExceeded", true, "more indexes of an indexed Job have failed than may"},
	{"JobFailed", true, "a Job has failed, for the reason of its condition"},
	{"InvalidSchedule", true, "the schedule or the time zone of a CronJob is not valid"},
	{"MissedSchedule", true, "a CronJob has missed starts"},

	{"ProgressDeadlineExceeded", true, "a rollout has made no progress in time, and nothing below it tells why"},
	{"Paused", true, "a rollout is paused, or all work on an object, since somebody has asked for that"},
	{"Suspended", true, "a Job or CronJob is suspended, or what an object waits for is"},
	{"JobAlreadyActive", true, "a CronJob starts no Job while one of the former runs"},
	{"OnDelete", true, "Pods of a former template stay until they are deleted by hand"},
	{"Partition", true, "a partition keeps Pods of a StatefulSet at the former template"},
	{"WaitForFirstConsumer", true, "a claim is bound once a Pod that uses it is scheduled, by design"},
	{"Provisioning", true, "a volume is being made for a claim"},
	{"MinReadySeconds", true, "Pods are ready and count as available only after a while"},
	{"ImagePulling", true, "an image is being pulled"},

	{"NamespaceMissing", true, "an object is to be in a namespace that does not exist"},
	{"NamespaceTerminating", true, "nothing new can be made in a namespace that is being deleted"},
	{"KindNotServed", true, "the cluster does not serve the kind of an object: its definition is missing, or serves other versions"},
	{"WebhookUnavailable", true, "an admission or conversion webhook cannot be called, in the words of the API server"},
	{"CertificateExpired", true, "a certificate is out of its time: its own dates, or the words of one who refused it"},
	{"NameConflict", true, "a name of a CustomResourceDefinition is taken by another one"},
	{"DefinitionRefused", true, "the API server does not serve a CustomResourceDefinition: its condition"},
	{"APIUnavailable", true, "an API that a Service answers for does not answer: the condition Available of its APIService"},
	{"NotFound", true, "an object that was asked about does not exist"},
	{"Unreadable", true, "an object that was asked about may not be read"},

	{"InUse", true, "a claim or a volume is being deleted and still used"},
	{"KubeletSilent", true, "the grace period of a Pod is over, and its kubelet has not told that its containers have ended"},
	{"GracePeriod", true, "a Pod is being deleted and still has time to end"},
	{"NamespaceDiscoveryFailed", true, "a namespace cannot be emptied, since an API does not answer"},
	{"NamespaceContentFailed", true, "a namespace cannot be emptied: the words of its controller"},
	{"FinalizerPending", true, "an object is being deleted and waits for a finalizer"},
	{"DependentsRemaining", true, "an object is being deleted in the foreground and its dependents are still there"},
	{"NamespaceContent", true, "a namespace is being deleted and still holds objects"},

	{"SelectorMatchesNoPod", true, "no Pod has the labels that a Service selects"},
	{"NoEndpoints", true, "a Service has no selector, and nobody has given it endpoints"},
	{"PortNotFound", true, "a port is named that its Service, or no container of its Pods, has"},
	{"NoReadyEndpoints", true, "none of the Pods that a Service selects is ready"},
	{"LoadBalancerFailed", true, "a controller cannot set up the load balancer of a Service: its warning event"},
	{"LoadBalancerUnclaimed", true, "a Service of type LoadBalancer has no address, and no controller has put a finalizer on it or told of it"},
	{"RouteNotAccepted", true, "a parent of a route does not accept it: its condition Accepted"},
	{"ReferenceNotPermitted", true, "no ReferenceGrant lets a route or a listener refer to another namespace"},
	{"ReferenceUnresolved", true, "a parent of a route says that a reference of it does not resolve"},
	{"ListenerRefused", true, "a listener of a Gateway is not set up: its conditions"},
	{"RequestMissing", true, "an autoscaler cannot count the use of a container that requests nothing"},
	{"MetricsUnavailable", true, "an autoscaler cannot read its metrics: its condition ScalingActive"},
	{"ScaleTargetUnavailable", true, "an autoscaler cannot find or change what it scales: its condition AbleToScale"},
	{"IngressClassMissing", true, "an Ingress names no class, and no class is the default"},

	{"NodeSilent", true, "the kubelet of a node does not report any more"},
	{"NodePressure", true, "a node is short of memory, disk space or process numbers, or its network is not set up"},
	{"QuotaExhausted", true, "a quota leaves nothing of a resource"},
	{"EvictionBlocked", true, "a disruption budget lets no Pod be evicted"},
	{"ApprovalPending", true, "nobody has approved a request for a certificate"},
	{"SourceFailed", true, "a source of Flux cannot be fetched: its condition Ready"},
	{"BuildFailed", true, "the manifests of a Kustomization cannot be built: its condition Ready"},
	{"ApplyFailed", true, "a delivery tool could not apply an object: its own words"},
	{"ProviderFailed", true, "a provider of Cluster API has met an error: its failure message or a condition that it calls an error"},
	{"ControllerSilent", true, "no controller has looked at an object, or at its latest change"},
	{"AddressMissing", false, "an Ingress has no address, which not every controller publishes"},
	{"Reported", false, "its controller says that something is wrong, and nothing else tells why"},
	{"Unexplained", false, "nothing that was seen explains why it is not there"},
}
