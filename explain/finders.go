package explain

import "kstatus.dev/status"

// A finder looks for causes of one sort at an object that is not there. It
// returns none where it sees none.
type finder func(n *node) []found

// The finders for each kind, in no order that matters.
var finders = map[status.Kind][]finder{
	pod: {imagePull, crashLoop},
}

// The finders for objects of any kind.
var findersOfAny = []finder{}

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
)

func findersOf(kind status.Kind) []finder {
	return append(finders[kind][:len(finders[kind]):len(finders[kind])], findersOfAny...)
}
