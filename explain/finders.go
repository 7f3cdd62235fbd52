package explain

import (
	"slices"

	"kstatus.dev/status"
)

// A finder looks for causes of one sort at an object that is not there. It
// returns none where it sees none.
type finder func(n *node) []found

// The finders for each kind, in no order that matters.
var finders = map[status.Kind][]finder{
	pod: {imagePull, crashLoop},

	service: {noEndpoints, targetPorts, loadBalancer},
	ingress: {ingressPorts, noIngressClass},
}

// The finders for objects of any kind.
var findersOfAny = []finder{}

// The finders for objects that are being deleted.
var findersOfEnding = []finder{}

// The kinds whose Current says little more than that the object was accepted.
// They are looked into when they are asked about.
var saysLittle = map[status.Kind]bool{
	service: true, ingress: true,
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
	secret      = status.Kind{Kind: "Secret"}
	configMap   = status.Kind{Kind: "ConfigMap"}
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

// finders returns who looks for causes at an object. Of one that is being
// deleted it does not matter whether it is there.
func (n *node) finders() []finder {
	if n.Result.Status == status.TerminatingStatus {
		return findersOfEnding
	}
	return slices.Concat(finders[n.ID.GroupKind()], findersOfAny)
}
