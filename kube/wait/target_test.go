package wait_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"

	"kstatus.dev/kube/wait"
	"kstatus.dev/status"
)

func ExampleTargetFor() {
	t := wait.TargetFor(schema.GroupKind{Group: "apps", Kind: "Deployment"}, types.NamespacedName{Namespace: "shop", Name: "web"})
	fmt.Println(t)
	// Output: Deployment/shop/web
}

func ExampleTargetOf() {
	web := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: 3, ResourceVersion: "1203"}}
	t, version, err := wait.TargetOf(web, scheme.Scheme)
	fmt.Println(t, version.Generation, version.ResourceVersion, err)
	_, _, err = wait.TargetOf(web, nil)
	fmt.Println(err)
	// Output:
	// Deployment/shop/web 3 1203 <nil>
	// identify *v1.Deployment "web": apiVersion and kind are not set, and no Scheme knows the type; set one, such as Resolver.Scheme, for built-in kinds to scheme.Scheme of k8s.io/client-go/kubernetes/scheme
}

func ExampleObjectOf() {
	replicas := int32(2)
	web := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: 1}, Spec: appsv1.DeploymentSpec{Replicas: &replicas}}
	web.Status = appsv1.DeploymentStatus{ObservedGeneration: 1, Replicas: 2, UpdatedReplicas: 2, ReadyReplicas: 1, AvailableReplicas: 1}
	obj, err := wait.ObjectOf(web, scheme.Scheme)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := status.Compute(obj)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Status, result.Message)
	// Output: InProgress 1/2 available
}
