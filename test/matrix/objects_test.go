package matrix

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/apply"
	"kstatus.dev/test/cluster"
)

func parsed(t *testing.T, manifest string) []*unstructured.Unstructured {
	t.Helper()
	objects, err := apply.Parse([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// applied brings manifests into the cluster.
func applied(t *testing.T, c *cluster.Cluster, namespace, manifest string) {
	t.Helper()
	if err := apply.To(t.Context(), c.Config(), namespace, parsed(t, manifest), nil); err != nil {
		t.Fatal(err)
	}
}

// deleted deletes what a manifest names.
func deleted(t *testing.T, c *cluster.Cluster, namespace, manifest string) {
	t.Helper()
	if err := apply.Delete(context.WithoutCancel(t.Context()), c.Config(), namespace, parsed(t, manifest), nil); err != nil {
		t.Fatal(err)
	}
}

func named(group, kind, namespace, name string) observe.Target {
	return observe.Target{Kind: status.Kind{Group: group, Kind: kind}, Namespace: namespace, Name: name}
}

func configMap(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n"
}

// deployment is a Deployment of one Pod, whose image decides what becomes of it.
func deployment(name, image string) string {
	return strings.NewReplacer("NAME", name, "IMAGE", image).Replace(`apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME}
spec:
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec: {terminationGracePeriodSeconds: 0, containers: [{name: c, image: IMAGE}]}
`)
}

// job is a Job that runs for some seconds and is removed as many seconds later.
func job(name, seconds, ttl string) string {
	return strings.NewReplacer("NAME", name, "SECONDS", seconds, "TTL", ttl).Replace(`apiVersion: batch/v1
kind: Job
metadata: {name: NAME}
spec:
  ttlSecondsAfterFinished: TTL
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: registry.example.com/c, command: [sleep, "SECONDS"]}]
`)
}
