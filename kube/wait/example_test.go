package wait_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/kube/sets"
	"kstatus.dev/kube/sets/follow"
	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Read the status of objects once: one that exists, one that does not, and one of a kind
// that the cluster does not serve.
func ExampleResolver_FetchAndResolve() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Println(err)
		return
	}
	r := wait.Resolver{Config: config}
	results, err := r.FetchAndResolve(context.Background(),
		observe.Target{Kind: status.Kind{Kind: "Namespace"}, Name: "default"},
		observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "default", Name: "nowhere"},
		observe.Target{Kind: status.Kind{Group: "example.com", Kind: "Gadget"}, Namespace: "default", Name: "g"},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, res := range results {
		fmt.Printf("%s %s: %s\n", res.Target, res.Result.Status, res.Result.Message)
	}
}

// Wait until two objects are Current, at most five minutes.
func ExampleResolver_WaitForStatus() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	r := wait.Resolver{Config: config}
	stream := r.WaitForStatus(ctx,
		observe.Target{Kind: status.Kind{Kind: "Namespace"}, Name: "default"},
		observe.Target{Kind: status.Kind{Kind: "Namespace"}, Name: "kube-system"},
	)
	all := status.UnknownStatus
	for e, err := range stream {
		if err != nil {
			fmt.Println(err) // names the objects that are not Current, and the reasons
			return
		}
		all = e.Aggregate
	}
	fmt.Println(all)
}

// Poll instead of watching, for users who may list objects but not watch them.
func ExampleResolver_interval() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	r := wait.Resolver{Config: config, Interval: 2 * time.Second}
	for e, err := range r.WaitForStatus(ctx, observe.Target{Kind: status.Kind{Kind: "Namespace"}, Name: "default"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(e.Target, e.Result.Status)
	}
}

// Wait for objects that were just created, as a typed client returned them. A status from
// before the request does not count.
func ExampleResolver_WaitForStatusOfObjects() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	labels := map[string]string{"app": "hello"}
	web, err := client.AppsV1().Deployments("default").Create(context.Background(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "hello"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "hello", Image: "registry.example.com/hello"}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	r := wait.Resolver{Config: config, Scheme: scheme.Scheme}
	for e, err := range r.WaitForStatusOfObjects(ctx, web) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if e.Progress == observe.ProgressReached {
			fmt.Printf("%s %s: %s\n", e.Target, e.Result.Status, e.Message())
		}
	}
}

// Find out why a wait failed.
func ExampleUnfinished() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	r := wait.Resolver{Config: config}
	for _, err := range r.WaitForStatus(ctx, observe.Target{Kind: status.Kind{Kind: "Namespace"}, Name: "nowhere"}) {
		end, ok := errors.AsType[*wait.Unfinished](err)
		if !ok {
			continue
		}
		fmt.Println(end.Outcome, errors.Is(end, context.DeadlineExceeded))
		for _, u := range end.Board.Unmet() {
			fmt.Printf("%s %s: %s\n", u.Target, u.Result.Status, u.Message())
		}
	}
}

// Wait for objects that were just applied, with the version that the API server returned.
func ExampleResolver_FetchAndResolveObjects() {
	_ = func(ctx context.Context, r wait.Resolver, applied ...runtime.Object) error {
		results, err := r.FetchAndResolveObjects(ctx, applied...)
		for _, res := range results {
			fmt.Println(res.Target, res.Result.Status)
		}
		return err
	}
}

// Wait for a Helm release: until Helm has finished, and all objects of its latest revision are Current.
func ExampleResolver_sets() {
	_ = func(ctx context.Context, config *rest.Config, mapper meta.RESTMapper) error {
		cluster := &sets.Cluster{Config: config, Mapper: mapper, Namespace: "shop"}
		r := wait.Resolver{Config: config, Sets: []follow.Set{{Cluster: cluster, Owner: sets.Owner{Type: sets.TypeHelm, Namespace: "shop", Name: "web"}}}}
		for e, err := range r.WaitForStatus(ctx) {
			if err != nil {
				return err // such as a failed revision, with its error
			}
			fmt.Println(e.Target, e.Result.Status, e.Message())
		}
		return nil
	}
}
