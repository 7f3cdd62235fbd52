package wire

import (
	"context"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/apply"
	"kstatus.dev/test/cluster"
)

// What is waited for, with the resources that are read for that.
var (
	web = observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Name: "web"} // to be Current; its Pod is not ready
	old = observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Name: "old"}                 // to be deleted; it is there
	new = observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Name: "new"}                 // to be Current; it does not exist

	resources = []string{"deployments.apps", "configmaps", "pods", "replicasets.apps"}
)

// A scene is a namespace with what is waited for in it.
type scene struct {
	t         *testing.T
	cluster   *cluster.Cluster
	namespace string
}

const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {kstatus.dev/pod: BECOMES}}
    spec: {containers: [{name: c, image: registry.example.com/c}]}
`

func configMap(name string) string {
	return "\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n"
}

func newScene(t *testing.T) *scene {
	t.Helper()
	c := live.Cluster(t)
	s := &scene{t, c, c.Namespace(t)}
	s.apply(strings.ReplaceAll(manifest, "BECOMES", "never-ready") + configMap("old"))
	return s
}

func (s *scene) apply(manifest string) {
	s.t.Helper()
	objects, err := apply.Parse([]byte(manifest))
	if err == nil {
		err = apply.To(s.t.Context(), s.cluster.Config(), s.namespace, objects, nil)
	}
	if err != nil {
		s.t.Fatal(err)
	}
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
	s.apply(strings.ReplaceAll(manifest, "BECOMES", "ready") + configMap("new"))
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
