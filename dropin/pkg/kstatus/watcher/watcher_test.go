package watcher_test

import (
	"testing"

	"kstatus.dev/dropin/pkg/kstatus/watcher"
)

func TestWatchSendsEachChange(t *testing.T) {
	c := newCluster(t, configMap("a"))
	events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), ids(t, configMap("a"), configMap("b")), watcher.Options{})
	expect(t, events, "a Current: Resource is always ready", "Sync")
	c.create(t, configMap("b"))
	expect(t, events, "b Current: Resource is always ready")
	c.create(t, configMap("other"))
	c.update(t, configMap("a"))
	expect(t, events, "a Current")
	c.delete(t, configMap("b"))
	expect(t, events, "b NotFound: Resource not found")
	c.create(t, configMap("b"))
	expect(t, events, "b Current")
}

const deployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: default, name: web, generation: 1},
  spec: {replicas: 1, selector: {matchLabels: {app: web}}}, status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1}}`

const replicaSet = `{apiVersion: apps/v1, kind: ReplicaSet, metadata: {namespace: default, name: web-1, generation: 1, labels: {app: web}},
  spec: {replicas: 1, selector: {matchLabels: {app: web}}}, status: {observedGeneration: 1, replicas: 1}}`

const webPod = `{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: web-1-a, labels: {app: web}}, status: {phase: Failed}}`

func TestDeploymentHasItsChildren(t *testing.T) {
	c := newCluster(t, deployment, replicaSet, webPod)
	events := c.watch(t, watcher.NewDefaultStatusWatcher(c, c.mapper), ids(t, deployment), watcher.Options{})
	e := <-events
	if have := words(e); have != "web InProgress: Available: 0/1" {
		t.Errorf("event %q, want the status of the Deployment alone", have)
	}
	sets := e.Resource.GeneratedResources
	if len(sets) != 1 || len(sets[0].GeneratedResources) != 1 {
		t.Fatalf("generated resources %v, want a ReplicaSet with a Pod", sets)
	}
	if sets[0].Message != "1 pods have failed" {
		t.Errorf("ReplicaSet %q, want that its Pod has failed: %s", sets[0].Message, sets[0].GeneratedResources[0])
	}
	expect(t, events, "Sync")
}
