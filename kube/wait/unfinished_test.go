package wait_test

import (
	"context"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes/scheme"

	"kstatus.dev/kube/source"
	"kstatus.dev/kube/wait"
)

// The error of a wait names the objects that exist and are not ready.
func TestUnfinishedNamesObjectsThatAreNotReady(t *testing.T) {
	web := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: 1},
		Spec:       appsv1.DeploymentSpec{Replicas: new(int32(3))},
		Status:     appsv1.DeploymentStatus{ObservedGeneration: 1, Replicas: 3, UpdatedReplicas: 3, AvailableReplicas: 2, ReadyReplicas: 2},
	}
	objects := fake.NewSimpleDynamicClient(scheme.Scheme, web)
	r := wait.Resolver{Client: source.NewClientFor(source.Interfaces{Dynamic: objects}, source.Options{}), Scheme: scheme.Scheme}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var last error
	for _, err := range r.WaitForStatusOfObjects(ctx, web) {
		last = err
	}
	const want = "wait: timeout: context deadline exceeded; not ready: Deployment/shop/web InProgress: "
	if last == nil || !strings.HasPrefix(last.Error(), want) {
		t.Errorf("have %v\nwant %s…", last, want)
	}
}
