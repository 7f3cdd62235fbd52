package snippet

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes/scheme"

	"kstatus.dev/kube/source"
	"kstatus.dev/kube/wait"
)

// The test that docs/guides/library.md shows.
func TestWaitForWeb(t *testing.T) {
	web := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: 1},
		Spec:       appsv1.DeploymentSpec{Replicas: new(int32(1))},
		Status:     appsv1.DeploymentStatus{ObservedGeneration: 1, Replicas: 1, UpdatedReplicas: 1, ReadyReplicas: 1, AvailableReplicas: 1},
	}
	cluster := fake.NewSimpleDynamicClient(scheme.Scheme, web)
	client := source.NewClientFor(source.Interfaces{Dynamic: cluster}, source.Options{})
	r := wait.Resolver{Client: client, Scheme: scheme.Scheme}
	for _, err := range r.WaitForStatusOfObjects(t.Context(), web) {
		if err != nil {
			t.Error(err)
		}
	}
}
