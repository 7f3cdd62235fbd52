// Package manifest writes the manifests of the objects that tests of the engine watch, as
// text. Whoever needs several puts a line "---" between them. A container is told by its
// fields beside the name, such as [Runs].
package manifest

import (
	"strconv"
	"strings"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Runs is a container whose image can be pulled, and which is ready at once.
const Runs = "image: registry.example.com/c"

// Object is an object of which there is nothing but its name. More fields go on the lines that follow.
func Object(apiVersion, kind, name string) string {
	return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: " + name + "}\n"
}

// ConfigMap is a ConfigMap without data.
func ConfigMap(name string) string { return Object("v1", "ConfigMap", name) }

// Namespace is a Namespace without labels.
func Namespace(name string) string { return Object("v1", "Namespace", name) }

// Deployment is a Deployment of one Pod with one container. The Pods have the label app,
// which is the name, and the annotations if any are given, such as "kstatus.dev/pod: slow".
// They end as soon as they are deleted.
func Deployment(name, container string, annotations ...string) string {
	metadata := "labels: {app: " + name + "}"
	if len(annotations) > 0 {
		metadata += ", annotations: {" + strings.Join(annotations, ", ") + "}"
	}
	return Object("apps/v1", "Deployment", name) + `spec:
  selector: {matchLabels: {app: ` + name + `}}
  template:
    metadata: {` + metadata + `}
    spec: {terminationGracePeriodSeconds: 0, containers: [{name: c, ` + container + `}]}
`
}

// Job is a Job that runs for some seconds and is removed as many seconds later as ttl says.
func Job(name string, seconds, ttl int) string {
	return Object("batch/v1", "Job", name) + `spec:
  ttlSecondsAfterFinished: ` + strconv.Itoa(ttl) + `
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, ` + Runs + `, command: [sleep, "` + strconv.Itoa(seconds) + `"]}]
`
}

// Target is how an object that a manifest names is waited for.
func Target(group, kind, namespace, name string) observe.Target {
	return observe.Target{Kind: status.Kind{Group: group, Kind: kind}, Namespace: namespace, Name: name}
}
