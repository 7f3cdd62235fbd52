package wire

import (
	"context"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/observe"
	"kstatus.dev/test/cluster"
	"kstatus.dev/test/faults"
	"kstatus.dev/test/manifest"
)

// What is waited for, with the resources that are read for that.
var (
	web = manifest.Target("apps", "Deployment", "", "web") // to be Current; its Pod is not ready
	old = manifest.Target("", "ConfigMap", "", "old")      // to be deleted; it is there
	new = manifest.Target("", "ConfigMap", "", "new")      // to be Current; it does not exist

	resources = []string{"deployments.apps", "configmaps", "pods", "replicasets.apps"}
)

// A scene is a namespace with what is waited for in it.
type scene struct {
	t         *testing.T
	cluster   *cluster.Cluster
	namespace string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	c := live.Cluster(t)
	s := &scene{t, c, c.Namespace(t)}
	s.apply("never-ready", "old")
	return s
}

// proxied returns a scene, and a proxy before its API server.
func proxied(t *testing.T) (*scene, *faults.Proxy) {
	t.Helper()
	s := newScene(t)
	return s, faults.Start(t, s.cluster.Config())
}

// apply brings the Deployment, whose Pod becomes what is said, and a ConfigMap.
func (s *scene) apply(becomes, settings string) {
	s.t.Helper()
	s.cluster.Apply(s.t, s.namespace, manifest.Deployment("web", manifest.Runs, "kstatus.dev/pod: "+becomes)+"---\n"+manifest.ConfigMap(settings))
}

func (s *scene) client() kubernetes.Interface {
	s.t.Helper()
	client, err := kubernetes.NewForConfig(s.cluster.Config())
	if err != nil {
		s.t.Fatal(err)
	}
	return client
}

// moveOn makes everything come about that is waited for, and returns when it has.
func (s *scene) moveOn() {
	s.t.Helper()
	ctx, client := s.t.Context(), s.client()
	s.apply("ready", "new")
	if err := client.CoreV1().ConfigMaps(s.namespace).Delete(ctx, "old", metav1.DeleteOptions{}); err != nil {
		s.t.Fatal(err)
	}
	until(s.t, "the Deployment is complete", func() bool { return s.complete(ctx, client) })
}

// complete reports whether what is waited for is so.
func (s *scene) complete(ctx context.Context, client kubernetes.Interface) bool {
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

// targets returns what is waited for, in the namespace of the scene.
func (s *scene) targets() []observe.Target {
	var all []observe.Target
	for _, t := range []observe.Target{web, old, new} {
		t.Namespace = s.namespace
		all = append(all, t)
	}
	return all
}
