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
	{"ImageNotFound", true, "the registry does not have the image: the message of a container that waits for it"},
	{"ImagePull", true, "an image cannot be pulled, for a reason that the message tells"},
	{"CrashLoop", true, "a container ends again and again: its last exit code or signal"},
	{"OutOfMemory", true, "a container is killed since it uses more memory than its limit"},
	{"ReferenceMissing", true, "an object refers to one that does not exist"},

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

	{"ControllerSilent", true, "no controller has looked at an object, or at its latest change"},
	{"Reported", false, "its controller says that something is wrong, and nothing else tells why"},
	{"Unexplained", false, "nothing that was seen explains why it is not there"},
}
