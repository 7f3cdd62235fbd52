package clustertest

import "fmt"

// Deployment returns a Deployment with one replica, which is available or not.
func Deployment(name string, available int) string {
	progress := "{type: Progressing, status: 'True', reason: NewReplicaSetAvailable}"
	if available == 0 {
		progress = "{type: Progressing, status: 'True', reason: ReplicaSetUpdated}"
	}
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: default, name: %[1]s, uid: uid-of-%[1]s, generation: 1, annotations: {deployment.kubernetes.io/revision: '1'}}
spec: {replicas: 1, progressDeadlineSeconds: 600, selector: {matchLabels: {app: %[1]s}}, template: {metadata: {labels: {app: %[1]s}}}}
status:
  observedGeneration: 1
  replicas: 1
  updatedReplicas: 1
  readyReplicas: %[2]d
  availableReplicas: %[2]d
  conditions: [%[3]s, {type: Available, status: '%[4]s'}]
`, name, available, progress, map[int]string{0: "False", 1: "True"}[available])
}

// ReplicaSet returns the ReplicaSet of a Deployment.
func ReplicaSet(of string, available int) string {
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  namespace: default
  name: %[1]s-1
  generation: 1
  labels: {app: %[1]s}
  annotations: {deployment.kubernetes.io/revision: '1'}
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: %[1]s, uid: uid-of-%[1]s, controller: true}]
spec: {replicas: 1, selector: {matchLabels: {app: %[1]s}}, template: {metadata: {labels: {app: %[1]s}}}}
status: {observedGeneration: 1, replicas: 1, fullyLabeledReplicas: 1, readyReplicas: %[2]d, availableReplicas: %[2]d}
`, of, available)
}

// Statuses of Pods.
const (
	Running  = "phase: Running, conditions: [{type: Ready, status: 'True'}]"
	Pending  = "phase: Pending"
	Crashing = `phase: Running, conditions: [{type: Ready, status: 'False'}], containerStatuses: [{name: c, restartCount: 5, ready: false, state: {waiting: {reason: CrashLoopBackOff, message: back-off 5m0s}}}]`
)

// Pod returns a Pod of a ReplicaSet or of a StatefulSet.
func Pod(kind, owner, app, status string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata:
  namespace: default
  name: %[2]s-x
  labels: {app: %[3]s}
  ownerReferences: [{apiVersion: apps/v1, kind: %[1]s, name: %[2]s, uid: uid-of-%[2]s, controller: true}]
spec: {restartPolicy: Always, containers: [{name: c, image: c}]}
status: {%[4]s}
`, kind, owner, app, status)
}

// Web returns a Deployment, its ReplicaSet and its Pod.
func Web(name string, available int, pod string) []string {
	return []string{Deployment(name, available), ReplicaSet(name, available), Pod("ReplicaSet", name+"-1", name, pod)}
}

// StatefulSet returns a StatefulSet with one replica, which is ready or not.
func StatefulSet(name string, ready int) string {
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {namespace: default, name: %[1]s, uid: uid-of-%[1]s, generation: 1}
spec: {replicas: 1, serviceName: %[1]s, selector: {matchLabels: {app: %[1]s}}}
status: {observedGeneration: 1, replicas: 1, readyReplicas: %[2]d, currentReplicas: 1, updatedReplicas: 1, currentRevision: r, updateRevision: r}
`, name, ready)
}

// ConfigMap returns a ConfigMap.
func ConfigMap(name string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: %s}}", name)
}

// Secret returns a Secret.
func Secret(name string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: Secret, metadata: {namespace: default, name: %s}}", name)
}

// Widget returns a Widget with a status.
func Widget(namespace, name, status string) string {
	return fmt.Sprintf("{apiVersion: example.com/v1, kind: Widget, metadata: {namespace: %s, name: %s, generation: 1}, status: {%s}}", namespace, name, status)
}

// Reported is the status of a Widget whose controller has reported that it is ready.
const Reported = "observedGeneration: 1, conditions: [{type: Ready, status: 'True'}]"

// Definition is the one of Widgets, which says that their controller reports the observed generation.
const Definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, properties: {status: {type: object, properties: {observedGeneration: {type: integer}, conditions: {type: array, items: {type: object}}}}}}}
`
