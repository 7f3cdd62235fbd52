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

	{"SelectorMatchesNoPod", true, "no Pod has the labels that a Service selects"},
	{"NoEndpoints", true, "a Service has no selector, and nobody has given it endpoints"},
	{"PortNotFound", true, "a port is named that its Service, or no container of its Pods, has"},
	{"NoReadyEndpoints", true, "none of the Pods that a Service selects is ready"},
	{"LoadBalancerFailed", true, "a controller cannot set up the load balancer of a Service: its warning event"},
	{"LoadBalancerUnclaimed", true, "a Service of type LoadBalancer has no address, and no controller has put a finalizer on it or told of it"},
	{"IngressClassMissing", true, "an Ingress names no class, and no class is the default"},

	{"Reported", false, "its controller says that something is wrong, and nothing else tells why"},
	{"Unexplained", false, "nothing that was seen explains why it is not there"},
}
