package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// brokenWorkloads returns a workload of each kind whose Pod crashes, with the Pod and with the
// objects between them.
func brokenWorkloads() string {
	const pod = `apiVersion: v1
kind: Pod
metadata:
  name: %[1]s-x
  namespace: shop
  uid: %[1]s-pod
  labels: {app: %[1]s, controller-revision-hash: r1, pod-template-hash: "1"}
  creationTimestamp: "2026-01-01T12:00:00Z"
  ownerReferences: [{apiVersion: %[2]s, kind: %[3]s, name: %[4]s, uid: %[4]s-uid, controller: true}]
spec: {nodeName: n1, containers: [{name: app, image: "%[1]s:1"}]}
status:
  phase: Running
  conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "False"}, {type: ContainersReady, status: "False"}, {type: Initialized, status: "True"}]
  containerStatuses:
  - {name: app, ready: false, restartCount: 7, state: {waiting: {reason: CrashLoopBackOff, message: back-off}}, lastState: {terminated: {exitCode: 3, reason: Error, startedAt: "2026-01-01T12:00:00Z", finishedAt: "2026-01-01T12:00:01Z"}}}
`
	const head = `apiVersion: %[2]s
kind: %[3]s
metadata: {name: %[1]s, namespace: shop, uid: %[1]s-uid, labels: {app: %[5]s}, generation: 1, creationTimestamp: "2026-01-01T12:00:00Z", annotations: {deployment.kubernetes.io/revision: "1"}%[4]s}
spec: {replicas: 1, selector: {matchLabels: {app: %[5]s}}, template: {metadata: {labels: {app: %[5]s}}, spec: {containers: [{name: app, image: "%[5]s:1"}]}}}
status:
`
	owned := `, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: web-uid, controller: true}]`
	return strings.Join([]string{
		fmt.Sprintf(head, "web", "apps/v1", "Deployment", "", "web") + "  {observedGeneration: 1, replicas: 1, updatedReplicas: 1, unavailableReplicas: 1, conditions: [{type: Available, status: \"False\"}]}\n",
		fmt.Sprintf(head, "web-1", "apps/v1", "ReplicaSet", owned, "web") + "  {observedGeneration: 1, replicas: 1, fullyLabeledReplicas: 1}\n",
		fmt.Sprintf(pod, "web", "apps/v1", "ReplicaSet", "web-1"),
		fmt.Sprintf(head, "db", "apps/v1", "StatefulSet", "", "db") + "  {observedGeneration: 1, replicas: 1, currentReplicas: 1, updatedReplicas: 1, currentRevision: r1, updateRevision: r1}\n",
		fmt.Sprintf(pod, "db", "apps/v1", "StatefulSet", "db"),
		fmt.Sprintf(head, "log", "apps/v1", "DaemonSet", "", "log") + "  {observedGeneration: 1, currentNumberScheduled: 1, desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberUnavailable: 1, numberMisscheduled: 0, numberReady: 0}\n",
		fmt.Sprintf(pod, "log", "apps/v1", "DaemonSet", "log"),
	}, "---\n")
}

// Files with the state of a cluster have the verdicts of the cluster.
func TestFilesHaveVerdictsOfCluster(t *testing.T) {
	objects := brokenWorkloads()
	c := newMemoryCluster(t, objects)
	list := "apiVersion: v1\nkind: List\nitems:\n"
	for text := range strings.SplitSeq(objects, "---\n") {
		list += "- " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
	}
	for _, of := range []string{"deployment/web", "replicaset/web-1", "statefulset/db", "daemonset/log"} {
		for _, verb := range []string{"get", "explain"} {
			live := firstVerdict(t, c.run("", verb, of, "-o", "json").out)
			if !strings.Contains(live, "CrashLoop") {
				t.Errorf("%s %s: have %s", verb, of, live)
			}
			for name, input := range map[string]string{"documents": objects, "a list": list} {
				if local := firstVerdict(t, c.run(input, verb, of, "--local", "-f", "-", "-o", "json").out); local != live {
					t.Errorf("%s %s of %s: have %s, want %s", verb, of, name, local, live)
				}
			}
		}
	}
}

// firstVerdict returns the first verdict in an output of JSON lines.
func firstVerdict(t *testing.T, out string) string {
	t.Helper()
	for line := range strings.Lines(out) {
		var v struct{ Type, Status, Reason, Failure, Message string }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if v.Type == "object" {
			return fmt.Sprintf("%s %s %s: %s", v.Status, v.Failure, v.Reason, v.Message)
		}
	}
	return "no verdict in " + out
}
