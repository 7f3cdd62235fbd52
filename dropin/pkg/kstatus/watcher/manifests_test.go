package watcher_test

import "fmt"

// deploymentNamed returns a Deployment with one replica, which is available or not.
func deploymentNamed(name string, available int) string {
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

// replicaSetOf returns the ReplicaSet of a Deployment.
func replicaSetOf(of string, available int) string {
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

const (
	running  = "phase: Running, conditions: [{type: Ready, status: 'True'}]"
	pending  = "phase: Pending"
	crashing = `phase: Running, conditions: [{type: Ready, status: 'False'}], containerStatuses: [{name: c, restartCount: 5, ready: false, state: {waiting: {reason: CrashLoopBackOff, message: back-off 5m0s}}}]`
)

// podOf returns a Pod of a ReplicaSet or of a StatefulSet.
func podOf(kind, owner, app, status string) string {
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

// web returns a Deployment, its ReplicaSet and its Pod.
func web(name string, available int, pod string) []string {
	return []string{deploymentNamed(name, available), replicaSetOf(name, available), podOf("ReplicaSet", name+"-1", name, pod)}
}

// statefulSet returns a StatefulSet with one replica, which is ready or not.
func statefulSet(name string, ready int) string {
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {namespace: default, name: %[1]s, uid: uid-of-%[1]s, generation: 1}
spec: {replicas: 1, serviceName: %[1]s, selector: {matchLabels: {app: %[1]s}}}
status: {observedGeneration: 1, replicas: 1, readyReplicas: %[2]d, currentReplicas: 1, updatedReplicas: 1, currentRevision: r, updateRevision: r}
`, name, ready)
}
