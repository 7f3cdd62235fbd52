// Package manifest writes the manifests of the objects that tests of the engine watch, as text.
// Callers join several with a line "---". A container is given by its fields without the name,
// such as [Runs].
package manifest

import (
	"strconv"
	"strings"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Runs is a container whose image can be pulled, and which becomes ready at once.
const Runs = "image: registry.example.com/c"

// Object is an object with just a name. Callers append more fields as lines.
func Object(apiVersion, kind, name string) string {
	return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: " + name + "}\n"
}

// ConfigMap is a ConfigMap without data.
func ConfigMap(name string) string { return Object("v1", "ConfigMap", name) }

// Namespace is a Namespace without labels.
func Namespace(name string) string { return Object("v1", "Namespace", name) }

// Deployment is a Deployment of one Pod with one container. The Pods have the label app with
// the name as its value. They have the given annotations, such as "kstatus.dev/pod: slow".
// Deleted Pods end at once.
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

// Job is a Job that runs for some seconds, and is removed ttl seconds after its end.
func Job(name string, seconds, ttl int) string {
	return Object("batch/v1", "Job", name) + `spec:
  ttlSecondsAfterFinished: ` + strconv.Itoa(ttl) + `
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, ` + Runs + `, command: [sleep, "` + strconv.Itoa(seconds) + `"]}]
`
}

// Target returns the target for an object of a manifest.
func Target(group, kind, namespace, name string) observe.Target {
	return observe.Target{Kind: status.Kind{Group: group, Kind: kind}, Namespace: namespace, Name: name}
}
