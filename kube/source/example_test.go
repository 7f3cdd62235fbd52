package source_test

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

var web = observe.Target{Kind: status.Kind{Group: "apps", Kind: "Deployment"}, Namespace: "shop", Name: "web"}

// Calls that use one Client share its connections and its knowledge of the cluster.
func ExampleNewClient() {
	_ = func(ctx context.Context, config *rest.Config, definition status.Object) error {
		client, err := source.NewClient(config, source.Options{})
		if err != nil {
			return err
		}
		defer client.Close()
		cluster := &source.Cluster{Client: client}
		permissions, err := cluster.Permissions(ctx, web)
		if err != nil {
			return err
		}
		fmt.Println(permissions)

		// The definition of a kind shows what its controllers report.
		client.AddDefinition(definition)
		if err := client.LoadSchemas(ctx, status.Kind{Group: "example.com", Kind: "Widget"}); err != nil {
			return err
		}
		// Other objects of the kind show whether its controller reports at all.
		if err := client.LoadPeers(ctx, status.Kind{Group: "example.com", Kind: "Widget"}); err != nil {
			return err
		}
		// Events show whether a Pod that has succeeded was evicted.
		if err := client.LoadEvictions(ctx, definition); err != nil {
			return err
		}
		result, err := client.Evaluator().Compute(status.Map{"apiVersion": "example.com/v1", "kind": "Widget"})
		if err != nil {
			return err
		}
		fmt.Println(result.Status)
		return cluster.Observe(ctx, []observe.Target{web}, func(observe.Event) bool { return false })
	}
}

// A test runs without an API server, with a fake client of client-go.
func ExampleNewClientFor() {
	deployment := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "web", "namespace": "shop", "generation": int64(1)},
		"spec": map[string]any{"replicas": int64(1)}, "status": map[string]any{"observedGeneration": int64(1)},
	}}
	lists := map[schema.GroupVersionResource]string{
		{Group: "apps", Version: "v1", Resource: "deployments"}: "DeploymentList",
		{Group: "apps", Version: "v1", Resource: "replicasets"}: "ReplicaSetList",
		{Version: "v1", Resource: "pods"}:                       "PodList",
	}
	dynamic := fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), lists, deployment)
	client := source.NewClientFor(source.Interfaces{Dynamic: dynamic}, source.Options{})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	for u, err := range (observe.Watcher{Source: &source.Cluster{Client: client}}).Updates(ctx, web) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if u.Synced {
			fmt.Println(u.Target, u.Result.Status, u.Result.Message)
			return
		}
	}
	// Output: Deployment/shop/web InProgress 0/1 updated
}

// The Pods of a Deployment that the caller has read may explain why it is not ready.
func ExampleCluster_ReadParts() {
	_ = func(ctx context.Context, cluster *source.Cluster, deployment *unstructured.Unstructured) error {
		objects := map[observe.Target]*unstructured.Unstructured{web: deployment}
		return cluster.ReadParts(ctx, objects, func(pod observe.Event) {
			fmt.Println(pod.Of, "has", pod.Target)
		})
	}
}
