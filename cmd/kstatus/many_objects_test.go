package main

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// putPods stores Pods that wait for their image, and one whose container crashes. Its name comes last.
func (c *memoryCluster) putPods(n int) {
	c.t.Helper()
	for i := range n {
		u := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": fmt.Sprintf("p%05d", i), "namespace": "shop", "uid": fmt.Sprint(i)},
			"spec": map[string]any{"containers": []any{map[string]any{"name": "app", "image": "app:1"}}},
			"status": map[string]any{"phase": "Pending", "containerStatuses": []any{map[string]any{
				"name": "app", "ready": false, "state": map[string]any{"waiting": map[string]any{"reason": "ContainerCreating"}}}}},
		}}
		c.Put(u)
	}
	c.put(`apiVersion: v1
kind: Pod
metadata: {name: zz, uid: zz}
spec: {containers: [{name: app, image: "app:1"}]}
status:
  phase: Running
  containerStatuses: [{name: app, ready: false, restartCount: 5, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 7, reason: Error}}}]
`)
}

// The explanation at the end of a wait for very many objects reads few of them, and the worst. It reads
// them shortly before the deadline, and once more after it.
func TestWaitForManyPods(t *testing.T) {
	t.Parallel()
	c := newMemoryCluster(t)
	c.putPods(3000)
	have := c.run("", "wait", "pods", "--timeout", "10s")
	if have.code != 4 && have.code != 3 || !strings.Contains(have.out, "exits with code 7") {
		t.Errorf("have %d\n%.3000s%.3000s", have.code, have.out, have.notes)
	}
	listed := 0
	for _, r := range c.Requests() {
		if r.Verb == "list" && r.Resource == "pods" {
			if r.Limit == 0 {
				t.Error("the list of Pods has no limit")
			}
			listed += r.Limit
		}
	}
	if listed > 2*1000 {
		t.Errorf("the explanations list %d Pods", listed)
	}
}
