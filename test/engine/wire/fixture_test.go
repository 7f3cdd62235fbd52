package wire

import (
	"context"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/observe"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// The targets, with the resources that are read for them.
var (
	web = manifest.Target("apps", "Deployment", "", "web") // must become Current; its Pod is not ready
	old = manifest.Target("", "ConfigMap", "", "old")      // must be deleted; it exists
	new = manifest.Target("", "ConfigMap", "", "new")      // must become Current; it does not exist

	resources = []string{"deployments.apps", "configmaps", "pods", "replicasets.apps"}
)

// A fixture is a namespace with the targets.
type fixture struct {
	t         *testing.T
	cluster   *cluster.Cluster
	namespace string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	c := live.Cluster(t)
	s := &fixture{t, c, c.Namespace(t)}
	s.apply("never-ready", "old")
	return s
}

// proxied returns a scene, with a proxy to its API server.
func proxied(t *testing.T) (*fixture, *faults.Proxy) {
	t.Helper()
	s := newFixture(t)
	return s, faults.Start(t, s.cluster.Config())
}

// apply applies the Deployment, whose Pod reaches the given state, and a ConfigMap.
func (s *fixture) apply(becomes, settings string) {
	s.t.Helper()
	s.cluster.Apply(s.t, s.namespace, manifest.Deployment("web", manifest.Runs, "kstatus.dev/pod: "+becomes)+"---\n"+manifest.ConfigMap(settings))
}

func (s *fixture) client() kubernetes.Interface {
	s.t.Helper()
	client, err := kubernetes.NewForConfig(s.cluster.Config())
	if err != nil {
		s.t.Fatal(err)
	}
	return client
}

// completeTargets makes all targets reach their goals, and then returns.
func (s *fixture) completeTargets() {
	s.t.Helper()
	ctx, client := s.t.Context(), s.client()
	s.apply("ready", "new")
	if err := client.CoreV1().ConfigMaps(s.namespace).Delete(ctx, "old", metav1.DeleteOptions{}); err != nil {
		s.t.Fatal(err)
	}
	poll.Wait(s.t, "the Deployment is complete", func() bool { return s.areComplete(ctx, client) })
}

// areComplete reports whether all targets have reached their goals.
func (s *fixture) areComplete(ctx context.Context, client kubernetes.Interface) bool {
	s.t.Helper()
	d, err := client.AppsV1().Deployments(s.namespace).Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	_, gone := client.CoreV1().ConfigMaps(s.namespace).Get(ctx, "old", metav1.GetOptions{})
	_, there := client.CoreV1().ConfigMaps(s.namespace).Get(ctx, "new", metav1.GetOptions{})
	return d.Status.ObservedGeneration == d.Generation && d.Status.UpdatedReplicas == 1 && d.Status.AvailableReplicas == 1 &&
		d.Status.Replicas == 1 && apierrors.IsNotFound(gone) && there == nil
}

// targets returns the targets in the namespace of the scene.
func (s *fixture) targets() []observe.Target {
	var all []observe.Target
	for _, t := range []observe.Target{web, old, new} {
		t.Namespace = s.namespace
		all = append(all, t)
	}
	return all
}
